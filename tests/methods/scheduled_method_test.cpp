#include "methods/scheduled_method.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dynamics/kinematics.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::methods {
namespace {

using dynamics::State;

struct ScheduledRun {
  ScheduledRun(const std::string& yaml, const std::string& method_yaml)
      : scene(scene::parse_scene(yaml + "method: {" + method_yaml + "}\nuntil: 10\n", "test.yaml")),
        built(scene::build(scene)),
        method(make_scheduled_method(&built.model, scene.method, 1)) {}

  AdvanceStatus go(double t) { return method->advance(t, t, &built.state, nullptr); }
  const State& state() const { return built.state; }

  scene::Scene scene;
  scene::Built built;
  std::unique_ptr<Method> method;
};

// A ball of 2 kg without gravity.
std::string make_pushed_ball(const std::string& forces) {
  return "tenpin: 1\ngravity: [0, 0, 0]\nmaterials: {default: {friction: 0}}\nbodies:\n"
         "  - name: ball\n    mass: 2\n    shapes: [{sphere: {radius: 0.1}}]\n    forces: [" +
         forces + "]\n";
}

// The times lie between the ends of steps.
const std::string kSteps =
    "{force: {points: [[0, 0, 0, 0], [0.1003, 4, 0, 0], [0.3007, -2, 0, 0], [0.5, 0, 0, 0]], "
    "interpolation: step}}";
// m/s, m   by hand: accelerations of 2 and -1 m/s^2 for 0.2004 and 0.1993 s
constexpr double kStepSpeed = 2.0 * 0.2004 - 0.1993;
constexpr double kStepPath =
    0.2004 * 0.2004 + 2.0 * 0.2004 * (1.0 - 0.3007) - 0.5 * 0.1993 * 0.1993 - 0.1993 * 0.5;

TEST(Scheduled, StepwiseForceIsExactInEveryMethod) {
  for (const std::string method :
       {"time-stepping: {step: 0.01, order: 1}", "time-stepping: {step: 0.01, order: 2}",
        "analytic: {}", "impulse: {}", "penalty: {step: 0.01}"}) {
    ScheduledRun run(make_pushed_ball(kSteps), method);
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_EQ(run.state().t, 1.0);
    EXPECT_NEAR(run.state().v[0], kStepSpeed, 1e-12) << method;
    const bool is_exact =
        method.find("order: 1") == std::string::npos && method.find("penalty") == std::string::npos;
    // Kick and drift of order 1 leave h v / 2 for each change of velocity.
    EXPECT_NEAR(run.state().q[0], kStepPath, is_exact ? 1e-11 : 0.01) << method;
  }
}

TEST(Scheduled, SpanOfAForceIsItsOnAndOff) {
  for (const std::string method : {"time-stepping: {step: 0.01}", "analytic: {}", "impulse: {}"}) {
    ScheduledRun run(make_pushed_ball("{force: [4, 0, 0], during: [0.1003, 0.3007]}"), method);
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().v[0], 2.0 * 0.2004, 1e-12) << method;
  }
}

TEST(Scheduled, LinearForceIsExactWhereFlightsAreIntegrated) {
  for (const std::string method : {"analytic: {}", "impulse: {}"}) {
    // N   a triangle of 3 N s: 1.5 m/s
    ScheduledRun run(
        make_pushed_ball("{force: {points: [[0.11, 0, 0, 0], [0.37, 6, 0, 0], [1.11, 0, 0, 0]]}}"),
        method);
    ASSERT_EQ(run.go(2.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().v[0], 1.5, 1e-12) << method;
  }
}

// Halving the step must quarter the error on a smooth table, as without one.
TEST(Scheduled, SecondOrderKeepsItsOrderOnSmoothTables) {
  const std::string force =
      "{force: {points: [[0, 0, 0, 0], [0.3, 8, 3, 0], [0.55, -6, 1, 0], [1, 0, 0, 0]], "
      "interpolation: cubic}, viscous: 3}";
  ScheduledRun exact(make_pushed_ball(force), "analytic: {}");
  ASSERT_EQ(exact.go(1.0), AdvanceStatus::kReachedEnd);
  std::vector<double> errors;
  for (const std::string step : {"0.04", "0.02", "0.01"}) {
    ScheduledRun run(make_pushed_ball(force), "time-stepping: {order: 2, step: " + step + "}");
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd);
    errors.push_back((run.state().q.head<3>() - exact.state().q.head<3>()).norm());
  }
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    const double order = std::log2(errors[k] / errors[k + 1]);
    EXPECT_GT(order, 1.8);
    EXPECT_LT(order, 2.3);
  }
}

