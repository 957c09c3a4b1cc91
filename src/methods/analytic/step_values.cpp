#include "methods/analytic/step_values.h"

#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"

namespace tenpin::methods::analytic {

Energies calc_energies(const dynamics::Model& model, double t, const VecX& q, const VecX& v) {
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  update_poses(model, q, t, &X_WB);
  update_twists(model, X_WB, v, t, &V_WB);
  return {.kinetic = calc_kinetic_energy(model, X_WB, V_WB, v),
          .potential = calc_potential_energy(model, X_WB, q)};
}

std::string name_of(const dynamics::Model& model, const contact::Contact& c) {
  return model.bodies[c.body_a].name + " and " + model.bodies[c.body_b].name;
}

void fail(StepReport* report, AdvanceStatus status, const std::string& message) {
  report->status = status;
  report->message = message;
  report->certificate.passed = false;
}

}  // namespace tenpin::methods::analytic
