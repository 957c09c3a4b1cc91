#include "impact/double_pendulum.h"

#include <cmath>
#include <limits>

#include "impact/tolerances.h"
#include "math/trig.h"

namespace tenpin::impact {

PlanarMechanism calc_mechanism(const DoublePendulum& pendulum) {
  const double r = pendulum.length;
  const SinCos upper = sin_cos(pendulum.q[0]);
  const SinCos lower = sin_cos(pendulum.q[0] + pendulum.q[1]);
  const double c = sin_cos(pendulum.q[1]).cos;
  const double m = pendulum.mass * r * r;
  PlanarMechanism mechanism;
  mechanism.M << m * (c + 5.0 / 3.0), m * (c / 2.0 + 1.0 / 3.0),  //
      m * (c / 2.0 + 1.0 / 3.0), m / 3.0;
  mechanism.J << r * (-upper.sin - lower.sin), -r * lower.sin,  //
      r * (upper.cos + lower.cos), r * lower.cos;
  return mechanism;
}

Mat2 calc_collision_matrix(const PlanarMechanism& mechanism) {
  const Mat2& M = mechanism.M;
  Mat2 adjugate;
  adjugate << M(1, 1), -M(0, 1), -M(1, 0), M(0, 0);
  return adjugate * mechanism.J.transpose() / (M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0));
}

PlanarContact make_planar_contact(const PlanarMechanism& mechanism, const Vec2& u) {
  const Mat2 W = mechanism.J * calc_collision_matrix(mechanism);
  const Vec2 v = mechanism.J * u;
  const double largest = std::fabs(mechanism.J(0, 0) * u[0]) + std::fabs(mechanism.J(0, 1) * u[1]);
  return {.W_tt = W(0, 0),
          .W_tn = W(0, 1),
          .W_nn = W(1, 1),
          .v_t = std::fabs(v[0]) <= kVelocityRounding * largest ? 0.0 : v[0],
          .v_n = v[1]};
}

}  // namespace tenpin::impact
