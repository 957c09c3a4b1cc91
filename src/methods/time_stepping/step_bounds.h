// Bounds on the error of a step's scheme: energy that it creates, and overlaps that it leaves. A
// step that exceeds a bound is repeated in shorter steps.
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

// How much energy a step may create by its scheme's own error before it fails its certificate.
enum class OwnError {
  kBounded,   // a little: shorter steps are more accurate
  kAccepted,  // more: this is the shortest step allowed
  kShown,     // any: the scheme is used as printed
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

// J   Energies of bodies that contacts connect: the scale for energy errors.
struct EnergyScale {
  double kinetic = 0.0;  // the larger of the values at start and end
  double weight = 0.0;   // sum of weight times size
  double rounding = 0.0;
};

// J   Energy that the scheme's own error may add to a group of bodies in a step, or in a part of a
// step (`share`, at most 1). The errors of parts decrease with the square of the part's length for
// smooth contact, and with the length itself for an impact. The allowance decreases more slowly,
// with the square root, so that dividing a step ends in both cases.
[[nodiscard]] double allow_gain(const EnergyScale& scale, double share, OwnError own_error);

// The shares of the accepted gain of a step that its shortest parts have used. Reuses its buffers
// between calls.
class GainBudget {
 public:
  // Starts a new step.
  void restart() { spent_.clear(); }
  // J   By how much the gain of a group in one part exceeds the rest of the budget of all its
  // mechanisms. The gain counts once accept() is called.
  [[nodiscard]] double calc_excess(std::span<const int> mechanisms, double gain,
                                   const EnergyScale& scale);
  // accept() records the part whose groups were judged; discard() drops it before another attempt.
  void accept();
  void discard() { proposed_.clear(); }

 private:
  std::vector<double> spent_;                     // -   by mechanism: used share of the budget
  std::vector<std::pair<int, double>> proposed_;  // mechanisms and shares of the last part
};

// m, rad   An overlap of two bodies, or of a joint beyond its stop, that is deeper than the
// scheme's own error may leave it and deeper than at the start of the step.
struct Overlap {
  contact::Contact contact;
  double allowed = 0.0;
};

class OverlapCheck {
 public:
  OverlapCheck(const dynamics::Model& model, contact::ContactFinder* finder,
               const contact::PassageCheck& sizes)
      : model_(&model), finder_(finder), sizes_(&sizes) {}

  // The start of the step, from which the depth of an overlap at that time is found.
  struct Start {
    const VecX& q;
    double t = 0.0;                 // s
    std::span<const double> reach;  // m   by body
  };
  // The worst of the contacts at the end, relative to its bound.
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

// For example "a and b overlap by 0.1 m at the end of the step, allowed is 0.01".
[[nodiscard]] std::string tell_overlap(const Overlap& overlap, const dynamics::Model& model);

}  // namespace tenpin::methods::time_stepping
