// What must hold for every impact, on random ones. TENPIN_TEST_SCALE=10 makes 10^6 planar ones.
#include <gtest/gtest.h>

#include <cmath>

#include "impact/certify.h"
#include "impact/random_impacts.h"

namespace tenpin::impact {
namespace {

constexpr double kLedger = 1e-12;  // of the energies: En + Ef = dK up to rounding
// Poor conditioning (W within 1e-3 of singular) costs three digits of the twelve.
constexpr double kLaw = 1e-9;

// [M11, eq. (2.13)-(2.21)]
TEST(ImpactProperty, EnergeticAndPoissonNeverGainInAPlane) {
  const int count = 100'000 * test_scale();
  int num_newton_gains = 0;
  for (int i = 0; i < count; ++i) {
    for (const Law law : {Law::kEnergetic, Law::kPoisson, Law::kEnergeticRatio, Law::kNewton}) {
      const RandomPlanar r = draw_planar(static_cast<std::uint64_t>(i), law);
      const PlanarImpact impact = solve_planar(r.contact, r.surface);
      ASSERT_EQ(impact.status, ImpactStatus::kSolved) << i;
      const ImpactCertificate c = certify(r.contact, r.surface, impact);
      ASSERT_LE(c.energy, kLedger) << i;
      ASSERT_TRUE(c.passes(kLaw, law == Law::kNewton)) << i << " " << to_string(law);
      ASSERT_GE(impact.end().v_n, 0.0) << i;
      if (law == Law::kNewton) {
        num_newton_gains += c.gain > kLedger ? 1 : 0;
      } else {
        ASSERT_LE(c.gain, kLedger) << i << " " << to_string(law);
      }
    }
  }
  EXPECT_GT(num_newton_gains, count / 1000) << "Newton's law does gain where friction is strong";
}

// [MC95, §Sliding mode], [M11, §4.2]
TEST(ImpactProperty, SpatialImpactsObeyTheirLawsAndNeverGain) {
  const int count = 5'000 * test_scale();
  std::vector<SpatialPoint> trace;
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const SpatialContact contact = draw_spatial(number);
    for (const Law law : {Law::kEnergetic, Law::kPoisson, Law::kNewton}) {
      const Surface surface = draw_surface(number, law);
      trace.clear();
      const SpatialImpact impact = solve_spatial(contact, surface, &trace);
      ASSERT_EQ(impact.status, ImpactStatus::kSolved) << i;
      const ImpactCertificate c = certify(contact, surface, impact, trace);
      ASSERT_TRUE(c.passes(kLaw, law == Law::kNewton)) << i << " " << to_string(law);
    }
  }
}

// "We conjecture that in cases when the friction is not sufficient to maintain sticking there is
// always exactly one sliding direction away from the origin."   [MC95, §Sticking mode]
TEST(ImpactProperty, OneDirectionLeadsOutWhereFrictionCannotHold) {
  const int count = 100'000 * test_scale();
  int num_slipping = 0;
  int num_counterexamples = 0;
  int num_held_leaks = 0;  // a direction out although friction could hold
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const SlipField field(draw_spatial(number).W, RandomStream(14, number).uniform(0, 0.0, 1.0));
    int num_out = 0;
    for (const Ray& ray : field.find_rays()) num_out += ray.growth > 0.0 ? 1 : 0;
    if (field.sticks(field.mu())) {
      num_held_leaks += num_out;
    } else {
      ++num_slipping;
      num_counterexamples += num_out == 1 ? 0 : 1;
    }
  }
  EXPECT_EQ(num_counterexamples, 0);
  EXPECT_EQ(num_held_leaks, 0);
  EXPECT_GT(num_slipping, count / 10);
  RecordProperty("slipping", num_slipping);
  RecordProperty("counterexamples", num_counterexamples);
}

// Slip never spirals round the origin: whatever it does, it turns towards one ray and no farther.
// [MC95, §Sticking mode]
TEST(ImpactProperty, SlipTurnsOneWay) {
  std::vector<SpatialPoint> trace;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const SpatialContact contact = draw_spatial(i);
    trace.clear();
    static_cast<void>(solve_spatial(contact, draw_surface(i, Law::kPoisson), &trace));
    int sense = 0;
    for (std::size_t k = 1; k < trace.size(); ++k) {
      const Vec3& a = trace[k - 1].v;
      const Vec3& b = trace[k].v;
      const double size = a.head<2>().norm() * b.head<2>().norm();
      if (b.head<2>().norm() < 1e-12) break;  // the slip has vanished: what follows is straight
      const double turn = (a[0] * b[1] - a[1] * b[0]) / size;
      if (std::fabs(turn) < 1e-9) continue;  // rounding of the direction of tiny slip
      ASSERT_NE(sense, turn > 0.0 ? -1 : 1) << i;
      sense = turn > 0.0 ? 1 : -1;
    }
  }
}

