#include "contact/certify.h"

#include <algorithm>
#include <cmath>

namespace tenpin::contact {

LawCheck certify_law(const Contact& contact, const FrictionCone& cone, const LawSample& sample) {
  const double p_n = sample.impulse[kNormalRow];
  const double slack = sample.velocity[kNormalRow] - sample.required;
  const double normal = std::fabs(std::min((p_n - sample.given) * sample.mobility, slack));

  if (!has_friction(contact)) return {.residual = normal / sample.speed};
  const Vec3 p_t = sample.impulse.tail<3>();
  const Vec3 u_t = sample.velocity.tail<3>();
  const double bound = sample.mu * std::max(p_n, 0.0);
  LawCheck check;
  check.cone_violation = std::max(0.0, cone.calc_gauge(contact, p_t) - bound);
  check.dissipation_gap =
      std::fabs(bound * cone.calc_best_dissipation(contact, u_t) + p_t.dot(u_t));
  const double impulse = sample.speed / sample.mobility;
  check.residual = std::max({normal / sample.speed, check.cone_violation / impulse,
                             check.dissipation_gap / (impulse * sample.speed)});
  return check;
}

}  // namespace tenpin::contact
