// Which contact forces are determined: chairs, towers, balls in corners.
#include "contact/uniqueness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "math/trig.h"

namespace tenpin::contact {
namespace {

enum class Load { kSmooth, kSticks, kSlides, kUnloaded, kSmoothUnloaded };

// Loose bodies with points on the floor or on each other. Body 0 is the floor.
class Scene {
 public:
  explicit Scene(int num_bodies) {
    dynamics::Body floor;
    floor.joint.type = dynamics::JointType::kFixed;
    model_.bodies.push_back(floor);
    for (int i = 0; i < num_bodies; ++i) {
      dynamics::Body body;
      body.mass = 1.0;
      body.moments = Vec3(0.4, 0.5, 0.6);
      body.inertia = body.moments.asDiagonal();
      model_.bodies.push_back(body);
    }
    assign_coordinates(&model_);
    X_.resize(num_bodies + 1);
    for (int i = 1; i <= num_bodies; ++i) X_[i].p = {0.0, 0.0, i - 0.5};
  }

  void touch(int a, int b, const Vec3& point, const Vec3& normal, Load load) {
    Contact c;
    c.body_a = a;
    c.body_b = b;
    c.normal = normal;
    const Tangents t = calc_tangents(normal, Vec3::Zero());
    c.t1 = t.t1;
    c.t2 = t.t2;
    c.p_a = c.p_b = point;
    const bool is_smooth = load == Load::kSmooth || load == Load::kSmoothUnloaded;
    c.mu = c.mu_across = is_smooth ? 0.0 : 0.5;
    contacts_.push_back(c);
    ForceState state{.mu = c.mu, .touches = true, .slips = load == Load::kSlides};
    if (load != Load::kUnloaded && load != Load::kSmoothUnloaded) state.impulse[kNormalRow] = 1.0;
    if (load == Load::kSlides) {
      state.slip = {0.3, -0.4, 0.0};
      state.impulse.tail<3>() = -0.5 * state.slip.normalized();
    }
    states_.push_back(state);
  }
  void touch_floor(int b, double x, double y, Load load) {
    touch(0, b, {x, y, 0.0}, Vec3::UnitZ(), load);
  }

  std::vector<char> test() const {
    dynamics::MassMatrix M;
    M.update(model_, X_, VecX::Zero(model_.nq), VecX::Zero(model_.nv));
    ContactJacobian J;
    J.update(model_, contacts_, X_, std::vector<dynamics::Twist>(X_.size()), M,
             FrictionPoint::kSurface);
    UniquenessTest test;
    std::vector<char> unique;
    const bool all = test.test(model_, M, J, contacts_, states_, &unique);
    EXPECT_EQ(all, std::count(unique.begin(), unique.end(), 0) == 0);
    return unique;
  }

 private:
  dynamics::Model model_;
  std::vector<Pose> X_;
  std::vector<Contact> contacts_;
  std::vector<ForceState> states_;
};

std::vector<char> chair(int legs, Load load) {
  Scene scene(1);
  for (int i = 0; i < legs; ++i) {
    const auto [s, c] = sin_cos(2.0 * kPi * i / legs);
    scene.touch_floor(1, 0.2 * c, 0.2 * s, load);
  }
  return scene.test();
}

TEST(Uniqueness, ThreeLegsAreDeterminedMoreAreNot) {
  EXPECT_EQ(chair(3, Load::kSmooth), std::vector<char>(3, 1));
  for (const int legs : {4, 5, 8}) {
    EXPECT_EQ(chair(legs, Load::kSmooth), std::vector<char>(legs, 0)) << legs;
    EXPECT_EQ(chair(legs, Load::kSlides), std::vector<char>(legs, 0)) << legs;
  }
  EXPECT_EQ(chair(3, Load::kSlides), std::vector<char>(3, 1));
}

TEST(Uniqueness, FrictionOfTwoFeetIsShared) {
  EXPECT_EQ(chair(1, Load::kSticks), std::vector<char>(1, 1));
  EXPECT_EQ(chair(2, Load::kSticks), std::vector<char>(2, 0));
  EXPECT_EQ(chair(3, Load::kSticks), std::vector<char>(3, 0));
}

// The seesaw: three feet in a line share their load, a fourth aside does not.
TEST(Uniqueness, TellsContactsApart) {
  Scene scene(1);
  for (const double x : {-0.2, 0.0, 0.2}) scene.touch_floor(1, x, 0.0, Load::kSmooth);
  scene.touch_floor(1, 0.1, 0.3, Load::kSmooth);
  EXPECT_EQ(scene.test(), (std::vector<char>{0, 0, 0, 1}));
}

// A four-legged table on a chair of three legs: the chair's forces are determined by the weight.
TEST(Uniqueness, GoesThroughBodiesThatCarryOthers) {
  Scene scene(2);
  for (const double x : {-0.1, 0.1}) scene.touch_floor(1, x, -0.1, Load::kSmooth);
  scene.touch_floor(1, 0.0, 0.1, Load::kSmooth);
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      scene.touch(1, 2, {x, y, 1.0}, Vec3::UnitZ(), Load::kSmooth);
    }
  }
  EXPECT_EQ(scene.test(), (std::vector<char>{1, 1, 1, 0, 0, 0, 0}));
}

// A load on a tower of balls passes through determined contacts, however high it is.
TEST(Uniqueness, TowersArePeeledFromTheTop) {
  constexpr int kHigh = 40;  // 240 velocities, more than a core may have
  Scene scene(kHigh);
  for (int i = 0; i < kHigh; ++i) {
    scene.touch(i, i + 1, {0.0, 0.0, 1.0 * i}, Vec3::UnitZ(), Load::kSticks);
  }
  EXPECT_EQ(scene.test(), std::vector<char>(kHigh, 1));
}

// In a large core nothing is claimed.
TEST(Uniqueness, LargeCoresAreNotProven) {
  constexpr int kHigh = 10;
  Scene scene(kHigh);
  for (int i = 0; i < kHigh; ++i) {
    for (const double x : {-0.2, 0.0, 0.2}) {
      scene.touch(i, i + 1, {x, 0.0, 1.0 * i}, Vec3::UnitZ(), Load::kSmooth);
    }
    scene.touch(i, i + 1, {0.0, 0.3, 1.0 * i}, Vec3::UnitZ(), Load::kSmooth);
  }
  EXPECT_EQ(scene.test(), std::vector<char>(4 * kHigh, 0));
}

// A ball on the floor that touches a wall without load: to wedge itself it would need friction
// above one, which is not there. With load it could.
TEST(Uniqueness, ContactsWithoutLoadKeepTheirCones) {
  for (const Load wall : {Load::kUnloaded, Load::kSticks}) {
    Scene scene(1);
    scene.touch_floor(1, 0.0, 0.0, Load::kSticks);
    scene.touch(0, 1, {0.5, 0.0, 0.5}, -Vec3::UnitX(), wall);
    EXPECT_EQ(scene.test(), std::vector<char>(2, wall == Load::kUnloaded ? 1 : 0));
  }
  // Four feet of which two carry everything: the others could only push one up, one down.
  Scene scene(1);
  scene.touch_floor(1, -0.1, -0.1, Load::kSmooth);
  scene.touch_floor(1, 0.1, -0.1, Load::kSmooth);
  scene.touch_floor(1, 0.1, 0.1, Load::kSmoothUnloaded);
  scene.touch_floor(1, -0.1, 0.1, Load::kSmoothUnloaded);
  EXPECT_EQ(scene.test(), std::vector<char>(4, 1));
}

}  // namespace
}  // namespace tenpin::contact
