// The words of the format for the enumerations of the scene, used by the reader and the writer.
#pragma once

#include <string_view>

#include "scene/options.h"
#include "scene/scene.h"
#include "scene/values.h"

namespace tenpin::scene {

inline constexpr Word<TimeSteppingOptions::Formulation> kFormulationWords[] = {
    {"position", TimeSteppingOptions::Formulation::kPosition},
    {"velocity", TimeSteppingOptions::Formulation::kVelocity},
    {"nonlinear", TimeSteppingOptions::Formulation::kNonlinear},
};

inline constexpr Word<TimeSteppingOptions::Solver> kSolverWords[] = {
    {"lemke", TimeSteppingOptions::Solver::kLemke},
    {"cone", TimeSteppingOptions::Solver::kCone},
};

inline constexpr Word<TimeSteppingOptions::Restitution> kRestitutionWords[] = {
    {"none", TimeSteppingOptions::Restitution::kNone},
    {"newton", TimeSteppingOptions::Restitution::kNewton},
    {"poisson", TimeSteppingOptions::Restitution::kPoisson},
};

inline constexpr Word<TimeSteppingOptions::Lever> kLeverWords[] = {
    {"full", TimeSteppingOptions::Lever::kFull},
    {"printed", TimeSteppingOptions::Lever::kPrinted},
};

inline constexpr Word<TimeSteppingOptions::ActiveSet> kActiveSetWords[] = {
    {"paper", TimeSteppingOptions::ActiveSet::kPaper},
    {"all", TimeSteppingOptions::ActiveSet::kAll},
};

inline constexpr Word<Loop::Kind> kLoopWords[] = {
    {"ball", Loop::Kind::kBall},         {"hinge", Loop::Kind::kHinge},
    {"weld", Loop::Kind::kWeld},         {"distance", Loop::Kind::kDistance},
    {"coupling", Loop::Kind::kCoupling},
};

inline constexpr Word<Record::Contacts> kContactsWords[] = {
    {"none", Record::Contacts::kNone},
    {"frames", Record::Contacts::kFrames},
    {"steps", Record::Contacts::kSteps},
};

template <typename Enum, std::size_t n>
std::string_view to_word(Enum value, const Word<Enum> (&words)[n]) {
  for (const Word<Enum>& word : words) {
    if (word.value == value) {
      return word.text;
    }
  }
  return "";
}

}  // namespace tenpin::scene
