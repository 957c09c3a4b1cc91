#include "math/elliptic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/trig.h"

namespace tenpin {
namespace {

// Values that Carlson published along with the algorithm.
TEST(Elliptic, CarlsonsValues) {
  EXPECT_NEAR(carlson_rf(1, 2, 0), 1.3110287771461, 1e-13);
  EXPECT_NEAR(carlson_rf(2, 3, 4), 0.58408284167715, 1e-14);
  EXPECT_NEAR(carlson_rj(0, 1, 2, 3), 0.77688623778582, 1e-14);
  EXPECT_NEAR(carlson_rj(2, 3, 4, 5), 0.14297579667157, 1e-14);
}

// R_J(x, x, x, x) = x^(-3/2), and with p far from the others it goes as 3 R_F / p.
TEST(Elliptic, ThirdKindAtItsEnds) {
  EXPECT_NEAR(carlson_rj(4, 4, 4, 4), 0.125, 1e-16);
  const double p = 1e16;
  EXPECT_NEAR(carlson_rj(1, 2, 3, p) * p / (3.0 * carlson_rf(1, 2, 3)), 1.0, 1e-6);
}

// The amplitude undoes the integral of the first kind, from a circle to the separatrix.
TEST(Elliptic, AmplitudeInvertsTheFirstKind) {
  for (const double other : {1.0, 0.9, 0.1, 1e-3, 1e-8, 1e-16, 1e-30}) {
    const Modulus modulus{.k2 = 1.0 - other, .k2_other = other};
    const double K = calc_quarter_period(modulus);
    for (const double part : {-0.99, -0.5, 0.0, 1e-9, 0.2, 0.5, 0.9}) {
      const auto [s, c] = calc_amplitude(part * K, modulus);
      const double u = s * carlson_rf(c * c, c * c + other * s * s, 1.0);
      EXPECT_NEAR(u, part * K, 2e-15 * (1.0 + K)) << other << " " << part;
      EXPECT_NEAR(s * s + c * c, 1.0, 1e-15);
    }
  }
}

// On the separatrix: sn = tanh, cn = 1 / cosh, each to its own last digits.
TEST(Elliptic, SeparatrixIsHyperbolic) {
  const Modulus modulus{.k2 = 1.0, .k2_other = 1e-32};
  for (const double u : {-3.0, -1.0, 0.5, 2.0, 5.0, 12.0}) {
    const auto [s, c] = calc_amplitude(u, modulus);
    EXPECT_NEAR(s, std::tanh(u), 1e-15);
    EXPECT_NEAR(c * std::cosh(u), 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace tenpin
