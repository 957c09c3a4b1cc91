// Corrections of the state that obey no contact law: contacts come to rest, slips end, and rounding
// is removed from gaps, velocities and loops.
#pragma once

#include <vector>

#include "methods/analytic/row_solver.h"
#include "methods/analytic/step_values.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

// Adds impulses without duration, by touch, so that the records account for all momentum. Their
// work is booked as projection.
void add_impulses(const std::vector<Touch>& touches, const std::vector<Vec3>& impulses,
                  Corrections* corrections);

// The slips that friction stops within a negligible distance.
[[nodiscard]] std::vector<int> find_ending_slips(const Motion& motion, const ForceScale& scale,
                                                 const std::vector<Touch>& touches,
                                                 double event_tolerance);

// Keeps its buffers.
class Corrector {
 public:
  Corrector(const dynamics::Model& model, const scene::AnalyticOptions& options);

  // After a collision whose impulses left the velocities end->v, to which the motion was updated:
  // bounces would decay forever. A contact comes to rest as soon as its next hop, of height
  // v^2 / (2 a), would stay below the event tolerance; a is the acceleration that the contact force
  // prevents once the contact rests. A slip that friction would stop within that tolerance ends,
  // too: where friction tips a body, the body falls back and slips again, which would also go on
  // forever. The motion has the forces that would act then.
  void rest_after(const std::vector<Closed>& closed, const std::vector<Touch>& touches,
                  const Motion& motion, StepEnd* end, Corrections* corrections);

  // Removes integration errors from gaps that forces keep closed, from velocities along them, and
  // from loops.
  void project(const std::vector<Touch>& touches, Motion* motion, StepEnd* end,
               Corrections* corrections);

 private:
  void list_resting(const std::vector<Closed>& closed, const std::vector<Touch>& touches,
                    const Motion& motion);
  bool solve_resting(const std::vector<Closed>& closed, const Motion& motion);
  bool close_gaps(const std::vector<Touch>& touches, Motion* motion, StepEnd* end);
  bool close_velocities(const std::vector<Touch>& touches, const Motion& motion, StepEnd* end,
                        Corrections* corrections);
  void add_row_impulses(const std::vector<Touch>& touches, Corrections* corrections) const;

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  std::vector<ContactRowValue> rows_;  // rows whose velocity or gap is set to zero
  RowSolver row_solver_;
};

}  // namespace tenpin::methods::analytic
