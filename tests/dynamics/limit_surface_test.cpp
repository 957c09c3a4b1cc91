#include "dynamics/limit_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/rng.h"

namespace tenpin::dynamics {
namespace {

constexpr double kRounding = 1e-12;

std::vector<Vec3> make_octahedron() {
  return {{0.4, 0, 0}, {-0.4, 0, 0}, {0, 0.2, 0}, {0, -0.2, 0}, {0, 0, 0.01}, {0, 0, -0.01}};
}

TEST(LimitSurface, GaugeOfAnOctahedronIsTheSumOfItsShares) {
  std::string problem;
  const LimitSurface limit = make_polytope(make_octahedron(), &problem);
  ASSERT_EQ(problem, "");
  EXPECT_EQ(limit.facets.size(), 8U);
  EXPECT_EQ(limit.mu, 0.4);
  EXPECT_NEAR(limit.radius, 0.025, kRounding);
  const Vec3 p(0.1, -0.05, 0.002);
  EXPECT_NEAR(calc_gauge(limit, p) / limit.mu, 0.25 + 0.25 + 0.2, kRounding);
  EXPECT_NEAR(limit.mu * calc_best_dissipation(limit, {1, 0, 0}), 0.4, kRounding);
  EXPECT_NEAR(limit.mu * calc_best_dissipation(limit, {0, 0, 5}), 0.05, kRounding);
}

// The gauge comes from facets, the dissipation from points: a point on the surface that dissipates
// most exists for every slip, so the two are dual.
TEST(LimitSurface, GaugeAndDissipationAreDual) {
  const RandomStream random(7, 0);
  std::uint64_t at = 0;
  const auto draw = [&] {
    return 2.0 * random.uniform(at++) - 1.0;
  };
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> points = make_octahedron();
    for (int i = 0; i < 12; ++i) points.emplace_back(0.5 * draw(), 0.4 * draw(), 0.02 * draw());
    std::string problem;
    const LimitSurface limit = make_polytope(points, &problem);
    ASSERT_EQ(problem, "");
    for (const Vec3& p : limit.points) EXPECT_LE(calc_gauge(limit, p), 1.0 + kRounding);
    for (const Vec3& n : limit.facets) {
      // The slip against the facet's normal is resisted by the facet, whose gauge is 1.
      EXPECT_NEAR(calc_best_dissipation(limit, -n), 1.0, 1e-9);
    }
  }
}

TEST(LimitSurface, PolygonsLeaveSpinFree) {
  std::string problem;
  const std::vector<Vec3> points = {{0.6, 0.3, 0}, {0.6, -0.3, 0}, {-0.2, -0.3, 0}, {-0.2, 0.3, 0}};
  const LimitSurface limit = make_polytope(points, &problem);
  ASSERT_EQ(problem, "");
  EXPECT_EQ(limit.radius, 0.0);
  EXPECT_EQ(limit.facets.size(), 4U);
  EXPECT_NEAR(limit.mu * calc_best_dissipation(limit, {1, 0, 9}), 0.2, kRounding);
  EXPECT_NEAR(limit.mu * calc_best_dissipation(limit, {-1, 0, 9}), 0.6, kRounding);
  EXPECT_NEAR(calc_gauge(limit, {0.3, 0, 0}) / limit.mu, 0.5, kRounding);
}

TEST(LimitSurface, EllipsoidsMayCoupleSlipAndSpin) {
  Mat3 axes;  // friction that acts 0.05 m off the point of contact makes a moment with the force
  axes << 0.3, 0, 0, 0, 0.2, 0, 0, 0.2 * 0.05, 0.004;
  std::string problem;
  const LimitSurface limit = make_ellipsoid(axes, &problem);
  ASSERT_EQ(problem, "");
  EXPECT_NEAR(limit.mu, 0.3, kRounding);
  EXPECT_NEAR(calc_gauge(limit, {0, 0.2, 0.01}) / limit.mu, 1.0, kRounding);
  EXPECT_NEAR(limit.mu * calc_best_dissipation(limit, {0, 1, 0}), 0.2, kRounding);
  EXPECT_NEAR(limit.mu * calc_best_dissipation(limit, {0, 0, 1}), std::hypot(0.01, 0.004),
              kRounding);
}

TEST(LimitSurface, ZeroMustBeInside) {
  const std::vector<std::vector<Vec3>> bad = {
      {{1, 0, 0}, {2, 1, 0}, {2, -1, 0}},                       // a polygon beside zero
      {{0, 0, 0}, {1, 1, 0}, {1, -1, 0}},                       // zero on its corner
      {{1, 0, 0}, {-1, 0, 0}, {2, 0, 0}},                       // a line
      {{1, 0, .1}, {-1, 1, .1}, {-1, -1, .1}, {0.3, 0, .1}},    // flat, away from zero
      {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},                        // nothing
      {{1, 0, 0.1}, {-1, 1, 0.1}, {-1, -1, 0.1}, {0, 0, 0.2}},  // all of one spin
  };
  for (const std::vector<Vec3>& points : bad) {
    std::string problem;
    (void)make_polytope(points, &problem);
    EXPECT_NE(problem, "");
  }
  std::string problem;
  Mat3 flat;
  flat << 1, 0, 1, 0, 1, 1, 0.1, 0.1, 0.2;
  (void)make_ellipsoid(flat, &problem);
  EXPECT_NE(problem, "");
}

TEST(LimitSurface, ReflectionsKeepGaugeAndDissipation) {
  std::string problem;
  Mat3 axes;
  axes << 0.3, 0.1, 0, 0, 0.2, 0.05, 0.01, 0, 0.02;
  std::vector<Vec3> points = make_octahedron();
  points.emplace_back(0.3, 0.15, 0.01);
  const Vec3 signs(-1, 1, 1);
  const Vec3 p(0.1, 0.2, -0.003);
  for (const LimitSurface& limit :
       {make_ellipsoid(axes, &problem), make_polytope(points, &problem)}) {
    const LimitSurface turned = reflect(limit, signs);
    EXPECT_EQ(calc_gauge(turned, p.cwiseProduct(signs)), calc_gauge(limit, p));
    EXPECT_EQ(calc_best_dissipation(turned, p.cwiseProduct(signs)),
              calc_best_dissipation(limit, p));
  }
}

}  // namespace
}  // namespace tenpin::dynamics
