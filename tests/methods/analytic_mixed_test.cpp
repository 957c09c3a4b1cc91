// Mixed bodies that fall on each other and on a floor: scenes drawn at random, of those that once
// could not be followed to their end. What stopped them stands beside them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

enum Form { kCube, kPlank, kBall, kPill, kDisk, kRod };
enum Turn { kUpright, kTilted, kLying };
enum Spin { kStill, kSlow, kFast };
enum Push { kNone, kSideways, kDown };

struct Falling {
  Form form;
  double mass;     // kg
  double x, y, z;  // m
  Turn turn;
  Spin spin;
  Push push;
};

struct Heap {
  const char* what;  // stopped it
  double friction;
  double restitution;
  std::vector<Falling> bodies;
};

std::string to_yaml(const Heap& heap) {
  const char* const forms[] = {"box: {half: [0.1, 0.1, 0.1]}",
                               "box: {half: [0.2, 0.05, 0.03]}",
                               "sphere: {radius: 0.1}",
                               "capsule: {radius: 0.05, length: 0.2}",
                               "cylinder: {radius: 0.1, length: 0.1}",
                               "cylinder: {radius: 0.05, length: 0.3}"};
  const char* const turns[] = {"", ", orientation: {axis: [1, 2, 3], radians: 0.4}",
                               ", orientation: {axis: [1, 0, 0], radians: 1.5707963267948966}"};
  const char* const spins[] = {"", ", angular_velocity: [0.3, 0.2, -0.1]",
                               ", angular_velocity: [3, -2, 1]"};
  const char* const pushes[] = {"", ", velocity: [0.5, 0, 0]", ", velocity: [0, 1, -1]"};
  std::string yaml =
      "tenpin: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {friction: " + to_text(heap.friction) +
      ", restitution: " + to_text(heap.restitution) +
      "}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (const Falling& b : heap.bodies) {
    yaml += "  - {name: b" + std::to_string(&b - heap.bodies.data()) +
            ", material: m, mass: " + to_text(b.mass) + ", position: [" + to_text(b.x) + ", " +
            to_text(b.y) + ", " + to_text(b.z) + "], shapes: [{" + forms[b.form] + "}]" +
            turns[b.turn] + spins[b.spin] + pushes[b.push] + "}\n";
  }
  return yaml + "method: {analytic: {}}\n";
}

