// Jacobi's solution, arranged so that nothing cancels.
//   1, 2, 3     principal axes by ascending moment
//   m           angular momentum along them; G = |m|
//   alpha_i     1 / I_i
//   d_ij        |alpha_i - alpha_j|, from differences of moments
//   a           the axis whose momentum never changes sign: 1 or 3; c the other, b = 2
// With the constants E_c = m_c^2 d_ac + m_b^2 d_ab and E_a = m_a^2 d_ac + m_b^2 d_bc,
//   m_c = sqrt(E_c/d_ac) cn u,  m_b = +-sqrt(E_c/d_ab) sn u,  m_a = +-sqrt(E_a/d_ac) dn u,
//   du/dt = sqrt(d_ab E_a),  k^2 = d_bc E_c / (d_ab E_a).
// Axis 1 precesses about L by
//   dphi/dt = G (alpha_2 m_2^2 + alpha_3 m_3^2) / (m_2^2 + m_3^2)
//           = G alpha_3 + G d_23 m_2^2 / (m_2^2 + m_3^2),
// two positive terms, the second of which is an elliptic integral of the third kind. Axis 1 is our
// choice, because for a needle the terms of any other axis cancel.
#include "dynamics/jacobi_rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/elliptic.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::dynamics {

namespace {

// Rounding cannot tell the separatrix, k' = 0, from neighbouring motions.
constexpr double kLeastOther = 1e-32;

// The constants of the motion, with sorted axes. Moments are divided by the largest, so that rates
// and momenta are all in rad/s.
struct JacobiMotion {
  Mat3 P;                // columns: the sorted axes; right-handed
  Vec3 moments;          // -
  Vec3 m;                // rad/s
  double d12, d23, d13;  // -
  int a, c;              // b is always axis 2, with index 1
  double d_ab, d_bc;     // -
  double E_a, E_c;       // rad^2/s^2
  double excess;         // rad^2/s^2   |2T - alpha_2 G^2|
};

JacobiMotion find_motion(const Vec3& moments, const Vec3& w_P) {
  std::array<int, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return moments[i] != moments[j] ? moments[i] < moments[j] : i < j;
  });
  JacobiMotion x;
  x.P.setZero();
  for (int k = 0; k < 3; ++k) {
    x.P(order[k], k) = 1.0;
    x.moments[k] = moments[order[k]] / moments[order[2]];
  }
  x.P.col(2) *= x.P.determinant();
  x.m = x.moments.cwiseProduct(x.P.transpose() * w_P);
  const Vec3& I = x.moments;
  x.d12 = (I[1] - I[0]) / (I[0] * I[1]);
  x.d23 = (I[2] - I[1]) / (I[1] * I[2]);
  x.d13 = (I[2] - I[0]) / (I[0] * I[2]);
  const Vec3 squares = x.m.cwiseAbs2();
  const double excess = squares[0] * x.d12 - squares[2] * x.d23;
  x.excess = std::fabs(excess);
  x.a = excess < 0.0 ? 2 : 0;
  x.c = 2 - x.a;
  x.d_ab = x.a == 2 ? x.d23 : x.d12;
  x.d_bc = x.a == 2 ? x.d12 : x.d23;
  x.E_a = squares[x.a] * x.d13 + squares[1] * x.d_bc;
  x.E_c = squares[x.c] * x.d13 + squares[1] * x.d_ab;
  return x;
}

// An angle as a number of half turns and a remainder within a quarter turn.
struct Phase {
  double halves = 0.0;
  Amplitude rest;
};

Phase make_phase(double y, double x) {
  const double length = std::sqrt(x * x + y * y);
  if (!(length > 0.0)) return {};
  if (x >= 0.0) return {.halves = 0.0, .rest = {.sin = y / length, .cos = x / length}};
  return {.halves = y < 0.0 ? -1.0 : 1.0, .rest = {.sin = -y / length, .cos = -x / length}};
}

// The integrals up to an amplitude: of the first kind, u, and of sin^2 / (1 + nu sin^2) over du.
class Integrals {
 public:
  Integrals(const Modulus& modulus, double nu)
      : modulus_(modulus),
        nu_(nu),
        K_(calc_quarter_period(modulus)),
        J_(carlson_rj(0.0, modulus.k2_other, 1.0, 1.0 + nu) / 3.0) {}

