// Friction against rolling, against exact answers. The largest moment is rolling * N, against the
// rotation: a force that acts that far ahead of the point of contact.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "base/text.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;
constexpr double kRadius = 0.1;     // m
constexpr double kRolling = 0.004;  // m

std::string on_slope(double angle, const std::string& body, const std::string& method,
                     const std::string& friction = "{along: 0.8, rolling: 0.004}") {
  const SinCos at = sin_cos(angle);
  return "tenpin: 1\nname: slope\nmaterials: {m: {friction: " + friction +
         ", restitution: 0}}\ngravity: [" + to_text(kG * at.sin) + ", 0, " + to_text(-kG * at.cos) +
         "]\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: it, material: m, " +
         body + "}\nmethod: {" + method + "}\n";
}

std::string ball(double speed) {
  return "mass: 2, position: [0, 0, 0.1], velocity: [" + to_text(speed) +
         ", 0, 0], angular_velocity: [0, " + to_text(speed / kRadius) +
         ", 0], shapes: [{sphere: {radius: 0.1}}]";
}

const char* const kMethods[] = {"time-stepping: {step: 0.001}",
                                "time-stepping: {step: 0.001, solver: lemke}",
                                "time-stepping: {step: 0.001, formulation: velocity}"};

// With m a = F + m g sin for the force F of friction, and 2/5 m R^2 a / R = -F R - rolling N, a
// ball that rolls without slip accelerates by 5/7 g (sin - rolling / R cos).
TEST(RollingFriction, SlowsABall) {
  for (const char* method : kMethods) {
    for (const double angle : {0.0, 0.02, 0.1}) {
      SceneRun run(on_slope(angle, ball(1.0), method));
      ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << method << run.last.message;
      const SinCos at = sin_cos(angle);
      const double a = 5.0 / 7.0 * kG * (at.sin - kRolling / kRadius * at.cos);
      const double t = run.built.state.t;
      EXPECT_NEAR(run.twist("it").v.x(), 1.0 + a * t, 1e-6) << method << angle;
      EXPECT_NEAR(run.twist("it").w.y(), (1.0 + a * t) / kRadius, 1e-5) << method << angle;
      EXPECT_NEAR(run.position("it").x(), t + 0.5 * a * t * t, 0.001 * std::fabs(a) * t) << method;
      EXPECT_LE(run.worst_residual, 1e-6) << method;
      run.expect_ledger_closes();
    }
  }
}

// It stops where its energy is used up, and stays: m v^2 7/10 = rolling N s / R.
TEST(RollingFriction, StopsABallForGood) {
  for (const char* method : kMethods) {
    SceneRun run(on_slope(0.0, ball(0.5), method));
    ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd) << method << run.last.message;
    const double way = 0.7 * 0.25 * kRadius / (kRolling * kG);
    EXPECT_NEAR(run.position("it").x(), way, 1e-3) << method;
    EXPECT_LE(run.built.state.v.norm(), 1e-9) << method;
    const double used = 2.0 * 0.7 * 0.25;
    EXPECT_NEAR(run.work[contact::Ledger::kFriction], -used, 0.002 * used) << method;
  }
}

// A ball stays where the slope is below rolling / R, and rolls where it is above.
TEST(RollingFriction, HoldsABallOnAGentleSlope) {
  const double critical = std::atan(kRolling / kRadius);
  for (const char* method : kMethods) {
    SceneRun below(on_slope(0.98 * critical, ball(0.0), method));
    ASSERT_EQ(below.run_until(1.0), AdvanceStatus::kReachedEnd) << method << below.last.message;
    EXPECT_LE(std::fabs(below.position("it").x()), 1e-9) << method;
    SceneRun above(on_slope(1.02 * critical, ball(0.0), method));
    ASSERT_EQ(above.run_until(1.0), AdvanceStatus::kReachedEnd) << method << above.last.message;
    const double a = 5.0 / 7.0 * kG * std::cos(1.02 * critical) *
                     (std::tan(1.02 * critical) - kRolling / kRadius);
    EXPECT_NEAR(above.position("it").x(), 0.5 * a, 0.01 * a) << method;
  }
}

// Without friction against slip there is nothing to roll on, but a moment against the rotation:
// 2/5 m R^2 dw/dt = -rolling N.
TEST(RollingFriction, SlowsRotationWithoutSlidingFriction) {
  SceneRun run(on_slope(0.0, ball(1.0), kMethods[0], "{along: 0, rolling: 0.004}"));
  ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("it").v.x(), 1.0, 1e-9);
  const double slower = 2.5 * kRolling * kG / (kRadius * kRadius) * run.built.state.t;
  EXPECT_NEAR(run.twist("it").w.y(), 1.0 / kRadius - slower, 1e-6);
}