TEST(Scheduled, MotorFollowsItsTable) {
  const std::string scene =
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - name: arm\n    mass: 1\n    inertia: [1, 1, 1]\n"
      "    joint: {hinge: {axis: [0, 0, 1], motor: {torque: {points: [[0, 0], [1, 6]]}}}}\n";
  for (const std::string method : {"time-stepping: {step: 0.01}", "analytic: {}", "impulse: {}"}) {
    ScheduledRun run(scene, method);
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    // rad/s   the integral of 6 t
    EXPECT_NEAR(run.state().v[0], 3.0, 1e-10) << method;
    EXPECT_NEAR(run.state().q[0], 1.0, 1e-10) << method;
  }
}

TEST(Scheduled, MotorActsDuringItsTime) {
  const std::string scene =
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - name: arm\n    mass: 1\n    inertia: [1, 1, 1]\n"
      "    joint: {hinge: {axis: [0, 0, 1], motor: {torque: 2, during: [0.2501, 0.7503]}}}\n";
  for (const std::string method :
       {"time-stepping: {step: 0.01}", "time-stepping: {step: 0.01, order: 1}", "analytic: {}"}) {
    ScheduledRun run(scene, method);
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().v[0], 2.0 * 0.5002, 1e-10) << method;
  }
}

// The last step with the motor ends where the motor is switched off, and must not see that.
TEST(Scheduled, MotorIsSwitchedAtTheEndOfAStep) {
  const std::string scene =
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - name: arm\n    mass: 1\n    inertia: [1, 1, 1]\n"
      "    joint: {hinge: {axis: [0, 0, 1], motor: {torque: 2, during: [0, 0.5]}}}\n";
  for (const std::string method :
       {"time-stepping: {step: 0.01}", "time-stepping: {step: 0.01, order: 1}", "analytic: {}"}) {
    ScheduledRun run(scene, method);
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().v[0], 1.0, 1e-10) << method;
  }
}

Pose find_pose(const ScheduledRun& run, int body) {
  std::vector<Pose> X_WB;
  update_poses(run.built.model, run.state().q, run.state().t, &X_WB);
  return X_WB[static_cast<std::size_t>(body)];
}

TEST(Scheduled, PrescribedMotionFollowsItsTables) {
  const std::string scene =
      "tenpin: 1\nbodies:\n"
      "  - name: lift\n    position: [1, 0, 0]\n"
      "    motion: {velocity: {points: [[0, 0, 0, 1], [0.5, 0, 0, -1]], interpolation: step},\n"
      "             axis: [0, 0, 2], angle: {points: [[0, 0], [1, 1.5]], interpolation: cubic}}\n"
      "    shapes: [{box: {size: [1, 1, 0.1]}}]\n";
  ScheduledRun run(scene, "time-stepping: {step: 0.01}");
  ASSERT_EQ(run.go(0.8), AdvanceStatus::kReachedEnd);
  const Pose X = find_pose(run, 0);
  EXPECT_NEAR(X.p.x(), 1.0, 1e-14);
  EXPECT_NEAR(X.p.z(), 0.5 - 0.3, 1e-14);
  const double angle = 1.5 * 0.8 * 0.8 * (3.0 - 2.0 * 0.8);  // Hermite's cubic
  EXPECT_NEAR(X.R(0, 0), std::cos(angle), 1e-14);
}

