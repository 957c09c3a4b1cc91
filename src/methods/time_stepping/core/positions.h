// Corrects positions after a step: moves overlapping bodies apart.
#pragma once

#include <span>

#include "methods/time_stepping/contact_solver.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/core/step_setup.h"

namespace tenpin::methods::time_stepping {

// Computes the correction. Reuses its buffers between calls.
class Projection {
 public:
  // Solves to `tolerance`, with at most max_systems linear systems.
  Projection(const StepSetup& setup, double tolerance, int max_systems);

  // The least displacement (nv) in the mass metric after which no contact overlaps. Contacts with
  // loads (N s) are first pressed together by these, so that they end exactly closed if the loads
  // are large enough. Null if there is no solution.   [ST00, §3.3]
  [[nodiscard]] const VecX* solve(const StepSetup& setup, const Linearization& at,
                                  std::span<const contact::Contact> contacts,
                                  std::span<const double> loads);

 private:
  ContactSolver solver_;
  ContactProblem problem_;
  ContactAnswer answer_;
};

}  // namespace tenpin::methods::time_stepping