// --- against integration in the impulse domain, step by step -------------------------------------

struct Integrated {
  Vec3 v;
  double p_z = 0.0;
};

Vec3 calc_rate(const SpatialContact& contact, double mu, const Vec3& v) {
  const Vec2 e = v.head<2>().normalized();
  return contact.W * Vec3(-mu * e[0], -mu * e[1], 1.0);
}

// Classical Runge-Kutta on [MC95, eq. (10)] as it is printed, to the given impulse.
Vec3 integrate(const SpatialContact& contact, double mu, double p_z, int num_steps) {
  const double h = p_z / num_steps;
  Vec3 v = contact.v;
  for (int i = 0; i < num_steps; ++i) {
    const Vec3 k1 = calc_rate(contact, mu, v);
    const Vec3 k2 = calc_rate(contact, mu, v + 0.5 * h * k1);
    const Vec3 k3 = calc_rate(contact, mu, v + 0.5 * h * k2);
    const Vec3 k4 = calc_rate(contact, mu, v + h * k3);
    v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return v;
}

// [MC95, eq. (10)]
TEST(ImpactProperty, IntegrationConvergesToTheSeriesAtItsOrder) {
  int num_checked = 0;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const SpatialContact contact = draw_spatial(i);
    const Surface surface = draw_surface(i, Law::kPoisson);
    const SpatialImpact ours = solve_spatial(contact, surface);
    const double slip = ours.end.v.head<2>().norm();
    if (ours.slip_end >= 0.0 || slip < 0.3 || contact.v.head<2>().norm() < 0.3) continue;
    const double coarse = (integrate(contact, surface.mu, ours.end.p[2], 40) - ours.end.v).norm();
    const double fine = (integrate(contact, surface.mu, ours.end.p[2], 80) - ours.end.v).norm();
    if (coarse < 1e-10 || coarse > 1e-4)
      continue;  // rounding hides the order; steps are too long for it
    ++num_checked;
    EXPECT_GT(coarse / fine, 11.0) << i << ": fourth order divides the error by 16";
    EXPECT_LT(coarse / fine, 24.0) << i;
  }
  EXPECT_GT(num_checked, 20);
}

// The planar closed form against Euler's method with friction that looks at the slip in each step;
// where slip changes sign the error is of first order, so halving the step halves it.
// [M11, eq. (2.9)-(2.12)]
TEST(ImpactProperty, IntegrationConvergesToTheClosedForm) {
  const auto integrate_planar = [](const RandomPlanar& r, double p_n, int num_steps) {
    const double h = p_n / num_steps;
    double v_t = r.contact.v_t;
    double v_n = r.contact.v_n;
    for (int i = 0; i < num_steps; ++i) {
      // Friction brings slip to rest within a step if it can, as a stick does.
      const double stop = -(v_t / h + r.contact.W_tn) / r.contact.W_tt;
      const double ratio = std::clamp(stop, -r.surface.mu, r.surface.mu);
      v_t += h * (r.contact.W_tn + r.contact.W_tt * ratio);
      v_n += h * (r.contact.W_nn + r.contact.W_tn * ratio);
    }
    return Vec2(v_t, v_n);
  };
  double coarse = 0.0;
  double fine = 0.0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    RandomPlanar r = draw_planar(i, Law::kEnergetic);
    r.surface.mu_static = r.surface.mu;
    const PlanarPoint end = solve_planar(r.contact, r.surface).end();
    const Vec2 v(end.v_t, end.v_n);
    const double scale = v.norm() + std::fabs(r.contact.v_t) + std::fabs(r.contact.v_n);
    coarse += (integrate_planar(r, end.p_n, 1'000) - v).norm() / scale;
    fine += (integrate_planar(r, end.p_n, 10'000) - v).norm() / scale;
  }
  EXPECT_LT(fine / 300, 1e-4);
  EXPECT_GT(coarse / fine, 7.0) << "first order divides the error by 10";
  EXPECT_LT(coarse / fine, 14.0);
}

}  // namespace
}  // namespace tenpin::impact
