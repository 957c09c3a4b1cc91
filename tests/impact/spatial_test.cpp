#include "impact/spatial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impact/certify.h"
#include "impact/golden.h"
#include "impact/planar.h"
#include "impact/sphere.h"
#include "math/trig.h"

namespace tenpin::impact {
namespace {

// Of the data's own statement: 1e-8 sliding, 1e-10 in linear modes, 1e-6 on inward rays. Ours is
// held to the strictest everywhere.
constexpr double kGolden = 1e-10;
constexpr double kRounding = 1e-11;  // of the sums of some dozen series

struct Outcome {
  SpatialImpact impact;
  ImpactCertificate certificate;
};

Outcome solve(const SpatialContact& contact, const Surface& surface) {
  std::vector<SpatialPoint> trace;
  const SpatialImpact impact = solve_spatial(contact, surface, &trace);
  return {impact, certify(contact, surface, impact, trace)};
}

Surface make_surface(double mu, double e, Law law) {
  return {.mu = mu, .mu_static = mu, .restitution = e, .law = law};
}

std::string print_modes(const SpatialImpact& impact) {
  std::string text(to_string(impact.modes[0]));
  if (impact.num_modes > 1) text += ">" + std::string(to_string(impact.modes[1]));
  return text;
}

void expect_golden(const SpatialImpact& ours, const nlohmann::json& out, const std::string& name) {
  EXPECT_LE((ours.end.v - read_vector<Vec3>(out["u"])).cwiseAbs().maxCoeff(), kGolden) << name;
  EXPECT_LE((ours.end.p - read_vector<Vec3>(out["p"])).cwiseAbs().maxCoeff(), kGolden) << name;
  EXPECT_NEAR(ours.compression.p[2], out["pz_compression"], kGolden) << name;
  EXPECT_NEAR(ours.compression.E_n, out["W_compression"], kGolden) << name;
  EXPECT_NEAR(ours.end.E_n, out["W_normal"], kGolden) << name;
  EXPECT_NEAR(ours.end.E_n + ours.end.E_f, out["dE"], kGolden) << name;
  if (name.find("friction-limit") != std::string::npos) return;  // either mode is right there
  EXPECT_EQ(print_modes(ours), out["mode"].get<std::string>()) << name;
  for (const auto& event : out["events"]) {
    if (event[0] == "slip_vanishes") {
      EXPECT_NEAR(ours.slip_end, event[1], kGolden) << name;
      EXPECT_EQ(ours.slip_ends_in_compression, event[2] == "compression") << name;
    } else if (event[0] == "out_direction") {
      const double angle = arc_tangent(ours.out_direction[1], ours.out_direction[0]);
      EXPECT_NEAR(angle, event[1], kGolden) << name;
    }
  }
}

// [MC95, eq. (10)], [MC95, §Sticking mode], [M11, eq. (4.9)-(4.13)]
TEST(Spatial, MeetsTheReferenceInEveryMode) {
  const nlohmann::json cases = read_cases("impact3d.json");
  ASSERT_GE(cases.size(), 14U);
  for (const auto& c : cases) {
    const auto& in = c["inputs"];
    const SpatialContact contact{read_matrix(in["K"]), read_vector<Vec3>(in["u0"])};
    for (const auto& [key, law] :
         {std::pair("poisson", Law::kPoisson), std::pair("stronge", Law::kEnergetic)}) {
      const Outcome ours = solve(contact, make_surface(in["mu"], in["e"], law));
      expect_golden(ours.impact, c["outputs"][key], c["name"].get<std::string>() + " " + key);
      EXPECT_TRUE(ours.certificate.passes(kRounding, false)) << c["name"];
    }
  }
}

// Slip along a plane of symmetry is the planar problem: two programs, one answer.
TEST(Spatial, AgreesWithTheClosedFormInAPlane) {
  for (const Law law : {Law::kNewton, Law::kPoisson, Law::kEnergetic, Law::kEnergeticRatio}) {
    for (const double mu : {0.0, 0.2, 0.7, 1.2}) {
      for (const double v_t : {-2.0, -0.3, 0.0, 0.3, 2.0}) {
        const Surface surface = make_surface(mu, 0.6, law);
        const PlanarImpact planar = solve_planar({4.0, 2.5, 2.0, v_t, -1.0}, surface);
        Mat3 W;
        W << 4.0, 0.0, 2.5, 0.0, 3.0, 0.0, 2.5, 0.0, 2.0;
        const Outcome ours = solve({W, Vec3(v_t, 0.0, -1.0)}, surface);
        EXPECT_NEAR(ours.impact.end.v[0], planar.end().v_t, kRounding);
        EXPECT_NEAR(ours.impact.end.v[2], planar.end().v_n, kRounding);
        EXPECT_NEAR(ours.impact.end.p[2], planar.end().p_n, kRounding);
        EXPECT_NEAR(ours.impact.end.E_n, planar.end().E_n, kRounding);
        EXPECT_TRUE(ours.certificate.passes(kRounding, law == Law::kNewton));
      }
    }
  }
}

// A contact whose bodies cannot move across the plane at all.   [M11, §2.2.1]
TEST(Spatial, TakesASingularMatrix) {
  Mat3 W;
  W << 4.0, 0.0, 2.5, 0.0, 0.0, 0.0, 2.5, 0.0, 2.0;
  const Surface surface = make_surface(1.2, 0.5, Law::kEnergetic);
  const Outcome ours = solve({W, Vec3(2.0, 0.0, -1.0)}, surface);
  const PlanarImpact planar = solve_planar({4.0, 2.5, 2.0, 2.0, -1.0}, surface);
  EXPECT_EQ(print_modes(ours.impact), "slide-in>stick");
  EXPECT_NEAR(ours.impact.end.p[2], planar.end().p_n, kRounding);
  const Outcome across = solve({W, Vec3(2.0, 0.7, -1.0)}, surface);
  EXPECT_EQ(across.impact.end.v[1], 0.7) << "nothing can change that slip";
  EXPECT_TRUE(across.certificate.passes(kRounding, false));
}

// A body on a slider, which runs into the floor at an angle: slip and approach end together. Where
// friction holds the slider in the floor, restitution cannot lift it: Poisson's impulse finds it at
// rest.
TEST(Spatial, SlipAndApproachOfASliderEndTogether) {
  int num_locked = 0;
  for (int i = 0; i < 200; ++i) {
    const auto [s1, c1] = sin_cos(0.031 * i);
    const auto [s2, c2] = sin_cos(0.9 - 0.004 * i);
    const Vec3 axis(c1 * c2, s1 * c2, s2);
    const double mu = 0.1 + 0.007 * i;
    const double speed = 0.3 + 0.11 * i;
    const Surface surface = make_surface(mu, 0.5, Law::kPoisson);
    const Outcome ours = solve({1.7 * axis * axis.transpose(), -speed * axis}, surface);
    ASSERT_EQ(ours.impact.status, ImpactStatus::kSolved) << i;
    EXPECT_TRUE(ours.certificate.passes(kRounding, false)) << i;
    if (mu * c2 <= 1.01 * s2) continue;
    ++num_locked;
    EXPECT_LE(ours.impact.end.v.norm(), 1e-14 * speed) << i;
  }
  EXPECT_GE(num_locked, 50);
}

TEST(Spatial, NoImpactWithoutApproach) {
  const Outcome ours =
      solve({Mat3::Identity(), Vec3(1.0, 0.0, 0.1)}, make_surface(0.5, 0.5, Law::kPoisson));
  EXPECT_EQ(ours.impact.status, ImpactStatus::kSeparating);
  EXPECT_TRUE(ours.impact.end.p.isZero());
}

// Speeds have no scale of their own: all velocities times c give all impulses times c.
TEST(Spatial, ScalesWithTheVelocities) {
  const auto c = read_cases("impact3d.json")[4]["inputs"];
  const SpatialContact contact{read_matrix(c["K"]), read_vector<Vec3>(c["u0"])};
  const Surface surface = make_surface(c["mu"], c["e"], Law::kEnergetic);
  const Vec3 p = solve(contact, surface).impact.end.p;
  for (const double factor : {1e-9, 1e-3, 1e6}) {
    const Vec3 scaled = solve({contact.W, factor * contact.v}, surface).impact.end.p;
    EXPECT_LE((scaled / factor - p).norm(), kRounding);
  }
}

TEST(Sphere, FastPathIsTheGeneralLaw) {
  const Mat3 W = Vec3(3.5, 3.5, 1.0).asDiagonal();
  for (const Vec3& v : {Vec3(2.0, 1.0, -1.0), Vec3(0.1, -0.2, -1.0), Vec3(0.0, 0.0, -1.0),
                        Vec3(1.0, 1.0, 0.5), Vec3(0.0, 0.0, 0.5)}) {
    for (const double mu : {0.0, 0.1, 0.4}) {
      const Vec3 fast = solve_sphere({.W_nn = 1.0, .W_tt = 3.5, .v = v}, mu, 0.7);
      for (const Law law : {Law::kNewton, Law::kPoisson, Law::kEnergetic}) {
        const Outcome ours = solve({W, v}, make_surface(mu, 0.7, law));
        EXPECT_LE((ours.impact.end.p - fast).norm(), kRounding) << v.transpose() << " " << mu;
      }
    }
  }
}

}  // namespace
}  // namespace tenpin::impact