// A ball rests on a lift that accelerates: the ledger closes and the ball is carried.
TEST(Scheduled, LiftCarriesABall) {
  const std::string scene =
      "tenpin: 1\nbodies:\n"
      "  - name: lift\n    position: [0, 0, -0.05]\n"
      "    motion: {position: {points: [[0, 0, 0, 0], [0.5, 0, 0, 0.2], [1, 0, 0, 0.2]], "
      "interpolation: cubic}}\n"
      "    shapes: [{box: {size: [1, 1, 0.1]}}]\n"
      "  - {name: ball, mass: 1, position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]}\n";
  for (const std::string method : {"time-stepping: {step: 0.005}", "analytic: {}"}) {
    ScheduledRun run(scene, method);
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().q[2], 0.3, 1e-6) << method;
  }
}

const std::string kDrop =
    "tenpin: 1\ngravity: [0, 0, -10]\nbodies:\n"
    "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
    "  - {name: ball, mass: 1, position: [0, 0, 5.1], shapes: [{sphere: {radius: 0.1}}]}\n";

TEST(Events, EventDrivenMethodsLocateABound) {
  const std::string events =
      "events: [{name: low, when: {quantity: bodies.ball.position.z, below: 3.1}, "
      "do: {set: {gravity: [0, 0, 0]}}}]\n";
  const double t = std::sqrt(0.4);  // s   a fall of 2 m
  for (const std::string method : {"analytic: {}", "impulse: {}"}) {
    ScheduledRun run(kDrop + events, method);
    ASSERT_EQ(run.go(0.8), AdvanceStatus::kReachedEnd) << method;
    ASSERT_EQ(run.state().fired.size(), 1U) << method;
    EXPECT_NEAR(run.state().fired[0].t, t, 2e-12) << method;
    EXPECT_NEAR(run.state().v[2], -10.0 * t, 1e-10) << method;
    EXPECT_NEAR(run.state().q[2], 3.1 - 10.0 * t * (0.8 - t), 1e-10) << method;
  }
}

// The second condition holds as soon as the first event has set the velocity of the plate.
TEST(Events, ConditionThatHoldsAtTheStartOfAStepFiresThere) {
  const std::string scene =
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: plate, motion: {velocity: [0, 0, 0]}, shapes: [{box: {size: [1, 1, 0.1]}}]}\n"
      "  - {name: ball, mass: 1, position: [0, 0, 5], shapes: [{sphere: {radius: 0.1}}]}\n"
      "events:\n"
      "  - {name: start, when: {quantity: t, above: 0.5}, "
      "do: {set: {motion: plate, velocity: [0, 0, 1]}}}\n"
      "  - {name: moving, when: {quantity: bodies.plate.velocity.z, above: 0.5}, "
      "do: {set: {gravity: [0, 0, -1]}}}\n";
  for (const std::string method : {"analytic: {}", "impulse: {}", "time-stepping: {step: 0.01}"}) {
    ScheduledRun run(scene, method);
    for (int k = 1; k <= 20 && run.state().t < 1.0; ++k) {
      ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    }
    ASSERT_EQ(run.state().t, 1.0) << method;
    EXPECT_EQ(run.state().fired.size(), 2U) << method;
  }
}

TEST(Events, SteppingMethodsActInTheNextStep) {
  const std::string events =
      "events: [{name: low, when: {quantity: bodies.ball.position.z, below: 3.1}, "
      "do: {set: {gravity: [0, 0, 0]}}}]\n";
  ScheduledRun run(kDrop + events, "time-stepping: {step: 0.01}");
  ASSERT_EQ(run.go(0.8), AdvanceStatus::kReachedEnd);
  ASSERT_EQ(run.state().fired.size(), 1U);
  EXPECT_NEAR(run.state().fired[0].t, 0.64, 1e-15);  // s   the first step after 0.632 s
  EXPECT_NEAR(run.state().v[2], -6.4, 1e-12);
}

