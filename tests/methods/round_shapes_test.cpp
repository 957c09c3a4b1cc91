// Ellipsoids and boxes with round edges under every method.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

std::string on_floor(const std::string& body, const std::string& method,
                     const std::string& material) {
  return "tenpin: 1\nname: floor\nmaterials: {m: {" + material +
         "}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: it, material: m, density: 1000, " +
         body + "}\nmethod: {" + method + "}\n";
}

// An ellipsoid that rocks about y: semiaxes a along x and c along z.
constexpr double kA = 0.3;      // m
constexpr double kC = 0.2;      // m
constexpr double kStart = 0.4;  // rad
constexpr double kGravity = 9.81;

// m   of the centre above the floor.
double calc_height(double angle) {
  const SinCos at = sin_cos(angle);
  return std::sqrt(kA * kA * at.sin * at.sin + kC * kC * at.cos * at.cos);
}

// s   Without friction the centre moves up and down only, and energy gives the rate at every angle.
// With angle = kStart sin(phi) the integrand over a quarter of the motion is smooth.
double calc_period() {
  constexpr int kNum = 2000;
  const double inertia = (kA * kA + kC * kC) / 5.0;  // m^2   per mass
  double quarter = 0.0;
  for (int i = 0; i < kNum; ++i) {
    const SinCos phi = sin_cos(0.5 * kPi * (i + 0.5) / kNum);
    const double angle = kStart * phi.sin;
    const SinCos at = sin_cos(angle);
    const double slope = (kA * kA - kC * kC) * at.sin * at.cos / calc_height(angle);
    const double energy = 2.0 * kGravity * (calc_height(kStart) - calc_height(angle));
    const double rate = std::sqrt(energy / (inertia + slope * slope));
    quarter += 0.5 * kPi / kNum * kStart * phi.cos / rate;
  }
  return 4.0 * quarter;
}

std::string make_rocker(const std::string& method, const std::string& material) {
  char place[200];
  std::snprintf(place, sizeof place,
                "position: [0, 0, %.17g], orientation: {axis: [0, 1, 0], radians: %.17g}, "
                "shapes: [{ellipsoid: {semiaxes: [0.3, 0.25, 0.2]}}]",
                calc_height(kStart), kStart);
  return on_floor(place, method, material);
}

Vec3 rock(const std::string& method, const std::string& material, double until) {
  SceneRun run(make_rocker(method, material));
  EXPECT_EQ(run.run_until(until), AdvanceStatus::kReachedEnd) << method << run.last.message;
  run.expect_ledger_closes();
  return run.position("it");
}

// Events and second-order steps against the period by quadrature: after two periods the centre is
// back at its height.
TEST(Ellipsoid, RocksWithItsPeriod) {
  const std::string smooth = "friction: 0, restitution: 0";
  const double until = 2.0 * calc_period();
  EXPECT_NEAR(rock("analytic: {}", smooth, until).z(), calc_height(kStart), 1e-8);
  // A quarter period later the height changes fastest: an error of the period shows in full.
  const double later = 2.125 * calc_period();
  const double exact = rock("analytic: {}", smooth, later).z();
  const auto calc_error = [&](double step) {
    const std::string method =
        "time-stepping: {order: 2, solver: cone, step: " + std::to_string(step) + "}";
    SceneRun run(make_rocker(method, smooth));
    const double end = std::round(later / step) * step;
    EXPECT_EQ(run.run_until(end), AdvanceStatus::kReachedEnd);
    return std::fabs(run.position("it").z() - rock("analytic: {}", smooth, end).z());
  };
  const double fine = calc_error(0.001);
  EXPECT_LE(fine, 1e-5);
  EXPECT_GE(calc_error(0.004) / fine, 10.0);  // 16 for the second order
  EXPECT_LT(exact, calc_height(kStart));
}

TEST(Ellipsoid, RollsAlikeByStepsAndByEvents) {
  const std::string rough = "friction: 2, restitution: 0";
  const Vec3 exact = rock("analytic: {}", rough, 1.0);
  EXPECT_GT(std::fabs(exact.x()), 1e-3);
  const double fine =
      (rock("time-stepping: {order: 2, solver: cone, step: 0.001}", rough, 1.0) - exact).norm();
  const double coarse =
      (rock("time-stepping: {order: 2, solver: cone, step: 0.004}", rough, 1.0) - exact).norm();
  EXPECT_LE(fine, 1e-5);
  EXPECT_GE(coarse / fine, 10.0);  // 16 for the second order
}

// Thrown on the floor, none sinks in or gains energy.
TEST(RoundShapes, AreHeldByEveryMethod) {
  for (const char* shape :
       {"ellipsoid: {semiaxes: [0.15, 0.1, 0.05]}", "box: {size: [0.3, 0.2, 0.1], radius: 0.03}"}) {
    for (const char* method : {"time-stepping: {step: 0.002, order: 2}",
                               "time-stepping: {step: 0.002, order: 1}", "impulse: {}"}) {
      SceneRun run(on_floor(std::string("position: [0, 0, 0.4], velocity: [1, 0, 0], "
                                        "angular_velocity: [2, 3, 1], shapes: [{") +
                                shape + "}]",
                            method, "friction: 0.3, restitution: 0.2"));
      double start = -1e300;
      run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
        if (start < -1e299) start = report.ledger.total();
        EXPECT_LE(report.ledger.total(), start + 1e-3) << method;
      };
      ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd)
          << shape << method << run.last.message;
      EXPECT_LE(run.worst_penetration, 1e-4) << shape << method;
      EXPECT_GT(run.position("it").z(), 0.0499) << shape << method;
    }
  }
}

TEST(RoundedBox, RestsOnFourPoints) {
  SceneRun run(
      on_floor("position: [0, 0, 0.1], shapes: [{box: {size: [0.4, 0.3, 0.2], radius: 0.05}}]",
               "time-stepping: {step: 0.01}", "friction: 0.3, restitution: 0"));
  std::size_t num_contacts = 0;
  run.watch = [&](const StepReport& /*report*/, auto contacts, const auto& /*state*/) {
    num_contacts = contacts.size();
  };
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_EQ(num_contacts, 4U);
  EXPECT_NEAR(run.position("it").z(), 0.1, 1e-12);
  EXPECT_LE(run.built.state.v.norm(), 1e-12);
}

TEST(RoundShapes, SameInputSameBits) {
  const auto run_once = [] {
    SceneRun run(
        on_floor("position: [0, 0, 0.4], angular_velocity: [2, 3, 1], "
                 "shapes: [{ellipsoid: {semiaxes: [0.15, 0.1, 0.05]}, position: [0.1, 0, 0]}, "
                 "{box: {size: [0.3, 0.2, 0.1], radius: 0.03}}]",
                 "time-stepping: {step: 0.002}", "friction: 0.3, restitution: 0.2"));
    EXPECT_EQ(run.run_until(0.6), AdvanceStatus::kReachedEnd) << run.last.message;
    return run.built.state.q;
  };
  EXPECT_EQ(run_once(), run_once());
}

}  // namespace
}  // namespace tenpin::methods
