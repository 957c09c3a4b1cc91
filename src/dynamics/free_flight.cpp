#include "dynamics/free_flight.h"

#include <array>
#include <cmath>

#include "dynamics/jacobi_rotation.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::dynamics {

namespace {

// Weights of the nine symmetric steps. They form a palindrome and add up to one; one of them is
// negative.
constexpr double kA = 0.39216144400731413928;
constexpr double kB = 0.33259913678935943860;
constexpr double kC = -0.70624617255763935981;
constexpr double kD = 0.082213596293550800230;
constexpr double kE = 0.79854399093482996340;
constexpr std::array kWeights = {kA, kB, kC, kD, kE, kD, kC, kB, kA};

// Largest angle per composed step; the error is then below 1e-13 of the motion in one turn.
constexpr double kMaxAngle = 0.1;  // rad
// Up to this angle one symmetric step suffices: its third-order error is below rounding.
constexpr double kTinyAngle = 2e-6;  // rad
// Largest number of composed steps. Where more would be needed, Jacobi's solution is faster and
// more accurate.
constexpr double kMaxSubsteps = 10.0;
// Ratio of the largest to the smallest moment. For a needle with this ratio, the error of a
// composed step, 1e-13 of the momentum, is 1e-10 of the axial momentum.
constexpr double kNeedle = 1e3;

// Attitude and body-frame momentum, updated together so that R m stays constant.
struct Rotor {
  double w, x, y, z;  // quaternion q_WP
  Vec3 m;             // N m s, principal axes
};

struct HalfAngle {
  double sin, cos;
};

// Taylor series to rounding for |a| <= kMaxAngle / 2: the next terms are below 1e-19.
HalfAngle sin_cos_small(double a) {
  const double s = a * a;
  return {.sin = a * (1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)))),
          .cos = 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)))};
}

// Rotates about one principal axis: the body by +angle, and hence the momentum in body axes by
// -angle.
template <int kAxis>
void turn(double half_angle, Rotor* r) {
  const auto [s, c] = sin_cos_small(half_angle);
  const auto [w, x, y, z] = std::array{r->w, r->x, r->y, r->z};
  if constexpr (kAxis == 0) {
    r->w = w * c - x * s;
    r->x = x * c + w * s;
    r->y = y * c + z * s;
    r->z = z * c - y * s;
  } else if constexpr (kAxis == 1) {
    r->w = w * c - y * s;
    r->x = x * c - z * s;
    r->y = y * c + w * s;
    r->z = z * c + x * s;
  } else {
    r->w = w * c - z * s;
    r->x = x * c + y * s;
    r->y = y * c - x * s;
    r->z = z * c + w * s;
  }
  constexpr int kJ = (kAxis + 1) % 3;
  constexpr int kK = (kAxis + 2) % 3;
  const double sin2 = 2.0 * s * c;
  const double cos2 = 1.0 - 2.0 * s * s;
  const double m_j = r->m[kJ];
  const double m_k = r->m[kK];
  r->m[kJ] = cos2 * m_j + sin2 * m_k;
  r->m[kK] = cos2 * m_k - sin2 * m_j;
}

// One symmetric step.
void turn_symmetrically(const Vec3& half_rate, double h, Rotor* r) {
  turn<0>(0.5 * h * half_rate[0] * r->m[0], r);
  turn<1>(0.5 * h * half_rate[1] * r->m[1], r);
  turn<2>(h * half_rate[2] * r->m[2], r);
  turn<1>(0.5 * h * half_rate[1] * r->m[1], r);
  turn<0>(0.5 * h * half_rate[0] * r->m[0], r);
}

// One composed step. Adjacent last and first thirds rotate about the same axis and are merged.
void compose(const Vec3& half_rate, double h, Rotor* r) {
  double first = 0.5 * kWeights[0] * h;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    const double dt = kWeights[i] * h;
    turn<0>(first * half_rate[0] * r->m[0], r);
    turn<1>(0.5 * dt * half_rate[1] * r->m[1], r);
    turn<2>(dt * half_rate[2] * r->m[2], r);
    turn<1>(0.5 * dt * half_rate[1] * r->m[1], r);
    first = 0.5 * dt + (i + 1 < kWeights.size() ? 0.5 * kWeights[i + 1] * h : 0.0);
  }
  turn<0>(first * half_rate[0] * r->m[0], r);
}

}  // namespace

namespace {

// The symmetry axis if exactly two moments are equal, else -1.
int find_symmetry_axis(const Vec3& moments) {
  for (int k = 0; k < 3; ++k) {
    if (moments[(k + 1) % 3] == moments[(k + 2) % 3]) return k;
  }
  return -1;
}

// A symmetric top: with moments A across and C along the axis e, w = m/A + kappa e, where kappa =
// w_e (A - C)/A is constant. So it rotates about L, which is fixed, and about e, which moves with
// the body.
FreeRotation turn_top(const FreeRotation& start, const Vec3& moments, int axis, double h) {
  const double A = moments[(axis + 1) % 3];
  const double kappa = start.w_P[axis] * ((A - moments[axis]) / A);
  Vec3 m_over_A = start.w_P;
  m_over_A[axis] *= moments[axis] / A;
  const Quat about_axis = exp_map(h * kappa * Vec3::Unit(axis));
  FreeRotation end;
  end.q_WP = (start.q_WP * exp_map(h * m_over_A) * about_axis).normalized();
  const auto [s, c] = sin_cos(h * kappa);
  const int j = (axis + 1) % 3;
  const int k = (axis + 2) % 3;
  end.w_P[axis] = start.w_P[axis];
  end.w_P[j] = c * start.w_P[j] + s * start.w_P[k];
  end.w_P[k] = c * start.w_P[k] - s * start.w_P[j];
  return end;
}

}  // namespace

FreeRotation calc_free_rotation(const FreeRotation& start, const Vec3& moments, double h) {
  if (moments[0] == moments[1] && moments[1] == moments[2]) {
    return {.q_WP = (start.q_WP * exp_map(h * start.w_P)).normalized(), .w_P = start.w_P};
  }
  const int axis = find_symmetry_axis(moments);
  if (axis >= 0) return turn_top(start, moments, axis, h);
  const double angle = std::fabs(h) * start.w_P.norm();
  const bool is_needle = moments.maxCoeff() > kNeedle * moments.minCoeff();
  if (is_needle || !(angle <= kMaxSubsteps * kMaxAngle)) {
    return calc_jacobi_rotation(start, moments, h);
  }
  const Vec3 half_rate = Vec3::Constant(0.5).cwiseQuotient(moments);
  const Quat& q = start.q_WP;
  Rotor rotor{.w = q.w(), .x = q.x(), .y = q.y(), .z = q.z(), .m = moments.cwiseProduct(start.w_P)};
  if (angle <= kTinyAngle) {
    turn_symmetrically(half_rate, h, &rotor);
  } else {
    const double substeps = std::max(1.0, std::ceil(angle / kMaxAngle));
    for (double i = 0.0; i < substeps; i += 1.0) compose(half_rate, h / substeps, &rotor);
  }
  return {.q_WP = Quat(rotor.w, rotor.x, rotor.y, rotor.z).normalized(),
          .w_P = rotor.m.cwiseQuotient(moments)};
}

double calc_largest_spin(const Vec3& moments, const Vec3& w_P) {
  if (find_symmetry_axis(moments) >= 0) return w_P.norm();
  return calc_largest_jacobi_spin(moments, w_P);
}

}  // namespace tenpin::dynamics
