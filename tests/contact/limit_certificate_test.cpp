// The certificate of contacts with a general limit surface, on answers that are right and wrong.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contact/certify.h"
#include "contact/friction_cone.h"
#include "dynamics/limit_surface.h"

namespace tenpin::contact {
namespace {

constexpr double kRight = 1e-12;  // -   rounding
constexpr double kWrong = 1e-3;   // -   a tenth of the error that was put in

Contact make_contact(const dynamics::LimitSurface& limit) {
  Contact c;
  c.limit = &limit;
  c.mu = c.mu_across = c.mu_static = limit.mu;
  c.torsion = limit.radius;
  return c;
}

// Load 1 N s, mobility 1/kg, velocities of 1 m/s: residuals are what is put in.
double check(const dynamics::LimitSurface& limit, const FrictionCone& cone, const Vec3& friction,
             const Vec3& slip) {
  LawSample sample;
  sample.impulse << 1.0, friction;
  sample.velocity << 0.0, slip;
  sample.mu = limit.mu;
  sample.mobility = 1.0;
  sample.speed = 1.0;
  return certify_law(make_contact(limit), cone, sample).residual;
}

TEST(LimitCertificate, RatchetMustBeMetAtItsCorner) {
  std::string problem;
  const std::vector<Vec3> points = {{0.6, 0.3, 0}, {0.6, -0.3, 0}, {-0.2, -0.3, 0}, {-0.2, 0.3, 0}};
  const dynamics::LimitSurface limit = dynamics::make_polytope(points, &problem);
  const FrictionCone cone(8, 0.0);
  const Vec3 slip(0.5, 0.2, 0);
  EXPECT_LE(check(limit, cone, {-0.2, -0.3, 0}, slip), kRight);
  EXPECT_LE(check(limit, cone, {0.3, 0.1, 0}, Vec3::Zero()), kRight);  // inside, no slip
  EXPECT_GE(check(limit, cone, {-0.21, -0.3, 0}, slip), kWrong);       // beyond the set
  EXPECT_GE(check(limit, cone, {-0.2, -0.28, 0}, slip), kWrong);       // not the most dissipation
  EXPECT_GE(check(limit, cone, {-0.2, 0.3, 0}, slip), kWrong);         // another corner
  EXPECT_GE(check(limit, cone, {0.7, 0, 0}, Vec3::Zero()), kWrong);
  EXPECT_GE(check(limit, cone, {-0.3, 0, 0}, Vec3::Zero()), kWrong);  // inside of the mirror image
}

TEST(LimitCertificate, EllipsoidMustBeMetWhereItsNormalIsAgainstTheSlip) {
  Mat3 axes;
  axes << 0.3, 0, 0, 0, 0.2, 0, 0, 0.01, 0.04;
  std::string problem;
  const dynamics::LimitSurface limit = dynamics::make_ellipsoid(axes, &problem);
  const Vec3 slip(0.5, 0.2, 1.5);
  const Vec3 best = -axes * (axes.transpose() * slip).normalized();
  EXPECT_LE(check(limit, FrictionCone::round(), best, slip), kRight);
  EXPECT_GE(check(limit, FrictionCone::round(), 1.05 * best, slip), kWrong);
  EXPECT_GE(check(limit, FrictionCone::round(), 0.95 * best, slip), kWrong);
  EXPECT_GE(check(limit, FrictionCone::round(), -0.3 * slip.normalized(), slip), kWrong);
}

// The generators that the solver uses span the set whose facets the certificate knows.
TEST(LimitCertificate, GeneratorsLieOnTheSurface) {
  std::string problem;
  Mat3 axes;
  axes << 0.3, 0, 0, 0.1, 0.2, 0, 0, 0.01, 0.04;
  const dynamics::LimitSurface ellipsoid = dynamics::make_ellipsoid(axes, &problem);
  const std::vector<Vec3> points = {
      {0.6, 0, 0.01}, {-0.6, 0, 0.01}, {0, 0.5, -0.01}, {0, -0.5, -0.01}};
  const dynamics::LimitSurface polytope = dynamics::make_polytope(points, &problem);
  ASSERT_EQ(problem, "");
  const FrictionCone cone(8, 0.0);
  for (const dynamics::LimitSurface* limit : {&ellipsoid, &polytope}) {
    const Contact c = make_contact(*limit);
    ASSERT_GT(cone.count(c), 3);
    for (int j = 0; j < cone.count(c); ++j) {
      EXPECT_NEAR(cone.calc_gauge(c, cone.generator(c, j)), 1.0, 1e-12);
      EXPECT_NEAR(dynamics::calc_gauge(*limit, cone.generator(c, j)), 1.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace tenpin::contact
