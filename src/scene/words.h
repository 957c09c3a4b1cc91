// The words of the format for the enumerations of the scene, used by the reader and the writer.
#pragma once

#include <array>
#include <cstddef>
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

inline constexpr Word<AnalyticOptions::Integrator> kIntegratorWords[] = {
    {"dormand-prince", AnalyticOptions::Integrator::kDormandPrince},
    {"runge-kutta", AnalyticOptions::Integrator::kRungeKutta4},
    {"adams", AnalyticOptions::Integrator::kAdams},
};

inline constexpr Word<AnalyticOptions::Events> kEventsWords[] = {
    {"regula-falsi", AnalyticOptions::Events::kRegulaFalsi},
    {"bisection", AnalyticOptions::Events::kBisection},
};

inline constexpr Word<AnalyticOptions::Forces> kForcesWords[] = {
    {"lcp", AnalyticOptions::Forces::kLcp},
    {"lp", AnalyticOptions::Forces::kLp},
};

inline constexpr Word<AnalyticOptions::Friction> kAnalyticFrictionWords[] = {
    {"none", AnalyticOptions::Friction::kNone},
    {"coulomb", AnalyticOptions::Friction::kCoulomb},
};

inline constexpr Word<AnalyticOptions::Collisions> kCollisionsWords[] = {
    {"simultaneous", AnalyticOptions::Collisions::kSimultaneous},
    {"propagation", AnalyticOptions::Collisions::kPropagation},
};

inline constexpr Word<AnalyticOptions::Law> kAnalyticLawWords[] = {
    {"newton", AnalyticOptions::Law::kNewton},
    {"poisson", AnalyticOptions::Law::kPoisson},
    {"energetic", AnalyticOptions::Law::kEnergetic},
};

inline constexpr Word<ImpulseOptions::Law> kImpulseLawWords[] = {
    {"poisson", ImpulseOptions::Law::kPoisson},
    {"energetic", ImpulseOptions::Law::kEnergetic},
    {"newton", ImpulseOptions::Law::kNewton},
};

inline constexpr Word<dynamics::Interpolation> kTableWords[] = {
    {"linear", dynamics::Interpolation::kLinear},
    {"cubic", dynamics::Interpolation::kCubic},
    {"step", dynamics::Interpolation::kStep},
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

inline constexpr Word<Start::Overlaps> kOverlapsWords[] = {
    {"resolve", Start::Overlaps::kResolve},
    {"keep", Start::Overlaps::kKeep},
    {"refuse", Start::Overlaps::kRefuse},
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

template <typename Enum, std::size_t n>
constexpr std::array<std::string_view, n> texts_of(const Word<Enum> (&words)[n]) {
  std::array<std::string_view, n> texts;
  for (std::size_t i = 0; i < n; ++i) texts[i] = words[i].text;
  return texts;
}

}  // namespace tenpin::scene
