// Bodies that cannot meet do not stop for each other's events, nor take each other's steps.
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "methods/analytic/submodel.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr int kBalls = 30;

// Some of a row of balls that fall from different heights, and bounce.
std::string some_balls(int begin, int end, const std::string& friction = "0.3",
                       const std::string& options = "") {
  std::string yaml = "tenpin: 1\nmaterials: {m: {friction: " + friction +
                     ", restitution: 0.5}}\nbodies:\n"
                     "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (int i = begin; i < end; ++i) {
    yaml += "  - {name: b" + std::to_string(i) + ", material: m, mass: 1, position: [" +
            std::to_string(i) + ", 0, " + to_text(0.2 + 0.013 * i) +
            "], velocity: [0.3, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n";
  }
  return yaml + "method: {analytic: {" + options + "}}\n";
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

// Contacts of a part of the model refer to its limit surfaces, also where friction is switched off.
TEST(AnalyticDivision, PartsHaveTheLimitSurfacesOfTheWhole) {
  constexpr double kTime = 0.6;  // s
  const std::string limit =
      "{limit: {polygon: [[0.6, 0.3], [0.6, -0.3], [-0.2, -0.3], "
      "[-0.2, 0.3]]}, axis: [1, 0, 0]}";
  SceneRun limited(some_balls(0, kBalls, limit, "friction: none"));
  ASSERT_EQ(limited.run_until(kTime), AdvanceStatus::kReachedEnd) << limited.last.message;
  SceneRun plain(some_balls(0, kBalls, "0", "friction: none"));
  ASSERT_EQ(plain.run_until(kTime), AdvanceStatus::kReachedEnd) << plain.last.message;
  EXPECT_LE(limited.built.state.step, 150);  // divided, as above
  EXPECT_EQ(limited.built.state.q, plain.built.state.q);
  EXPECT_EQ(limited.built.state.v, plain.built.state.v);
}

TEST(AnalyticDivision, PartsHaveTheKeptOverlapsOfTheirBodies) {
  const SceneRun run(some_balls(0, 4));
  dynamics::Model whole = run.built.model;
  // Parts 0 to 4: the floor, and the balls.
  whole.kept_overlaps = {{.part_a = 0, .part_b = 3, .depth = 0.25},
                         {.part_a = 1, .part_b = 3, .depth = 0.5}};
  const analytic::Submodel part(whole, {1, 2});
  EXPECT_EQ(part.model().kept_overlaps.size(), 1u);
  EXPECT_EQ(find_kept_overlap(part.model(), 0, 2), 0.25);
}

}  // namespace
}  // namespace tenpin::methods
