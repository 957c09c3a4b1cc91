#include "math/elliptic.h"

#include <algorithm>
#include <cmath>

#include "math/trig.h"

namespace tenpin {

namespace {

// Duplication ends when the arguments are so close to each other that the next term of the series
// is below rounding: (eps/4)^(1/6), one value for both integrals.
constexpr double kNear = 1.9e-3;
// Each duplication divides the spread of the arguments by four, so 100 are enough for all doubles.
constexpr int kMaxDuplications = 100;

}  // namespace

double carlson_rf(double x, double y, double z) {
  const double start = (x + y + z) / 3.0;
  const double spread =
      std::max({std::fabs(start - x), std::fabs(start - y), std::fabs(start - z)}) / kNear;
  const double from_x = start - x;
  const double from_y = start - y;
  double mean = start;
  double scale = 1.0;
  for (int n = 0; n < kMaxDuplications && scale * spread > mean; ++n) {
    const double root_x = std::sqrt(x);
    const double root_y = std::sqrt(y);
    const double root_z = std::sqrt(z);
    const double shift = root_x * root_y + root_x * root_z + root_y * root_z;
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    z = 0.25 * (z + shift);
    mean = 0.25 * (mean + shift);
    scale *= 0.25;
  }
  const double X = scale * from_x / mean;
  const double Y = scale * from_y / mean;
  const double Z = -X - Y;
  const double e2 = X * Y - Z * Z;
  const double e3 = X * Y * Z;
  return (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / std::sqrt(mean);
}

double carlson_rj(double x, double y, double z, double p) {
  const double start = (x + y + z + 2.0 * p) / 5.0;
  const double spread = std::max({std::fabs(start - x), std::fabs(start - y), std::fabs(start - z),
                                  std::fabs(start - p)}) /
                        kNear;
  const double from_x = start - x;
  const double from_y = start - y;
  const double from_z = start - z;
  const double delta = (p - x) * (p - y) * (p - z);
  double mean = start;
  double scale = 1.0;
  double sum = 0.0;
  for (int n = 0; n < kMaxDuplications && scale * spread > mean; ++n) {
    const double root_x = std::sqrt(x);
    const double root_y = std::sqrt(y);
    const double root_z = std::sqrt(z);
    const double root_p = std::sqrt(p);
    const double shift = root_x * root_y + root_x * root_z + root_y * root_z;
    const double d = (root_p + root_x) * (root_p + root_y) * (root_p + root_z);
    // R_C(1, 1 + e) is an arc tangent.
    const double root_e = std::sqrt(std::max(0.0, scale * scale * scale * delta)) / d;
    sum += scale / d * (root_e > 0.0 ? arc_tangent(root_e, 1.0) / root_e : 1.0);
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    z = 0.25 * (z + shift);
    p = 0.25 * (p + shift);
    mean = 0.25 * (mean + shift);
    scale *= 0.25;
  }
  const double X = scale * from_x / mean;
  const double Y = scale * from_y / mean;
  const double Z = scale * from_z / mean;
  const double P = -0.5 * (X + Y + Z);
  const double xyz = X * Y * Z;
  const double e2 = X * Y + X * Z + Y * Z - 3.0 * P * P;
  const double e3 = xyz + 2.0 * e2 * P + 4.0 * P * P * P;
  const double e4 = (2.0 * xyz + e2 * P + 3.0 * P * P * P) * P;
  const double e5 = xyz * P * P;
  const double series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 -
                        9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0;
  return scale * series / (mean * std::sqrt(mean)) + 6.0 * sum;
}

double calc_quarter_period(const Modulus& modulus) {
  return carlson_rf(0.0, modulus.k2_other, 1.0);
}

// Newton's method for t = tan phi. F = t R_F(1, 1 + k'^2 t^2, 1 + t^2) is concave, so the iterates
// approach the root from below and never overshoot. The far half of the quarter period is mapped to
// the near half by t -> 1 / (k' t), where F is never flat.
Amplitude calc_amplitude(double u, const Modulus& modulus) {
  constexpr int kMaxRounds = 60;
  constexpr double kRounding = 1e-16;
  const double k2 = modulus.k2_other;
  const double K = calc_quarter_period(modulus);
  const bool is_far = std::fabs(u) > 0.5 * K;
  const double goal = is_far ? std::max(0.0, K - std::fabs(u)) : std::fabs(u);
  double t = goal;
  for (int round = 0; round < kMaxRounds; ++round) {
    const double x = 1.0 + k2 * t * t;
    const double y = 1.0 + t * t;
    const double step = (goal - t * carlson_rf(1.0, x, y)) * std::sqrt(x * y);
    t += step;
    if (!(std::fabs(step) > kRounding * t)) break;
  }
  const double k = std::sqrt(k2);
  const double along = is_far ? 1.0 : t;
  const double across = is_far ? k * t : 1.0;
  const double length = std::sqrt(along * along + across * across);
  return {.sin = (u < 0.0 ? -along : along) / length, .cos = across / length};
}

}  // namespace tenpin
