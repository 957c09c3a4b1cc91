// Bodies that cannot meet do not stop for each other's events, nor take each other's steps.
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr int kBalls = 30;

// Some of a row of balls that fall from different heights, and bounce.
std::string some_balls(int begin, int end) {
  std::string yaml =
      "tenpin: 1\nmaterials: {m: {friction: 0.3, restitution: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (int i = begin; i < end; ++i) {
    yaml += "  - {name: b" + std::to_string(i) + ", material: m, mass: 1, position: [" +
            std::to_string(i) + ", 0, " + to_text(0.2 + 0.013 * i) +
            "], velocity: [0.3, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n";
  }
  return yaml + "method: {analytic: {}}\n";
}

TEST(AnalyticDivision, BallsBounceAsEachDoesByItself) {
  constexpr double kTime = 0.6;    // s
  constexpr double kError = 1e-9;  // m, m/s: of the integrator, magnified by bounces
  SceneRun all(some_balls(0, kBalls));
  ASSERT_EQ(all.run_until(kTime), AdvanceStatus::kReachedEnd) << all.last.message;
  // 72, and 338 if all stop at every event of one of them.
  EXPECT_LE(all.built.state.step, 150);
  EXPECT_LE(all.worst_penetration, 2e-9);
  all.expect_ledger_closes();
  for (const int i : {0, 7, kBalls - 1}) {
    SceneRun one(some_balls(i, i + 1));
    ASSERT_EQ(one.run_until(kTime), AdvanceStatus::kReachedEnd) << one.last.message;
    EXPECT_LE((all.built.state.q.segment<7>(7 * i) - one.built.state.q).norm(), kError);
    EXPECT_LE((all.built.state.v.segment<6>(6 * i) - one.built.state.v).norm(), kError);
  }
}

}  // namespace
}  // namespace tenpin::methods