TEST(Events, ContactStopsTheRunAtTheImpact) {
  const std::string events =
      "events: [{name: landed, when: {contact: [ball, floor]}, do: {stop: true}}]\n";
  for (const std::string method : {"analytic: {}", "impulse: {}", "time-stepping: {step: 0.01}"}) {
    ScheduledRun run(kDrop + events, method);
    ASSERT_EQ(run.go(2.0), AdvanceStatus::kStopped) << method;
    // The envelope of `impulse` is 1 mm, and a step of order 2 ends with what it began.
    const double late = method.starts_with("analytic")  ? 1e-9
                        : method.starts_with("impulse") ? 2e-4
                                                        : 0.011;
    EXPECT_NEAR(run.state().t, 1.0, late) << method;
    ASSERT_EQ(run.state().fired.size(), 1U);
    EXPECT_EQ(run.go(1.2), AdvanceStatus::kReachedEnd) << method;  // goes on if asked
  }
}

TEST(Events, ReleasedLoopLetsGo) {
  const std::string scene =
      "tenpin: 1\ngravity: [0, 0, -10]\nbodies:\n"
      "  - {name: gate, mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}\n"
      "loops: [{name: latch, weld: {bodies: [gate, world], anchors: [[0, 0, 0], [0, 0, 1]]}}]\n"
      "events: [{name: open, when: {quantity: t, above: 0.5}, do: {release: latch}}]\n";
  for (const std::string method :
       {"time-stepping: {step: 0.01}", "time-stepping: {step: 0.01, order: 1}", "analytic: {}",
        "impulse: {}"}) {
    ScheduledRun run(scene, method);
    ASSERT_EQ(run.go(0.45), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().q[2], 1.0, 1e-12) << method;
    ASSERT_EQ(run.go(1.0), AdvanceStatus::kReachedEnd) << method;
    EXPECT_NEAR(run.state().v[2], -5.0, 1e-9) << method;
  }
}

TEST(Events, EffectsFollowFromTheState) {
  const std::string scene =
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: plate, motion: {}, shapes: [{box: {size: [1, 1, 0.1]}}]}\n"
      "  - name: arm\n    position: [0, 0, 3]\n    mass: 1\n    inertia: [1, 1, 1]\n"
      "    joint: {hinge: {axis: [0, 0, 1], motor: {torque: 1}}}\n"
      "events:\n"
      "  - {name: push, when: {quantity: joints.arm.velocity, above: 0.3},\n"
      "     do: {set: [{motor: arm, target: -1}, {motion: plate, velocity: [1, 0, 0]},\n"
      "                {push: arm, force: [0, 0, 0], torque: [0, 0, -1]}]}}\n"
      "  - {name: free, when: {quantity: joints.arm.velocity, below: -0.2}, do: {release: arm}}\n";
  for (const std::string method : {"time-stepping: {step: 0.01}", "analytic: {}"}) {
    ScheduledRun whole(scene, method);
    ASSERT_EQ(whole.go(0.4), AdvanceStatus::kReachedEnd);
    const State middle = whole.state();
    ASSERT_EQ(middle.fired.size(), 1U) << method;
    ASSERT_EQ(whole.go(1.5), AdvanceStatus::kReachedEnd);
    ASSERT_EQ(whole.state().fired.size(), 2U) << method;
    EXPECT_NEAR(find_pose(whole, 0).p.x(), 1.5 - whole.state().fired[0].t, 1e-12);

    ScheduledRun rest(scene, method);
    rest.built.state = middle;
    ASSERT_EQ(rest.go(1.5), AdvanceStatus::kReachedEnd);
    EXPECT_EQ(rest.state().q, whole.state().q) << method;
    EXPECT_EQ(rest.state().v, whole.state().v) << method;
    EXPECT_EQ(rest.state().fired, whole.state().fired) << method;

    whole.built.state = middle;  // and back
    ASSERT_EQ(whole.go(1.5), AdvanceStatus::kReachedEnd);
    EXPECT_EQ(rest.state().v, whole.state().v) << method;
  }
}

}  // namespace
}  // namespace tenpin::methods