// clang-format off
const std::vector<Heap> kHeaps = {
    {"fixed points of a rim beside the one that rolls", 0.1, 0.5,
     {{kDisk, 0.2, 0, 0, 0.15, kLying, kFast, kDown},
      {kPill, 100, 0, 0, 0.55, kLying, kFast, kSideways}}},
    {"the same, without friction", 0, 0,
     {{kPill, 5, 0.05, 0, 0.15, kLying, kStill, kSideways},
      {kRod, 1, 0.05, 0.01, 0.37, kTilted, kSlow, kSideways},
      {kPill, 1, 0, 0.01, 0.67, kUpright, kStill, kDown}}},
    {"the same, after a bounce", 0, 0.8,
     {{kDisk, 100, 0, 0.01, 0.15, kUpright, kSlow, kNone},
      {kDisk, 1, 0.05, 0.01, 0.37, kLying, kStill, kDown},
      {kPlank, 0.2, -0.08, 0.01, 0.77, kUpright, kStill, kNone},
      {kPill, 100, 0, 0, 0.99, kTilted, kStill, kDown},
      {kRod, 100, 0, 0.01, 1.21, kLying, kSlow, kDown}}},
    {"a cylinder that tips over its rim", 0.5, 0,
     {{kRod, 5, 0, 0, 0.15, kUpright, kStill, kSideways},
      {kCube, 1, 0.05, 0.01, 0.45, kLying, kFast, kSideways}}},
    {"two rims that cross", 0, 0.5,
     {{kPill, 1, -0.08, 0, 0.15, kTilted, kStill, kNone},
      {kPill, 1, 0, 0.01, 0.45, kLying, kFast, kNone},
      {kDisk, 0.2, 0, 0, 0.67, kLying, kFast, kDown}}},
    {"slips that begin in no settled direction", 0.5, 0.2,
     {{kPill, 0.2, -0.08, 0, 0.15, kTilted, kSlow, kNone},
      {kCube, 5, 0.05, 0.01, 0.45, kTilted, kSlow, kDown},
      {kRod, 1, 0, 0, 0.67, kLying, kStill, kSideways},
      {kPlank, 1, 0, 0, 0.97, kLying, kSlow, kDown},
      {kRod, 100, 0, 0, 1.37, kLying, kStill, kNone},
      {kRod, 0.2, -0.08, 0, 1.77, kUpright, kFast, kDown}}},
    {"slips and hops that make each other", 1, 0,
     {{kCube, 100, 0, 0, 0.15, kTilted, kStill, kSideways},
      {kPlank, 100, 0, 0.01, 0.37, kUpright, kStill, kNone}}},
    {"a fixed point of a rim that is nearly its lowest", 1, 0.8,
     {{kDisk, 5, 0, 0, 0.15, kLying, kStill, kDown},
      {kRod, 100, -0.08, 0, 0.37, kLying, kFast, kNone},
      {kPlank, 5, 0.05, 0, 0.77, kUpright, kStill, kNone}}},
    {"an edge that ends where it touches", 0.5, 0.5,
     {{kPlank, 100, 0.05, 0, 0.15, kUpright, kFast, kNone},
      {kRod, 1, 0, 0.01, 0.55, kLying, kSlow, kSideways},
      {kPlank, 0.2, 0.05, 0, 0.77, kLying, kStill, kDown},
      {kPlank, 100, 0, 0, 0.99, kLying, kSlow, kSideways},
      {kPlank, 0.2, 0, 0.01, 1.21, kLying, kFast, kNone}}},
};
// clang-format on

class AnalyticHeap : public ::testing::TestWithParam<int> {};

TEST_P(AnalyticHeap, IsFollowedToItsEnd) {
  const Heap& heap = kHeaps[GetParam()];
  SceneRun run(to_yaml(heap));
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd)
      << heap.what << ", at " << run.built.state.t << " s: " << run.last.message;
  EXPECT_LE(run.worst_residual, 1e-8);
  EXPECT_LE(run.worst_penetration, 2e-9);
  run.expect_ledger_closes();
}

INSTANTIATE_TEST_SUITE_P(Formerly, AnalyticHeap,
                         ::testing::Range(0, static_cast<int>(kHeaps.size())));

// Dominoes that come to lie face on face, and pivot there: edges cross at small angles, forces are
// open, and slips begin all over a face.
TEST(AnalyticDominoes, PivotOnEachOther) {
  SceneRun run(R"(
tenpin: 1
materials: {tile: {friction: 0.5, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: tile, shapes: [{plane: {}}]}
  - name: domino
    material: tile
    mass: 0.01
    position: [0, 0, 0.024]
    shapes: [{box: {size: [0.0075, 0.024, 0.048]}}]
    repeat: {stack: 4, spacing: [0.022, 0, 0]}
  - name: finger
    material: tile
    mass: 0.05
    position: [-0.0125, 0, 0.04]
    velocity: [0.5, 0, 0]
    shapes: [{sphere: {radius: 0.005}}]
method: {analytic: {}}
)");
  EXPECT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd)
      << run.built.state.t << " s: " << run.last.message;
  // 1461, and 3358 if every slip is followed from and to 1e-8 m/s.
  EXPECT_LE(run.built.state.step, 2000);
  EXPECT_LE(run.worst_residual, 1e-8);
  EXPECT_LE(run.worst_penetration, 2e-9);
  run.expect_ledger_closes();
}

}  // namespace
}  // namespace tenpin::methods
