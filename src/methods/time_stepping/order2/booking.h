// Enters substeps, impacts and the end of a step of second order in the step's journal and report.
#pragma once

#include <optional>

#include "methods/time_stepping/core/flight_check.h"
#include "methods/time_stepping/order2/law_solver.h"
#include "methods/time_stepping/order2/motion.h"
#include "methods/time_stepping/order2/tracker.h"

namespace tenpin::methods::time_stepping::order2 {

// Enters a smooth substep that was solved, and replaces an earlier solve of the same nodes: adds
// the entries of its contacts and the work on its nodes. The energy that an impulse adds is exactly
// impulse times mean velocity at the midpoint. The work of the contact uses the mean of its
// velocities at start and end; the difference is the scheme's own error.
void book_substep(const StepSetup& setup, Substep* substep, SubstepMotion* motion,
                  StepProgress* step);

// Enters an impact that was solved, with the velocities before it and after it.
void book_impact(const StepSetup& setup, const contact::Islands& islands, const Substep& impact,
                 SubstepMotion* motion, StepProgress* step);

// Accepts the substeps of these nodes: the next substeps begin where these ended.
void restart(const StepSetup& setup, const NodeSet& nodes, StepProgress* step);

// The ledger of the finished step.
[[nodiscard]] contact::Ledger calc_ledger(const StepSetup& setup, const StepProgress& step);

// Certifies finished steps. Reuses its buffers between calls.
class StepCertifier {
 public:
  // Completes the certificate of the step that began at `start`, and marks the report as failed if
  // there is a reason.
  void certify(const StepSetup& setup, const dynamics::State& start, StepProgress* step,
               ContactTracker* tracker, SubstepMotion* motion, StepReport* report);

 private:
  [[nodiscard]] double calc_scheme_gain(const StepSetup& setup, const StepProgress& step,
                                        SubstepMotion* motion);
  [[nodiscard]] double calc_gain_beyond_scale(const StepSetup& setup, const StepProgress& step,
                                              SubstepMotion* motion);

  NodeGroups groups_;                   // by all contacts of the step
  std::vector<double> gain_, allowed_;  // J   scratch, by root
  std::vector<EnergyScale> scales_;     // scratch, by root
  std::vector<double> kinetic_end_;     // J   scratch, by root
  FlightCheck flights_;
};

}  // namespace tenpin::methods::time_stepping::order2
