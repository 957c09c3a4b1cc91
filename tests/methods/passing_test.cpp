// Nothing passes through a wall, however thin the wall and however fast the shot.
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr const char* kMethods[] = {
    "order: 1, solver: lemke, formulation: position",
    "order: 1, solver: lemke, formulation: velocity",
    "order: 1, solver: cone, formulation: position",
    "order: 1, solver: cone, formulation: nonlinear",
    "order: 1, contact: {compliance: 0.01}",
    "order: 2, solver: cone",
    "order: 2, solver: lemke",
};

struct Shot {
  std::string shape;
  double speed = 0.0;  // m/s
  double thick = 0.0;  // m   of the wall
  std::string spin = "0, 0, 0";
  std::string wall = "fixed: true";
  std::string restitution = "0";
};

std::string make_scene(const Shot& shot, const std::string& method) {
  const bool bounces = shot.restitution != "0";
  return "tenpin: 1\nname: shot\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0.3, restitution: " +
         shot.restitution + "}}\nbodies:\n  - {name: wall, " + shot.wall +
         ", material: m, shapes: [{box: {size: [" + to_text(shot.thick) +
         ", 4, 4]}}]}\n  - {name: shot, mass: 1, material: m, position: [-1.37, 0, 0], velocity: "
         "[" +
         to_text(shot.speed) + ", 0, 0], angular_velocity: [" + shot.spin + "], shapes: [{" +
         shot.shape + "}]}\nmethod: {time-stepping: {" + method +
         (bounces ? ", restitution: newton" : "") + "}}\n";
}

TEST(Passing, BallsAndBoxesStopAtThinWalls) {
  for (const std::string method : kMethods) {
    for (const char* shape : {"sphere: {radius: 0.1}", "box: {size: [0.2, 0.2, 0.2]}"}) {
      for (const double speed : {10.0, 40.0, 200.0, 500.0}) {
        for (const double thick : {1e-4, 1e-2}) {
          SceneRun run(make_scene({.shape = shape, .speed = speed, .thick = thick}, method));
          EXPECT_EQ(run.run_until(4.0 / speed), AdvanceStatus::kReachedEnd) << run.last.message;
          // The velocity formulation stops a step short of the wall, compliant contact pushes back.
          const bool is_exact = method.find("velocity") == std::string::npos &&
                                method.find("compliance") == std::string::npos;
          const double beyond = run.position("shot").x() + 0.1 + 0.5 * thick;
          EXPECT_LT(beyond, is_exact ? 1e-7 : 0.02 * speed / 240.0)
              << method << ", " << shape << ", " << speed << " m/s, " << thick << " m";
          EXPECT_GT(beyond, is_exact ? -1e-7 : -speed / 240.0) << method << ", " << speed;
        }
      }
    }
  }
}

TEST(Passing, BallBouncesOffAThinWall) {
  for (const char* method : {"order: 1, solver: lemke", "order: 1, solver: cone", "order: 2"}) {
    const Shot shot = {.shape = "sphere: {radius: 0.1}",
                       .speed = 100.0,
                       .thick = 1e-4,
                       .spin = "0, 0, 0",
                       .wall = "fixed: true",
                       .restitution = "0.5"};
    SceneRun run(make_scene(shot, method));
    EXPECT_EQ(run.run_until(0.05), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.twist("shot").v.x(), -50.0, 1e-3) << method;
    run.expect_ledger_closes();
  }
}

// Also a wall that gives way, and one that comes to meet the shot.
TEST(Passing, MomentumIsSharedWithAPlate) {
  for (const std::string method : kMethods) {
    for (const double meets : {0.0, -300.0}) {
      const Shot shot = {.shape = "sphere: {radius: 0.1}",
                         .speed = 200.0,
                         .thick = 1e-3,
                         .spin = "0, 0, 0",
                         .wall = "mass: 4, velocity: [" + to_text(meets) + ", 0, 0]"};
      SceneRun run(make_scene(shot, method));
      EXPECT_EQ(run.run_until(0.02), AdvanceStatus::kReachedEnd) << run.last.message;
      const double together = (200.0 + 4.0 * meets) / 5.0;
      EXPECT_NEAR(run.twist("shot").v.x(), together, 0.02 * 200.0) << method;
      EXPECT_LT(run.position("shot").x(), run.position("wall").x()) << method;
    }
  }
}

// A paddle on a hinge strikes a thin plate: its blade moves on an arc.
TEST(Passing, PaddleDoesNotSwingThroughAPlate) {
  for (const char* method : {"order: 1, solver: lemke", "order: 1, solver: cone", "order: 2"}) {
    SceneRun run(std::string("tenpin: 1\nname: paddle\ngravity: [0, 0, 0]\nbodies:\n"
                             "  - {name: plate, fixed: true, position: [0, 0.6, 0],"
                             " shapes: [{box: {size: [0.001, 0.6, 1]}}]}\n"
                             "  - {name: paddle, mass: 1, position: [-0.5, 0, 0],"
                             " joint: {hinge: {axis: [0, 0, 1], anchor: [0.5, 0, 0], rate: -60}},"
                             " shapes: [{box: {size: [0.9, 0.004, 0.2]}}]}\n"
                             "method: {time-stepping: {") +
                 method + "}}\n");
    bool stays = true;
    run.watch = [&](const StepReport&, std::span<const contact::ContactRecord>,
                    const dynamics::State&) {
      stays = stays && run.position("paddle").x() < 0.01;
    };
    EXPECT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_TRUE(stays) << method;
    EXPECT_GT(run.position("paddle").y(), 0.1) << method;
  }
}

}  // namespace
}  // namespace tenpin::methods