  double calc_first(const Phase& x) const {
    const auto [sin, cos] = x.rest;
    return 2.0 * x.halves * K_ + sin * carlson_rf(cos * cos, delta2(x), 1.0);
  }
  double calc_third(const Phase& x) const {
    const auto [sin, cos] = x.rest;
    if (sin == 0.0) return 2.0 * x.halves * J_;
    return 2.0 * x.halves * J_ +
           sin * sin * sin / 3.0 * carlson_rj(cos * cos, delta2(x), 1.0, 1.0 + nu_ * sin * sin);
  }
  Phase invert_first(double u) const {
    const double halves = std::round(u / (2.0 * K_));
    const double rest = std::clamp(u - 2.0 * halves * K_, -K_, K_);
    return {.halves = halves, .rest = calc_amplitude(rest, modulus_)};
  }
  // 1 - k^2 sin^2
  double delta2(const Phase& x) const {
    return x.rest.cos * x.rest.cos + modulus_.k2_other * x.rest.sin * x.rest.sin;
  }

 private:
  Modulus modulus_;
  double nu_;
  double K_, J_;
};

// Columns in body axes: orthogonal to axis 1 and m; orthogonal to that and m; along m.
Mat3 make_frame(const Vec3& m) {
  Mat3 F;
  F.col(2) = m.normalized();
  F.col(0) = Vec3(0.0, -m[2], m[1]).normalized();
  F.col(1) = F.col(2).cross(F.col(0));
  return F;
}

}  // namespace

FreeRotation calc_jacobi_rotation(const FreeRotation& start, const Vec3& moments, double h) {
  const JacobiMotion x = find_motion(moments, start.w_P);
  const bool is_permanent = !(x.E_c > 0.0) || (x.m[1] == 0.0 && x.m[2] == 0.0);
  if (is_permanent) {  // about axis a; w is along it
    return {.q_WP = (start.q_WP * exp_map(h * start.w_P)).normalized(), .w_P = start.w_P};
  }
  const double rate = std::sqrt(x.d_ab * x.E_a);  // rad/s
  const double k2_other = std::clamp(x.d13 * x.excess / (x.d_ab * x.E_a), kLeastOther, 1.0);
  const Modulus modulus{.k2 = std::min(1.0, x.d_bc * x.E_c / (x.d_ab * x.E_a)),
                        .k2_other = k2_other};
  const double nu = x.a == 2 ? x.E_c / x.E_a : x.d23 / x.d12;
  const Integrals integrals(modulus, nu);

  const double side = x.m[x.a] < 0.0 ? -1.0 : 1.0;
  const Phase from = make_phase(side * x.m[1] * std::sqrt(x.d_ab), x.m[x.c] * std::sqrt(x.d13));
  const Phase to = integrals.invert_first(integrals.calc_first(from) + rate * h);
  const double sign = std::fmod(to.halves, 2.0) == 0.0 ? 1.0 : -1.0;
  Vec3 m;
  m[x.c] = sign * to.rest.cos * std::sqrt(x.E_c / x.d13);
  m[1] = side * sign * to.rest.sin * std::sqrt(x.E_c / x.d_ab);
  m[x.a] = side * std::sqrt(integrals.delta2(to) * x.E_a / x.d13);

  const double G = x.m.norm();
  const double third = x.a == 2 ? x.d13 * x.E_c / x.E_a : x.d23 * x.d13 / x.d12;
  const double precession =
      G * h / x.moments[2] +
      G * third / rate * (integrals.calc_third(to) - integrals.calc_third(from));
  const auto [s, c] = sin_cos(precession);
  Mat3 turned;
  turned << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  const Mat3 M = make_frame(x.m) * turned * make_frame(m).transpose();
  const Quat step = to_quaternion(x.P * M * x.P.transpose());
  return {.q_WP = (start.q_WP * step).normalized(), .w_P = x.P * m.cwiseQuotient(x.moments)};
}

// The squares of all m_i are linear in sn^2, and so is |w|^2: it is largest where sn is 0 or 1.
double calc_largest_jacobi_spin(const Vec3& moments, const Vec3& w_P) {
  constexpr double kRounding = 1.0 + 1e-12;
  const JacobiMotion x = find_motion(moments, w_P);
  if (!(x.E_c > 0.0)) return w_P.norm();
  Vec3 at_0 = Vec3::Zero();
  at_0[x.c] = x.E_c / x.d13;
  at_0[x.a] = x.E_a / x.d13;
  Vec3 at_1 = Vec3::Zero();
  at_1[1] = x.E_c / x.d_ab;
  at_1[x.a] = x.excess / x.d_ab;
  const Vec3 squares = x.moments.cwiseAbs2();
  const double most =
      std::max(at_0.cwiseQuotient(squares).sum(), at_1.cwiseQuotient(squares).sum());
  return std::max(w_P.norm(), std::sqrt(most)) * kRounding;
}

}  // namespace tenpin::dynamics
