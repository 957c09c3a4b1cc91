// Cones under every method.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/text.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

std::string on_floor(const std::string& body, const std::string& method,
                     const std::string& material) {
  return "tenpin: 1\nname: floor\nmaterials: {m: {" + material +
         "}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: cone, material: m, density: 1000, " +
         body + "}\nmethod: {" + method + "}\n";
}

std::string vector(const Vec3& v) {
  return "[" + to_text(v.x()) + ", " + to_text(v.y()) + ", " + to_text(v.z()) + "]";
}

constexpr double kRadius = 0.1;  // m
constexpr double kLength = 0.2;  // m
// Half the angle at the apex.
const double kTan = kRadius / kLength;
const double kCos = 1.0 / std::sqrt(1.0 + kTan * kTan);
const double kSin = kTan * kCos;
constexpr double kTurn = 1.5;  // rad/s   of the line of contact about the apex

// A cone that rolls on its side about its apex, which is at the origin. The line of contact is at
// rest, so the cone turns about it: at -kTurn / tan of half the angle.
std::string roll(const std::string& method) {
  const double lean = -(0.5 * kPi + std::atan(kTan));
  return on_floor("position: " + vector(0.5 * kLength * Vec3(kCos, 0, kSin)) +
                      ", orientation: {axis: [0, 1, 0], radians: " + to_text(lean) +
                      "}, velocity: " + vector({0, 0.5 * kTurn * kLength * kCos, 0}) +
                      ", angular_velocity: " + vector({-kTurn / kTan, 0, 0}) +
                      ", shapes: [{cone: {radius: 0.1, length: 0.2}}]",
                  method, "friction: 1, restitution: 0");
}

// A homogeneous cone of height h rolling on a plane has the kinetic energy
// 3 m h^2 w^2 (1 + 5 cos^2) / 40, w being the rate of its line of contact, and keeps it.   [Landau
// and Lifshitz, Mechanics, §32, problem 7]
TEST(Cone, RollsAboutItsApex) {
  const struct {
    const char* method;
    double near;  // m   measured 6e-7 for the second order, 3e-4 for the first
  } cases[] = {{"analytic: {}", 1e-8},
               {"time-stepping: {step: 0.002, order: 2}", 1e-5},
               {"time-stepping: {step: 0.0005, order: 1}", 2e-3}};
  for (const auto& [method, near] : cases) {
    SceneRun run(roll(method));
    const double mass = kPi / 3.0 * kRadius * kRadius * kLength * 1000.0;
    const double kinetic =
        3.0 / 40.0 * mass * kLength * kLength * kTurn * kTurn * (1.0 + 5.0 * kCos * kCos);
    double first = -1.0;
    run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
      if (first < 0.0) first = report.ledger.kinetic;
    };
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << method << run.last.message;
    EXPECT_NEAR(first, kinetic, 0.02 * kinetic) << method;
    EXPECT_NEAR(run.last.ledger.kinetic, kinetic, 0.02 * kinetic) << method;
    const SinCos at = sin_cos(kTurn * run.built.state.t);
    const Vec3 centre = 0.25 * 3.0 * kLength * Vec3(kCos * at.cos, kCos * at.sin, kSin);
    EXPECT_NEAR((run.position("cone") - centre).norm(), 0.0, near) << method;
    run.expect_ledger_closes();
  }
}

// On its base it rests on the points of its rim.
TEST(Cone, StandsOnItsBase) {
  for (const char* method : {"analytic: {}", "impulse: {}", "time-stepping: {order: 2}",
                             "time-stepping: {order: 1, solver: lemke}"}) {
    SceneRun run(on_floor("position: [0, 0, 0.1], shapes: [{cone: {radius: 0.1, length: 0.2}}]",
                          method, "friction: 0.5, restitution: 0"));
    ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << method << run.last.message;
    EXPECT_NEAR((run.position("cone") - Vec3(0, 0, 0.05)).norm(), 0.0, 1e-9) << method;
  }
}

// Thrown on the floor, it neither sinks in nor gains energy, and comes to lie on its side.
TEST(Cone, IsHeldByEveryMethod) {
  for (const char* method : {"time-stepping: {step: 0.002, order: 2}",
                             "time-stepping: {step: 0.002, order: 1}", "impulse: {}"}) {
    SceneRun run(
        on_floor("position: [0, 0, 0.4], velocity: [1, 0, 0], angular_velocity: [2, 3, 1], "
                 "shapes: [{cone: {radius: 0.1, length: 0.3}}]",
                 method, "friction: 0.3, restitution: 0.2"));
    double start = -1e300;
    run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
      if (start < -1e299) start = report.ledger.total();
      EXPECT_LE(report.ledger.total(), start + 1e-3) << method;
    };
    ASSERT_EQ(run.run_until(1.5), AdvanceStatus::kReachedEnd) << method << run.last.message;
    EXPECT_LE(run.worst_penetration, 1e-4) << method;
    EXPECT_LT(run.position("cone").z(), 0.1) << method;
  }
}

}  // namespace
}  // namespace tenpin::methods
