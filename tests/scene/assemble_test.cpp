#include "scene/assemble.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "dynamics/loops.h"
#include "scene/build.h"
#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

// Two hinges about y, with a loop that ties their tips together, apart along y by `gap` metres: no
// motion of theirs can close that.
std::string planar_loop(const std::string& loop) {
  const std::string rod = "mass: 1, inertia: [0.1, 0.1, 0.1], joint: {hinge: {axis: [0, 1, 0]}}";
  return scene_text("bodies:\n  - {name: a, " + rod + "}\n  - {name: b, position: [2, 0, 0], " +
                    rod + "}\nloops:\n  - {name: tie, " + loop + "}\n");
}

double residual_of(const Built& built) {
  std::vector<Pose> X_WB;
  update_poses(built.model, built.state.q, 0.0, &X_WB);
  dynamics::LoopRows rows;
  rows.update(built.model, built.model.mechanisms.at(0), X_WB, built.state.q);
  return rows.errors().lpNorm<Eigen::Infinity>();
}

TEST(Assemble, RoundingThatCannotCloseIsTakenAsItIs) {
  for (const std::string kind : {"ball", "weld"}) {
    const Built built =
        build(parse(planar_loop(kind + ": {bodies: [a, b], anchors: [[1, 0, 0], [-1, 3e-8, 0]]}")));
    EXPECT_LE(residual_of(built), 1e-15) << kind;
    EXPECT_LT(built.state.q.norm(), 1e-7) << kind;
  }
}

TEST(Assemble, MoreThanRoundingIsRefused) {
  EXPECT_THROW(static_cast<void>(build(parse(
                   planar_loop("ball: {bodies: [a, b], anchors: [[1, 0, 0], [-1, 3e-6, 0]]}")))),
               NumericalError);
}

// If a motion of the joints can close the loop, the joints move and the loop is unchanged.
TEST(Assemble, OpenLoopsThatCanCloseAreClosed) {
  const Built built =
      build(parse(planar_loop("ball: {bodies: [a, b], anchors: [[1, 0, 0], [-1, 0, 3e-7]]}")));
  EXPECT_LE(residual_of(built), 1e-9);
  EXPECT_EQ(built.model.loops[0].p_B, Vec3(-1, 0, 3e-7));
}

}  // namespace
}  // namespace tenpin::scene
