// Second-order time stepping: drift, kick, drift, with steps divided at impacts.
// docs/second-order.md has the derivation.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/core/sleep.h"
#include "methods/time_stepping/order2/booking.h"
#include "methods/time_stepping/order2/divider.h"
#include "methods/time_stepping/order2/finisher.h"
#include "methods/time_stepping/order2/substep_solver.h"

namespace tenpin::methods::time_stepping::order2 {

// A smooth substep is half a drift, one kick in the middle and another half drift. Contacts that
// touch at its start are active: their impulses act along the Jacobian of the midpoint, and the
// velocity at the end satisfies the law. If an inactive contact overlaps at the end, the step of
// all bodies that contacts connect with it is divided at the time of that impact: a substep before,
// an impact of zero duration, a substep after. So every mechanism has its own substep, and
// mechanisms of one group share their substeps. A group with more impacts than its impact budget
// allows is not divided any more.
//
// The stages read and advance one value, StepProgress. Among the members, only step_.path.end with
// known_end_, previous_ and sleepers_ carry meaning from one step to the next.
class Stepper {
 public:
  Stepper(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
          const Workers& workers);

  // Advances *state by h to time t_end, or leaves it unchanged and gives the reason in *report.
  void step(double h, double t_end, dynamics::State* state, StepReport* report);

  // Same as Method::model_changed().
  void model_changed();

  // The contacts of the last step.
  std::span<const contact::ContactRecord> contacts() const { return records_; }

 private:
  enum class Outcome { kDone, kFailed, kWoken };  // woken: a body woke, so the step must restart

  void begin(double h, double t_end, const dynamics::State& state);
  void begin_motion(double h, const dynamics::State& state);
  [[nodiscard]] Outcome advance(StepReport* report);
  [[nodiscard]] bool wake_touched(std::vector<contact::Contact>* contacts);
  void write_records();
  void commit(dynamics::State* state);
  void update_supports(double h, double t_end, const dynamics::State& state);

  // Facts about the end of the last step, which is in step_.
  struct KnownEnd {
    double h = 0.0;       // s   of that step; 0: nothing is known
    double energy = 0.0;  // J
  };

  StepSetup setup_;
  Sleepers sleepers_;
  ContactTracker tracker_;
  SubstepMotion motion_;
  LawSolver solver_;
  SubstepSolver substeps_;
  Finisher finisher_;
  Divider divider_;
  StepCertifier certifier_;
  StepProgress step_;
  KnownEnd known_end_;
  ActiveSet previous_;                            // impulses of the previous step
  std::vector<contact::Contact> start_contacts_;  // by key, at the start of the step
  NodeSet moving_, moved_;                        // scratch
  std::vector<contact::ContactRecord> records_;
};

}  // namespace tenpin::methods::time_stepping::order2