// The disc of moments is round: a ball that rolls askew slows down along its way. Lemke's polygon
// has eight corners, so this is for the cone.
TEST(RollingFriction, IsTheSameInAllDirections) {
  const double c = 0.6;
  const double s = 0.8;
  SceneRun run(on_slope(0.0,
                        "mass: 2, position: [0, 0, 0.1], velocity: [0.6, 0.8, 0], "
                        "angular_velocity: [-8, 6, 0], shapes: [{sphere: {radius: 0.1}}]",
                        kMethods[0]));
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
  const double speed = 1.0 - 5.0 / 7.0 * kG * kRolling / kRadius * run.built.state.t;
  EXPECT_NEAR(run.twist("it").v.x(), c * speed, 1e-6);
  EXPECT_NEAR(run.twist("it").v.y(), s * speed, 1e-6);
}

// A disc in a plane, and a ball between two plates whose load is not its weight: the law holds for
// the impulses of the answer, in islands of several contacts.
TEST(RollingFriction, HoldsInThePlaneAndUnderLoad) {
  SceneRun disc(
      on_slope(0.0,
               "joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, mass: 2, inertia: 0.008, "
               "position: [0, 0, 0.1], velocity: [1, 0, 0], angular_velocity: [0, 10, 0], "
               "shapes: [{sphere: {radius: 0.1}}]",
               kMethods[0]));
  ASSERT_EQ(disc.run_until(0.5), AdvanceStatus::kReachedEnd) << disc.last.message;
  const double a = 5.0 / 7.0 * kG * kRolling / kRadius;
  EXPECT_NEAR(disc.twist("it").v.x(), 1.0 - a * disc.built.state.t, 1e-6);

  for (const char* method : kMethods) {
    // The plate moves on guides: 10 kg press on the ball and roll on it.
    SceneRun run(
        "tenpin: 1\nname: press\nmaterials: {m: {friction: {along: 0.8, rolling: 0.004}}}\n"
        "bodies:\n"
        "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
        "  - {name: it, material: m, mass: 2, position: [0, 0, 0.1], velocity: [1, 0, 0], "
        "angular_velocity: [0, 10, 0], shapes: [{sphere: {radius: 0.1}}]}\n"
        "  - {name: plate, material: m, mass: 10, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]"
        "}}, inertia: 1e6, position: [0, 0, 0.25], velocity: [2, 0, 0], "
        "shapes: [{box: {size: [4, 1, 0.1]}}]}\nmethod: {" +
        std::string(method) + "}\n");
    ASSERT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd) << method << run.last.message;
    // Energy: (7/10 m + 2 M) v^2 with the plate at 2 v; the moments take
    // (rolling / R) ((m + M) g + M g) v.
    const double inertia = 2.0 * (0.7 * 2.0 + 2.0 * 10.0);
    const double force = kRolling / kRadius * kG * (12.0 + 10.0);
    EXPECT_NEAR(run.twist("it").v.x(), 1.0 - force / inertia * run.built.state.t, 2e-6) << method;
    EXPECT_LE(run.worst_residual, 1e-6) << method;
    run.expect_ledger_closes();
  }
}

// What the run file says: a row of its own without a force, a moment about an axis in the surface.
TEST(RollingFriction, IsRecordedAsAMoment) {
  SceneRun run(on_slope(0.0, ball(1.0), kMethods[0]));
  int rows = 0;
  run.watch = [&](const StepReport& /*report*/, auto contacts, const auto& /*state*/) {
    for (const contact::ContactRecord& r : contacts) {
      if (!r.key.is_rolling()) continue;
      ++rows;
      EXPECT_TRUE(r.impulse.isZero(0.0));
      EXPECT_NEAR(r.spin_impulse, 0.001 * kRolling * 2.0 * kG, 1e-9);
      EXPECT_NEAR((r.normal - Vec3(0, -1, 0)).norm(), 0.0, 1e-6);
      EXPECT_NEAR((r.slip - run.twist("it").w).norm(), 0.0, 0.1);
      EXPECT_EQ(r.mode, contact::Mode::kSliding);
    }
  };
  ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_EQ(rows, 10);
}

TEST(RollingFriction, IsRefusedByNameWhereItCannotBe) {
  const auto refusal = [](const std::string& method) -> std::string {
    try {
      const SceneRun run(on_slope(0.0, ball(1.0), method));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* method : {"analytic: {}", "impulse: {}", "time-stepping: {order: 2}"}) {
    EXPECT_NE(refusal(method).find("rolling friction"), std::string::npos) << refusal(method);
  }
}

}  // namespace
}  // namespace tenpin::methods
