// A certificate that cannot fail is worth nothing: each kind of fault is seen.
#include "impact/certify.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "impact/random_impacts.h"

namespace tenpin::impact {
namespace {

constexpr double kTolerance = 1e-9;
constexpr double kFault = 1e-6;  // relative size of the faults

TEST(CertifyImpact, SeesEveryFaultOfAPlanarImpact) {
  const PlanarContact contact{4.0, 2.5, 2.0, 2.0, -1.0};
  const Surface surface{.mu = 1.2, .mu_static = 1.2, .restitution = 0.5};
  const PlanarImpact good = solve_planar(contact, surface);
  ASSERT_TRUE(certify(contact, surface, good).passes(kTolerance, false));
  const auto fails = [&](const std::function<void(PlanarPoint*)>& spoil) {
    PlanarImpact bad = good;
    spoil(&bad.points[static_cast<std::size_t>(bad.num_points - 1)]);
    return !certify(contact, surface, bad).passes(kTolerance, false);
  };
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->v_n *= 1.0 + kFault;
  }));
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->v_t = kFault;
  }));
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->p_n *= 1.0 + kFault;
  }));
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->p_t *= 1.0 + kFault;
  }));
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->E_n *= 1.0 + kFault;
  }));
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->E_f *= 1.0 + kFault;
  }));
  EXPECT_TRUE(fails([](PlanarPoint* end) {
    end->v_n = std::numeric_limits<double>::quiet_NaN();
  }));
}

// Consistent mechanics of another law, of another friction.
TEST(CertifyImpact, SeesAnotherLaw) {
  const RandomPlanar r = draw_planar(3, Law::kPoisson);
  const PlanarImpact impact = solve_planar(r.contact, r.surface);
  for (const Law law : {Law::kNewton, Law::kEnergetic, Law::kEnergeticRatio}) {
    Surface other = r.surface;
    other.law = law;
    EXPECT_GT(certify(r.contact, other, impact).restitution, kTolerance) << to_string(law);
  }
  Surface smooth = r.surface;
  smooth.mu = smooth.mu_static = 0.5 * r.surface.mu;
  EXPECT_GT(certify(r.contact, smooth, impact).friction, kTolerance);
}

TEST(CertifyImpact, SeesEveryFaultOfASpatialImpact) {
  const SpatialContact contact = draw_spatial(1);
  const Surface surface = draw_surface(1, Law::kEnergetic);
  std::vector<SpatialPoint> trace;
  const SpatialImpact good = solve_spatial(contact, surface, &trace);
  ASSERT_TRUE(certify(contact, surface, good, trace).passes(kTolerance, false));
  const auto fails = [&](const std::function<void(SpatialPoint*)>& spoil) {
    SpatialImpact bad = good;
    std::vector<SpatialPoint> path = trace;
    spoil(&path.back());
    bad.end = path.back();
    return !certify(contact, surface, bad, path).passes(kTolerance, false);
  };
  EXPECT_TRUE(fails([](SpatialPoint* end) {
    end->v[0] += kFault;
  }));
  EXPECT_TRUE(fails([](SpatialPoint* end) {
    end->p[1] += kFault;
  }));
  EXPECT_TRUE(fails([](SpatialPoint* end) {
    end->p[2] *= 1.0 + kFault;
  }));
  EXPECT_TRUE(fails([](SpatialPoint* end) {
    end->E_n += kFault;
  }));
  EXPECT_TRUE(fails([](SpatialPoint* end) {
    end->E_f += kFault;
  }));
}

// Newton's law gains: mechanics without fault, and told so.   [M11, §2.2.3]
TEST(CertifyImpact, TellsAGain) {
  std::uint64_t number = 0;
  ImpactCertificate certificate;
  while (certificate.gain < 0.01 && number < 10'000) {
    const RandomPlanar r = draw_planar(number++, Law::kNewton);
    certificate = certify(r.contact, r.surface, solve_planar(r.contact, r.surface));
  }
  EXPECT_GT(certificate.gain, 0.01);
  EXPECT_TRUE(certificate.passes(kTolerance, true));
  EXPECT_FALSE(certificate.passes(kTolerance, false));
}

TEST(CertifyImpact, SeesFaultsOfCollisions) {
  MatX W(2, 2);
  W << 2.0, -1.0, -1.0, 2.0;
  VecX v(2);
  v << -1.0, 0.0;
  const Collision collision{W, v, VecX::Ones(2)};
  const CollisionSolution good = solve_simultaneous(collision);
  ASSERT_TRUE(certify_simultaneous(collision, good).passes(kTolerance, false));
  CollisionSolution bad = good;
  bad.impulse[0] *= 1.0 + kFault;
  EXPECT_FALSE(certify_simultaneous(collision, bad).passes(kTolerance, false));
  bad.v_after = collision.v + W * bad.impulse;  // mechanics again, but not the law
  EXPECT_FALSE(certify_simultaneous(collision, bad).passes(kTolerance, false));
  bad.impulse.setZero();
  bad.v_after = collision.v;
  EXPECT_FALSE(certify_propagation(collision, bad).passes(kTolerance, false)) << "it approaches";
}

}  // namespace
}  // namespace tenpin::impact
