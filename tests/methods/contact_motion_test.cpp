// Which contacts of one key are one contact at two times.
#include "methods/time_stepping/contact_motion.h"

#include <gtest/gtest.h>

#include "support/scene_run.h"

namespace tenpin::methods::time_stepping {
namespace {

using contact::Contact;

constexpr const char* kScene =
    "tenpin: 1\nname: disc\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
    "  - {name: disc, material: m, mass: 1, position: [0, 0, 0.1],"
    " shapes: [{cylinder: {radius: 0.1, length: 0.01}}]}\n"
    "method: {time-stepping: {step: 0.01}}\n";

// The disc's contact with the floor at the end of an arm.
Contact touch_at(const Vec3& arm, const Pose& X) {
  Contact c;
  c.body_a = 0;
  c.body_b = 1;
  c.normal = Vec3::UnitZ();
  c.p_a = c.p_b = X.p + arm;
  return c;
}

Mat3 turn_about_y(double angle) {
  Mat3 R = Mat3::Identity();
  R(0, 0) = R(2, 2) = std::cos(angle);
  R(0, 2) = std::sin(angle);
  R(2, 0) = -R(0, 2);
  return R;
}

struct SamePlace : ::testing::Test {
  bool is_same(const Vec3& arm0, const Vec3& arm1) {
    const Contact first = touch_at(arm0, X0[1]);
    const Contact second = touch_at(arm1, X1[1]);
    return is_same_place(run.built.model,
                         {.first = first, .X_first = X0, .second = second, .X_second = X1});
  }

  test::SceneRun run{kScene};
  std::vector<Pose> X0 = std::vector<Pose>(2);
  std::vector<Pose> X1 = std::vector<Pose>(2);
};

TEST_F(SamePlace, RimThatJumpsAcrossItsDiscIsElsewhere) {
  EXPECT_TRUE(is_same({0.1, 0.0, -0.01}, {0.1, 0.0, -0.01}));
  EXPECT_TRUE(is_same({0.1, 0.0, -0.01}, {0.098, 0.02, -0.01}));
  EXPECT_FALSE(is_same({0.1, 0.0, -0.01}, {-0.1, 0.0, -0.01}));
  EXPECT_FALSE(is_same({0.1, 0.0, -0.01}, {0.0, 0.1, -0.01}));
}

// However fast it rolls: the point below the centre is the same place, whichever part is there.
TEST_F(SamePlace, WheelThatRollsFastTouchesAtOnePlace) {
  X1[1].R = turn_about_y(2.0);
  X1[1].p = Vec3(0.2, 0.0, 0.0);
  EXPECT_TRUE(is_same({0.0, 0.0, -0.1}, {0.0, 0.0, -0.1}));
}

// A corner goes with its body.
TEST_F(SamePlace, CornerThatTurnsWithItsBodyIsOnePlace) {
  X1[1].R = turn_about_y(1.0);
  const Vec3 corner(0.1, 0.0, -0.1);
  EXPECT_TRUE(is_same(corner, X1[1].R * corner));
}

TEST_F(SamePlace, ElsewhereKeysAreOthersAndLeadBack) {
  const contact::ContactKey key{.part_a = 1, .part_b = 2, .feature_a = 3, .feature_b = 4};
  EXPECT_NE(make_elsewhere_key(key), key);
  EXPECT_EQ(strip_elsewhere(make_elsewhere_key(key)), key);
  EXPECT_EQ(strip_elsewhere(key), key);
}

TEST(ContactMotion, MeanNormalIsWeightedByImpulses) {
  const Vec3 x = Vec3::UnitX();
  const Vec3 z = Vec3::UnitZ();
  EXPECT_EQ(calc_mean_normal({x, 0.0}, {z, 0.0}), z);
  EXPECT_EQ(calc_mean_normal({x, 1.0}, {z, 0.0}), x);
  EXPECT_LE((calc_mean_normal({x, 3.0}, {z, 4.0}) - Vec3(0.6, 0.0, 0.8)).norm(), 1e-15);
}

}  // namespace
}  // namespace tenpin::methods::time_stepping
