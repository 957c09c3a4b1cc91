// How far a step may stray from the law by its own error: energy that it creates, and overlaps that
// it leaves. A step that strays farther is taken again in shorter ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collide/narrow_phase.h"
#include "contact/finder.h"
#include "contact/passage.h"
#include "dynamics/kinematics.h"

namespace tenpin::methods::time_stepping {

// How much energy a step may create by its own error before it fails its certificate.
enum class OwnError {
  kBounded,   // a little: shorter steps are more accurate
  kAccepted,  // more: the step is the shortest that is taken
  kShown,     // any: the scheme is wanted as it is printed
};

// J   of one mechanism, armature included.
[[nodiscard]] double calc_kinetic_energy(const dynamics::Model& model,
                                         const dynamics::Mechanism& mechanism,
                                         const std::vector<Pose>& X_WB,
                                         const std::vector<dynamics::Twist>& V_WB, ConstVecRef v);

// J   of the springs in the joints of one mechanism.
[[nodiscard]] double calc_spring_energy(const dynamics::Model& model,
                                        const dynamics::Mechanism& mechanism, ConstVecRef q,
                                        ConstVecRef v);

// J   Energies of bodies that contacts connect: the scale of an energy error.
struct EnergyScale {
  double kinetic = 0.0;  // the larger one of start and end
  double weight = 0.0;   // weights times sizes
  double rounding = 0.0;
};

// J   Energy that the scheme's own error may add to such a group in a step, or in a part of one
// (`share`, at most 1). Errors of parts add up: those of smooth contact fall with the square of
// the part, those of an impact with the part itself. The root, between both, lets both end.
[[nodiscard]] double allow_gain(const EnergyScale& scale, double share, OwnError own_error);

// What the shortest parts of one step have used up of the gain that is accepted in the whole step.
// Keeps its buffers.
class GainBudget {
 public:
  // A new step begins.
  void restart() { spent_.clear(); }
  // J   By how much the gain of a group in a part exceeds what is left of `scale` for all of its
  // mechanisms. The gain counts once accept() is called.
  [[nodiscard]] double calc_excess(std::span<const int> mechanisms, double gain,
                                   const EnergyScale& scale);
  // The part whose groups were judged is taken, or another attempt begins.
  void accept();
  void discard() { proposed_.clear(); }

 private:
  std::vector<double> spent_;                     // -   by mechanism: share of all that is allowed
  std::vector<std::pair<int, double>> proposed_;  // mechanisms and shares of the last part
};

// m, rad   Overlap of two bodies, or of a joint beyond its stop, that is deeper than the scheme's
// own error may leave it, and than it was when the step began.
struct Overlap {
  contact::Contact contact;
  double allowed = 0.0;
};

class OverlapCheck {
 public:
  OverlapCheck(const dynamics::Model& model, contact::ContactFinder* finder,
               const contact::PassageCheck& sizes)
      : model_(&model), finder_(finder), sizes_(&sizes) {}

  // Where the step began, for those that overlap at its end.
  struct Start {
    const VecX& q;
    double t = 0.0;                 // s
    std::span<const double> reach;  // m   by body
  };
  // The worst of the contacts at the end, by what it is allowed.
  [[nodiscard]] std::optional<Overlap> find_worst(std::span<const contact::Contact> at_end,
                                                  const Start& start);

 private:
  [[nodiscard]] double calc_size(const dynamics::Body& body) const;
  [[nodiscard]] double calc_bound(const contact::Contact& contact) const;
  [[nodiscard]] double calc_depth_at_start(const contact::Contact& contact) const;

  const dynamics::Model* model_;
  contact::ContactFinder* finder_;
  const contact::PassageCheck* sizes_;
  std::vector<contact::Contact> deep_, at_start_;
  std::vector<Pose> X_start_;
  std::vector<collide::Pair> pairs_;
};

// "a and b overlap by 0.1 m at the end of the step, allowed is 0.01".
[[nodiscard]] std::string tell_overlap(const Overlap& overlap, const dynamics::Model& model);

}  // namespace tenpin::methods::time_stepping
