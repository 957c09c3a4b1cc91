// Newton's law of impact must not create energy.
#include <algorithm>

#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

using contact::kNormalRow;

// With friction, Newton's hypothesis can gain energy in an impact. An island whose contacts do
// positive work while some of them bounce is solved again without restitution, which cannot gain.
// The answers of the other islands are found again as they were. Adds the islands to
// report->division.guarded; false if the second solve fails.
bool Stepper::guard_energy(const VecX& v_lin, StepReport* report) {
  if (*options_.restitution != scene::TimeSteppingOptions::Restitution::kNewton) return true;
  const contact::Islands& islands = solver_.islands();
  bool any = false;
  for (int island = 0; island < islands.size(); ++island) {
    double gain = 0.0;   // J
    double noise = 0.0;  // J   that the solver's tolerance explains
    bool bounces = false;
    for (const int i : islands.contacts(island)) {
      const contact::ContactVector& p = answer_.impulses[i];
      gain += 0.5 * p.dot(u0_[i] + u_kicked_[i]);
      noise += *options_.tolerance * p.head<3>().norm() * speed_;
      const double demanded = problem_.required[i];
      bounces = bounces || (problem_.contacts[i].restitution > 0.0 && p[kNormalRow] > 0.0 &&
                            demanded > calc_required_without_bounce(i, v_lin));
    }
    if (!bounces || !(gain > noise)) continue;
    any = true;
    ++report->division.guarded;
    for (const int i : islands.contacts(island)) {
      if (problem_.contacts[i].restitution == 0.0) continue;
      problem_.required[i] = std::min(problem_.required[i], calc_required_without_bounce(i, v_lin));
    }
  }
  if (!any) return true;
  clear_checks();
  report->certificate.residual = 0.0;
  return solve_problem(report);
}

}  // namespace tenpin::methods::time_stepping
