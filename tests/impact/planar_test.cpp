#include "impact/planar.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "impact/certify.h"
#include "impact/double_pendulum.h"
#include "impact/golden.h"
#include "math/trig.h"

namespace tenpin::impact {
namespace {

constexpr double kGolden = 1e-10;     // relative; of the data's own statement
constexpr double kMechanism = 1e-14;  // M and J are sums and products of a few sines
constexpr double kPrinted = 6e-7;     // the reference prints six digits after the point
constexpr double kRounding = 1e-12;   // of sums along a path of at most three pieces

struct Case {
  Vec2 u;
  PlanarMechanism mechanism;
  PlanarContact contact;
  Surface surface;
  PlanarImpact impact;

  Case(const DoublePendulum& pendulum, const Vec2& speeds, const Surface& s)
      : u(speeds), mechanism(calc_mechanism(pendulum)), surface(s) {
    surface.mu_static = std::max(surface.mu_static, surface.mu);
    contact = make_planar_contact(mechanism, u);
    impact = solve_planar(contact, surface);
  }
  Vec2 u_after() const {
    const PlanarPoint& end = impact.end();
    return u + calc_collision_matrix(mechanism) * Vec2(end.p_t, end.p_n);
  }
  double kinetic(const Vec2& speeds) const { return 0.5 * speeds.dot(mechanism.M * speeds); }
};

Case make_case(double q1, double q2, const Vec2& u, const Surface& surface) {
  return {{.q = Vec2(q1, q2) * (kPi / 180.0)}, u, surface};
}

void expect_near(double ours, double golden, const std::string& what) {
  EXPECT_NEAR(ours, golden, kGolden * std::max(1.0, std::fabs(golden))) << what;
}

std::vector<std::string> list_modes(const PlanarImpact& impact) {
  constexpr std::array<const char*, 3> kNames = {"slide", "stick", "reverse"};
  std::vector<std::string> modes;
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(impact.num_points); ++i) {
    const std::string name = kNames[static_cast<std::size_t>(impact.slips[i])];
    if (modes.empty() || modes.back() != name) modes.push_back(name);
  }
  return modes;
}

// [M11, eq. (2.9)-(2.21)], [M11, eq. (3.1)-(3.3)], [M11, Fig. 2.8]
TEST(Planar, MeetsTheReferenceOnEveryPath) {
  const nlohmann::json cases = read_cases("morgan_planar.json");
  ASSERT_GE(cases.size(), 17U);
  for (const auto& c : cases) {
    const auto& in = c["inputs"];
    const auto& out = c["outputs"];
    const std::string name = c["name"];
    const Case ours({.mass = in["mass"], .length = in["length"], .q = read_vector<Vec2>(in["q"])},
                    read_vector<Vec2>(in["u"]), {.mu = in["mu"], .restitution = in["e"]});
    EXPECT_NEAR(ours.contact.W_tt, in["A_tt"], kMechanism * 10) << name;
    EXPECT_NEAR(ours.contact.W_tn, in["A_tn"], kMechanism * 10) << name;
    EXPECT_NEAR(ours.contact.W_nn, in["A_nn"], kMechanism * 10) << name;
    const PlanarPoint& end = ours.impact.end();
    expect_near(ours.u_after()[0], out["u"][0], name);
    expect_near(ours.u_after()[1], out["u"][1], name);
    expect_near(end.p_n, out["pn"], name);
    expect_near(end.p_t, out["pt"], name);
    expect_near(end.v_n, out["vn"], name);
    expect_near(end.v_t, out["vt"], name);
    expect_near(ours.impact.compression().p_n, out["pn_compression"], name);
    expect_near(ours.impact.compression().E_n, out["En_min"], name);
    expect_near(end.E_n, out["En"], name);
    expect_near(end.E_f, out["Ef"], name);
    expect_near(end.E_n + end.E_f, out["dK"], name);
    EXPECT_EQ(ours.impact.order(), out["path"].get<std::string>()) << name;
    EXPECT_EQ(list_modes(ours.impact), out["modes"].get<std::vector<std::string>>()) << name;
    EXPECT_TRUE(certify(ours.contact, ours.surface, ours.impact).passes(kRounding, false)) << name;
  }
}

// M and J as printed, against their definition by kinematics: the bars' centres move as the
// derivatives of their places, and M collects their kinetic energy.   [M11, eq. (2.1)]
TEST(DoublePendulum, MatricesAreThoseOfTwoBars) {
  constexpr double m = 2.5;
  constexpr double r = 0.4;
  for (const Vec2& q : {Vec2(-1.2, 0.7), Vec2(0.3, -2.9), Vec2(2.0, 1.0)}) {
    const PlanarMechanism ours = calc_mechanism({.mass = m, .length = r, .q = q});
    const Vec2 e1(std::cos(q[0] + kPi / 2), std::sin(q[0] + kPi / 2));
    const Vec2 e2(std::cos(q[0] + q[1] + kPi / 2), std::sin(q[0] + q[1] + kPi / 2));
    Mat2 upper, lower, end;
    upper << 0.5 * r * e1, Vec2(0.0, 0.0);
    lower << r * e1 + 0.5 * r * e2, 0.5 * r * e2;
    end << r * e1 + r * e2, r * e2;
    const Vec2 w1(1.0, 0.0);
    const Vec2 w2(1.0, 1.0);
    const double inertia = m * r * r / 12.0;
    const Mat2 M = m * (upper.transpose() * upper + lower.transpose() * lower) +
                   inertia * (w1 * w1.transpose() + w2 * w2.transpose());
    EXPECT_LE((ours.M - M).cwiseAbs().maxCoeff(), kMechanism);
    EXPECT_LE((ours.J - end).cwiseAbs().maxCoeff(), kMechanism);
  }
}

struct Printed {
  double q1, q2;
  Vec2 u;
  double mu, e;
  const char* order;
  Vec2 u_after;
  double dK;
};

// [M11, §2.2]
TEST(Planar, MeetsNumbersOfAnIndependentIntegration) {
  const std::vector<Printed> all = {
      {-60, -40, Vec2(-1, 3), 0.3, 0.5, "abce", Vec2(0.497608, -0.935197), -0.453701},
      {-60, -40, Vec2(-1, 3), 0.9, 0.5, "abce", Vec2(0.470734, -0.884690), -0.465639},
      {-60, -40, Vec2(-1, 3), 0.3, 0.0, "abce", Vec2(0.0, 0.0), -0.567289},
      {-60, -40, Vec2(-1, 3), 0.0, 1.0, "acde", Vec2(1.079151, -2.851244), 0.0},
      {-60, -40, Vec2(-2, 1), 0.05, 0.7, "ace", Vec2(-0.207910, -3.721883), -0.683735},
      {-100, 60, Vec2(-1.5, -1), 0.2, 0.8, "ace", Vec2(-2.179119, 3.413135), -0.731927},
      {-70, -10, Vec2(-1, -2), 0.4, 0.6, "abce", Vec2(1.415268, -2.765701), -2.945705},
  };
  for (const Printed& p : all) {
    const Case ours = make_case(p.q1, p.q2, p.u, {.mu = p.mu, .restitution = p.e});
    EXPECT_EQ(ours.impact.order(), p.order);
    EXPECT_LE((ours.u_after() - p.u_after).cwiseAbs().maxCoeff(), kPrinted);
    EXPECT_NEAR(ours.kinetic(ours.u_after()) - ours.kinetic(ours.u), p.dK, kPrinted);
  }
}

TEST(Planar, LawsDifferAndNewtonGains) {
  const auto ratio = [](Law law) {
    const Case c = make_case(-70, -10, Vec2(-1, -2), {.mu = 0.5, .restitution = 0.7, .law = law});
    return c.kinetic(c.u_after()) / c.kinetic(c.u);
  };
  EXPECT_NEAR(ratio(Law::kNewton), 1.12271, 1e-5);
  EXPECT_NEAR(ratio(Law::kPoisson), 0.18541, 1e-5);
  EXPECT_NEAR(ratio(Law::kEnergetic), 0.24886, 1e-5);
}

// The text's ratio of works is the usual law with the root of the coefficient.
// [M11, §2.2.3, errata]
TEST(Planar, PlainRatioIsTheSquareRootsLaw) {
  const Vec2 u(-1, 3);
  const Case plain =
      make_case(-60, -40, u, {.mu = 0.3, .restitution = 0.25, .law = Law::kEnergeticRatio});
  const Case square = make_case(-60, -40, u, {.mu = 0.3, .restitution = 0.5});
  EXPECT_NEAR(plain.impact.end().p_n, square.impact.end().p_n, kRounding);
}

TEST(Planar, StaticFrictionDecidesWhetherSlipStops) {
  // |m| = 0.2413 lies between the two coefficients.
  const Surface slippery{.mu = 0.1, .restitution = 0.5};
  const Surface sticky{.mu = 0.1, .mu_static = 0.3, .restitution = 0.5};
  const Case reverses = make_case(-60, -40, Vec2(-1, 3), slippery);
  const Case sticks = make_case(-60, -40, Vec2(-1, 3), sticky);
  EXPECT_NEAR(std::fabs(sticks.impact.stick_ratio), 0.2413, 1e-4);
  EXPECT_NE(reverses.impact.end().v_t, 0.0);
  EXPECT_EQ(sticks.impact.end().v_t, 0.0);
  EXPECT_TRUE(certify(sticks.contact, sticks.surface, sticks.impact).passes(kRounding, false));
}

// Both pauses at one point, slip that starts at zero, slip parallel to v_t = 0.
// [M11, §2.3], [M11, Fig. 2.9]
TEST(Planar, SpecialCases) {
  const Surface surface{.mu = 0.5, .mu_static = 0.5, .restitution = 0.5};
  const PlanarImpact both = solve_planar({4.0, 0.0, 1.0, 2.0, -1.0}, surface);
  EXPECT_NEAR(both.end().v_n, 0.5, kRounding);
  EXPECT_EQ(both.end().v_t, 0.0);
  const PlanarImpact driven = solve_planar({1.0, 0.8, 2.0, 0.0, -1.0}, surface);
  EXPECT_EQ(driven.order(), "ace");
  EXPECT_GT(driven.end().v_t, 0.0) << "|m| = 0.8 > mu: slip begins where the impulse drives it";
  const PlanarImpact parallel = solve_planar({2.0, 1.0, 2.0, 1.0, -1.0}, surface);
  EXPECT_EQ(parallel.order(), "ace");
  EXPECT_EQ(parallel.end().v_t, 1.0);
  const PlanarImpact apart = solve_planar({1.0, 0.0, 1.0, 1.0, 0.5}, surface);
  EXPECT_EQ(apart.status, ImpactStatus::kSeparating);
  EXPECT_EQ(apart.end().p_n, 0.0);
}

// A contact that friction presses together although it does not approach: no finite force, and
// yet an impulse.
TEST(Planar, JamWithoutApproach) {
  const Surface surface{.mu = 1.2, .mu_static = 1.2, .restitution = 0.5};
  const PlanarContact jammed{4.0, 2.5, 2.0, 2.0, 0.0};
  const PlanarImpact impact = solve_planar(jammed, surface);
  EXPECT_EQ(impact.status, ImpactStatus::kSolved);
  EXPECT_GT(impact.end().p_n, 0.0);
  EXPECT_GT(impact.end().v_n, 0.0);
  EXPECT_TRUE(certify(jammed, surface, impact).passes(kRounding, false));
}

TEST(Planar, SingularContactIsToldNotSolved) {
  const Surface surface{.mu = 1.5, .mu_static = 1.5, .restitution = 0.5};
  EXPECT_EQ(solve_planar({1.0, 1.0, 1.0, 0.0, -1.0}, surface).status, ImpactStatus::kUnbounded);
}

}  // namespace
}  // namespace tenpin::impact
