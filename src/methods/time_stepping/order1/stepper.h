// One step of Stewart and Trinkle's scheme.   [ST00]
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/core/journal.h"
#include "methods/time_stepping/core/positions.h"
#include "methods/time_stepping/core/sleep.h"
#include "methods/time_stepping/order1/forces.h"
#include "methods/time_stepping/order1/kick_solver.h"
#include "methods/time_stepping/order1/mover.h"
#include "methods/time_stepping/order1/reporter.h"

namespace tenpin::methods::time_stepping::order1 {

// A step is a kick and a drift: impulses act at the configuration q^l, where the mass matrix is
// evaluated, and then the bodies move freely for h seconds. So the kinetic energy gained from each
// impulse is exactly impulse times mean velocity, and the ledger can be kept impulse by impulse.
//
// The stages pass values to each other: StepStart, StepForces -> Prediction -> Selection,
// ContactProblem -> Kick -> StepEnd -> entries, records, report. Members hold these values only to
// reuse their buffers; only end_, active_ and sleepers_ carry meaning from one step to the next.
class Stepper {
 public:
  Stepper(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
          const Workers& workers);

  // Advances *state by h to time t_end, or leaves it unchanged and gives the reason in *report.
  void step(double h, double t_end, OwnError own_error, dynamics::State* state, StepReport* report);
  // Call this before the parts of another step: the errors of all parts of one step share a bound.
  void begin_parts() { reporter_.budget().restart(); }

  // Same as Method::model_changed().
  void model_changed();

  // The contacts of the last step.
  std::span<const contact::ContactRecord> contacts() const { return records_; }

 private:
  void begin(double h, double t_end, const dynamics::State& state);
  [[nodiscard]] bool solve_contacts(StepReport* report);
  void finish(OwnError own_error, StepReport* report);
  void commit(dynamics::State* state);

  // The stages of solve_contacts().
  [[nodiscard]] bool solve_linear(StepReport* report);
  [[nodiscard]] bool solve_fixed_point(StepReport* report);
  [[nodiscard]] bool solve_round(StepReport* report);
  void wake_touched();
  [[nodiscard]] bool find_violated();
  void move();
  void project(OwnError own_error);

  // Sleeping bodies and their supports.
  void update_supports();
  [[nodiscard]] std::vector<char> try_supports();

  StepView view() const { return {start_, forces_, prediction_, problem_, kick_, end_}; }
  Linearized linearized() const { return {start_, forces_, prediction_, selection_}; }

  StepSetup setup_;
  Sleepers sleepers_;
  Mover mover_;
  ForceStage force_stage_;
  KickSolver kick_solver_;
  // more accurate, because bodies may rest on its impulses for a long time
  ContactSolver support_solver_;
  Projection projection_;
  Reporter reporter_;
  StepStart start_;
  StepForces forces_;
  Prediction prediction_;
  Selection selection_;
  ActiveSet active_;  // active in the previous step, or violated in this one
  ContactProblem problem_;
  Kick kick_;
  StepEnd end_;
  std::vector<JournalEntry> entries_;
  std::vector<contact::ContactRecord> records_;
};

}  // namespace tenpin::methods::time_stepping::order1
