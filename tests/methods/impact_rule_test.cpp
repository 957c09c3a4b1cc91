// What slow contacts come to, and what is proven of them.   [MC95, §Static contact and
// microcollisions]
#include "methods/impulse/impact_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/rng.h"
#include "methods/impulse/slow_certificate.h"

namespace tenpin::methods::impulse {
namespace {

constexpr Thresholds kThresholds{.envelope = 1e-4, .fall = 9.81, .speed = 0.0443};
constexpr double kRounding = 1e-10;  // relative; W may be nearly singular

// A body that is hit somewhere, slowly: W of a random inertia and lever, any slip.
ImpactProblem make_slow_problem(std::uint64_t i) {
  const RandomStream random(91, i);
  std::uint64_t drawn = 0;
  const auto draw = [&](double low, double high) {
    return random.uniform(drawn++, low, high);
  };
  const Vec3 lever(draw(-1, 1), draw(-1, 1), draw(-1, 1));
  const Vec3 moments(draw(0.05, 1), draw(0.05, 1), draw(0.05, 1));
  Mat3 S;
  S << 0, -lever.z(), lever.y(), lever.z(), 0, -lever.x(), -lever.y(), lever.x(), 0;
  ImpactProblem x;
  x.W = Mat3::Identity() - S * moments.cwiseInverse().asDiagonal() * S;
  const double slip = std::pow(10.0, draw(-6, 0));
  const double angle = draw(0, 6.28);
  x.v = Vec3(slip * std::cos(angle), slip * std::sin(angle), -draw(1e-6, 0.044));
  x.gap = draw(0.0, 1e-4);
  x.fall = 9.81;
  x.surface.mu = x.surface.mu_static = draw(0.0, 1.0);
  x.surface.restitution = draw(0.0, 1.0);
  x.is_corner = draw(0, 1) < 0.3;
  return x;
}

TEST(ImpactRule, SlowContactsAreCertified) {
  ImpactRule rule(kThresholds, true);
  std::array<int, 4> seen = {};
  constexpr int kCases = 20000;
  for (int i = 0; i < kCases && !HasFailure(); ++i) {
    const ImpactProblem x = make_slow_problem(static_cast<std::uint64_t>(i));
    const ImpactAnswer answer = rule.solve(x);
    SCOPED_TRACE(i);
    ASSERT_EQ(answer.status, impact::ImpactStatus::kSolved);
    const Vec3 after = x.v + x.W * answer.p;
    SlowCertificate certificate;
    certificate.add(x.v, after, answer.p, x.surface.mu_static);
    certificate.allow_lift(
        std::sqrt(2.0 * kThresholds.fall * std::max(0.0, kThresholds.refuge() - x.gap)), 0.0,
        x.surface.mu_static);
    EXPECT_LE(certificate.calc_residual(answer.kind), kRounding);
    EXPECT_LE(answer.residual, kRounding);
    EXPECT_GE(after.z(), -kRounding);
    // Only a lift, or friction's own push along a turning path, makes it leave faster.
    if (answer.kind == ImpactKind::kMicro) {
      EXPECT_LE((after + x.v).norm(), kRounding * x.v.norm());
    }
    ++seen[static_cast<std::size_t>(answer.kind)];
  }
  EXPECT_EQ(seen[static_cast<std::size_t>(ImpactKind::kLaw)], 0);
  for (const ImpactKind kind : {ImpactKind::kMicro, ImpactKind::kSliding, ImpactKind::kLift}) {
    EXPECT_GT(seen[static_cast<std::size_t>(kind)], kCases / 100);
  }
}

// Each promise by itself is seen to be broken.
TEST(SlowCertificate, TellsWhatIsWrong) {
  const auto judge = [](const Vec3& before, const Vec3& after, const Vec3& p, ImpactKind kind) {
    SlowCertificate certificate;
    certificate.add(before, after, p, 0.5);
    certificate.allow_lift(0.03, 0.0, 0.5);
    return certificate.calc_residual(kind);
  };
  const Vec3 down(0.01, 0, -0.02);
  const Vec3 up(-0.01, 0, 0.02);
  const Vec3 p(-0.1, 0, 0.4);
  EXPECT_EQ(judge(down, up, p, ImpactKind::kMicro), 0.0);
  // It pulls, it leaves the cone.
  EXPECT_GT(judge(down, up, -p, ImpactKind::kLift), 0.9);
  EXPECT_GT(judge(down, up, Vec3(-0.3, 0, 0.4), ImpactKind::kLift), 0.1);
  // It is not reversed; it gains energy, which only a lift may.
  EXPECT_GT(judge(down, Vec3(0, 0, 0.02), p, ImpactKind::kMicro), 0.4);
  EXPECT_GT(judge(down, Vec3(-0.01, 0, 0.03), p, ImpactKind::kSliding), 0.1);
  EXPECT_EQ(judge(down, Vec3(-0.01, 0, 0.03), p, ImpactKind::kLift), 0.0);
  // It leaves faster than it was to be lifted, or friction works more than a lift needs.
  EXPECT_GT(judge(down, Vec3(-0.01, 0, 0.04), p, ImpactKind::kLift), 0.1);
  EXPECT_GT(judge(Vec3(-0.3, 0, 0), Vec3(-0.4, 0, 0.03), p, ImpactKind::kLift), 0.1);
  EXPECT_EQ(judge(down, Vec3(-0.01, 0, 0.01), p, ImpactKind::kSliding), 0.0);
}

// The points of a face may each do work, if all together do none.
TEST(SlowCertificate, FacesAreJudgedAsOne) {
  SlowCertificate certificate;
  certificate.add(Vec3(0, 0, -0.01), Vec3(0, 0, 0.02), Vec3(0, 0, 1), 0.5);
  EXPECT_GT(certificate.calc_residual(ImpactKind::kSliding), 0.1);
  certificate.add(Vec3(0, 0, -0.02), Vec3(0, 0, 0.01), Vec3(0, 0, 1), 0.5);
  EXPECT_EQ(certificate.calc_residual(ImpactKind::kSliding), 0.0);
}

}  // namespace
}  // namespace tenpin::methods::impulse
