// Random impacts of real mechanisms, by number.
#pragma once

#include <cmath>
#include <cstdlib>

#include "base/rng.h"
#include "impact/planar.h"
#include "impact/spatial.h"

namespace tenpin::impact {

// How many times as many cases as usual: $TENPIN_TEST_SCALE.
inline int test_scale() {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  return scale == nullptr ? 1 : std::max(1, std::atoi(scale));
}

struct RandomPlanar {
  PlanarContact contact;
  Surface surface;
};

// W = J M^-1 J' of a random mechanism with two degrees of freedom: any positive definite matrix,
// from well conditioned to nearly singular.
inline RandomPlanar draw_planar(std::uint64_t number, Law law) {
  const RandomStream r(11, number);
  const double w_t = r.uniform(0, 0.05, 3.0);
  const double w_n = r.uniform(1, 0.05, 3.0);
  const double c = r.uniform(2, -0.999, 0.999);
  RandomPlanar result;
  result.contact = {w_t * w_t, c * w_t * w_n, w_n * w_n, r.uniform(3, -3.0, 3.0),
                    -r.uniform(4, 0.01, 3.0)};
  const double mu = r.uniform(5, 0.0, 2.0);
  result.surface = {mu, r.uniform(6) < 0.3 ? mu + r.uniform(7) : mu, r.uniform(8), law};
  return result;
}

// A free body made of five random mass points, struck at a random place.
inline SpatialContact draw_spatial(std::uint64_t number) {
  const RandomStream r(12, number);
  Mat3 inertia = Mat3::Zero();
  for (std::uint64_t i = 0; i < 5; ++i) {
    const Vec3 x(r.uniform(3 * i, -1.0, 1.0), r.uniform(3 * i + 1, -1.0, 1.0),
                 r.uniform(3 * i + 2, -1.0, 1.0));
    inertia += 0.2 * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
  }
  const Vec3 arm(r.uniform(20, -2.0, 2.0), r.uniform(21, -2.0, 2.0), r.uniform(22, -2.0, 2.0));
  Mat3 cross;
  cross << 0.0, -arm[2], arm[1], arm[2], 0.0, -arm[0], -arm[1], arm[0], 0.0;
  const Vec3 a = inertia.col(0);
  const Vec3 b = inertia.col(1);
  const Vec3 c = inertia.col(2);
  Mat3 adjugate;
  adjugate << b.cross(c), c.cross(a), a.cross(b);
  const Mat3 W = Mat3::Identity() - cross * adjugate.transpose() * cross / a.dot(b.cross(c));
  return {0.5 * (W + W.transpose()),
          Vec3(r.uniform(30, -1.0, 1.0), r.uniform(31, -1.0, 1.0), -r.uniform(32, 0.01, 1.0))};
}

inline Surface draw_surface(std::uint64_t number, Law law) {
  const RandomStream r(13, number);
  const double mu = r.uniform(0, 0.0, 1.5);
  return {mu, mu, r.uniform(1), law};
}

}  // namespace tenpin::impact
