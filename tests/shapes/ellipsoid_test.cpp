#include "shapes/ellipsoid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace tenpin::shapes {
namespace {

constexpr double kRounding = 1e-14;  // -   of the sizes involved

Vec3 random_semiaxes(const RandomStream& random, std::uint64_t i) {
  Vec3 s;
  for (std::uint64_t k = 0; k < 3; ++k) s[k] = std::pow(10.0, random.uniform(3 * i + k, -1.5, 1.5));
  return s;
}

Vec3 random_vector(const RandomStream& random, std::uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1),
          random.uniform(3 * i + 2, -1, 1)};
}

TEST(EllipsoidPoint, IsOnTheSurfaceWithTheGivenNormal) {
  const RandomStream random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 s = random_semiaxes(random, 2 * i);
    const Vec3 n = random_vector(random, 2 * i + 1).normalized();
    const Vec3 p = calc_ellipsoid_point(s, n);
    EXPECT_NEAR(p.cwiseQuotient(s).norm(), 1.0, kRounding);
    const Vec3 gradient = p.cwiseQuotient(s).cwiseQuotient(s).normalized();
    EXPECT_LE((gradient - n).norm(), kRounding * s.maxCoeff() / s.minCoeff());
  }
}

TEST(EllipsoidSpread, IsTheDifferenceOfPoints) {
  constexpr double kStep = 1e-6;  // rad
  const RandomStream random(2);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 s = Vec3(1.2, 1.3, 1.4) + random_vector(random, 3 * i);
    const Vec3 n = random_vector(random, 3 * i + 1).normalized();
    const Vec3 t = n.cross(random_vector(random, 3 * i + 2)).normalized();
    const Vec3 later = calc_ellipsoid_point(s, (n + kStep * t).normalized());
    const Vec3 earlier = calc_ellipsoid_point(s, (n - kStep * t).normalized());
    const Mat3 K = calc_ellipsoid_spread(s, n);
    // The step squared times the third derivative, which the smallest semiaxis of 0.2 bounds, and
    // rounding over the step.
    EXPECT_LE((K * t - (later - earlier) / (2.0 * kStep)).norm(), 1e-7);
    EXPECT_LE((K * n).norm(), 1e-12);
    EXPECT_EQ(K, K.transpose());
  }
}

TEST(EllipsoidSpread, HasTheRadiiOfCurvatureAtTheEndOfAnAxis) {
  const Mat3 K = calc_ellipsoid_spread(Vec3(2, 3, 5), Vec3::UnitX());
  EXPECT_NEAR(K(1, 1), 9.0 / 2.0, 1e-15);
  EXPECT_NEAR(K(2, 2), 25.0 / 2.0, 1e-15);
  EXPECT_EQ(K(0, 0), 0.0);
}

// The best of many points of the surface, improved by ever smaller steps.
double search_farthest(const Vec3& s, const Vec3& from, const RandomStream& random) {
  Vec3 best = Vec3::UnitX();
  const auto distance = [&](const Vec3& u) {
    return (s.cwiseProduct(u) - from).norm();
  };
  std::uint64_t k = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 u = random_vector(random, k++).normalized();
    if (distance(u) > distance(best)) best = u;
  }
  for (double step = 0.3; step > 1e-7; step *= 0.8) {
    for (int i = 0; i < 10; ++i) {
      const Vec3 u = (best + step * random_vector(random, k++)).normalized();
      if (distance(u) > distance(best)) best = u;
    }
  }
  return distance(best);
}

TEST(FarPoints, FirstIsTheFarthestAndAllAreLocal) {
  const RandomStream random(3);
  int num_two = 0;
  for (int i = 0; i < 300; ++i) {
    Vec3 s = random_semiaxes(random, 3 * i);
    if (i % 5 == 1) s.y() = s.x();
    Vec3 from = 2.0 * s.cwiseProduct(random_vector(random, 3 * i + 1));
    if (i % 3 == 1) from[i % 7 % 3] = 0.0;
    if (i % 20 == 3) from.setZero();
    const FarPoints far = find_far_points(s, from);
    const double size = s.maxCoeff() + from.norm();
    ASSERT_GE(far.count, 1);
    num_two += far.count == 2 ? 1 : 0;
    const double farthest = search_farthest(s, from, RandomStream(100 + i));
    EXPECT_GE((far.p[0] - from).norm(), farthest - 1e-12 * size) << i;
    EXPECT_LE((far.p[0] - from).norm(), farthest + 1e-6 * size) << i;
    for (int k = 0; k < far.count; ++k) {
      EXPECT_NEAR(far.p[k].cwiseQuotient(s).norm(), 1.0, 1e-12) << i;
      // A point of the surface beside it is no farther away.
      for (std::uint64_t j = 0; j < 20; ++j) {
        const Vec3 u = far.p[k].cwiseQuotient(s) + 1e-4 * random_vector(random, 5000 + j);
        const Vec3 beside = s.cwiseProduct(u.normalized());
        EXPECT_LE((beside - from).norm(), (far.p[k] - from).norm() + 1e-12 * size) << i;
      }
    }
  }
  EXPECT_GT(num_two, 30);
}

}  // namespace
}  // namespace tenpin::shapes
