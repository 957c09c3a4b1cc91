// Bodies that meet between the two ends of a step.
#include "contact/passage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/rotation.h"

namespace tenpin::contact {
namespace {

using dynamics::JointType;

constexpr double kThick = 0.001;  // m   the wall's
constexpr double kRadius = 0.1;   // m   the ball's

// A thin wall across x at the origin, and one loose body of the given shape.
dynamics::Model make_model(const shapes::Shape& shape) {
  dynamics::Model model;
  dynamics::Body wall;
  wall.name = "wall";
  wall.joint.type = JointType::kFixed;
  wall.parts_end = 1;
  dynamics::Body body;
  body.name = "shot";
  body.mass = 1.0;
  body.moments = Vec3::Ones();
  body.inertia = Mat3::Identity();
  body.parts_begin = 1;
  body.parts_end = 2;
  model.bodies = {wall, body};
  model.parts.resize(2);
  model.parts[0].placed.shape = shapes::Box{.half = {0.5 * kThick, 1.0, 1.0}};
  model.parts[1].body = 1;
  model.parts[1].placed.shape = shape;
  model.materials.resize(1);
  model.surfaces.resize(1);
  assign_coordinates(&model);
  return model;
}

Pose at(double x, double y = 0.0, const Vec3& rotation = Vec3::Zero()) {
  return {.R = to_matrix(exp_map(rotation)), .p = {x, y, 0.0}};
}

class Way {
 public:
  Way(const dynamics::Model& model, const Pose& from, const Pose& to, const Vec3& w = Vec3::Zero())
      : model_(&model), X_begin_(2), X_end_(2), V_(2) {
    X_begin_[1] = from;
    X_end_[1] = to;
    V_[1].w = w;
  }

  Sweep sweep() const { return {.X_begin = X_begin_, .X_end = X_end_, .V = V_, .h = 1.0}; }
  std::vector<Contact> find() const {
    ContactFinder finder(*model_, &workers_);
    PassageFinder passages(*model_, &finder, &workers_);
    std::vector<Contact> contacts;
    (void)passages.restore_met(sweep(), &contacts);
    return contacts;
  }
  std::optional<Passage> check() const {
    const ContactFinder finder(*model_, &workers_);
    return PassageCheck(*model_, finder, &workers_).find_worst(sweep());
  }

 private:
  const dynamics::Model* model_;
  Workers workers_{1};
  std::vector<Pose> X_begin_, X_end_;
  std::vector<dynamics::Twist> V_;
};

TEST(Passage, BallThatWentThroughIsFoundAndItsContactPointsBack) {
  const dynamics::Model model = make_model(shapes::Sphere{.radius = kRadius});
  for (const double end : {0.02, 0.09, 0.5, 5.0}) {
    const Way way(model, at(-0.3), at(end, 0.2), {0.0, 0.0, 2.0});
    const std::vector<Contact> contacts = way.find();
    ASSERT_EQ(contacts.size(), 1U) << end;
    EXPECT_NEAR(contacts[0].normal.x(), -1.0, 1e-12);
    EXPECT_NEAR(contacts[0].gap, -(end + kRadius + 0.5 * kThick), 1e-12);
    const auto passage = way.check();
    ASSERT_TRUE(passage) << end;
    EXPECT_EQ(to_text(*passage, model).substr(0, 45),
              "wall and shot passed through each other withi");
  }
}

TEST(Passage, BodiesThatKeepTheirSidesAreLeftAlone) {
  const dynamics::Model model = make_model(shapes::Sphere{.radius = kRadius});
  const double touching = -kRadius - 0.5 * kThick;
  const Pose near = at(touching);
  for (const Way& way : {Way(model, at(-0.3), near),               // arrives
                         Way(model, near, at(-3.0)),               // leaves
                         Way(model, near, at(touching, 0.9)),      // slides along
                         Way(model, at(-0.3, 5.0), at(3.0, 5.0)),  // goes past its edge
                         Way(model, at(-3.0), at(-0.3))}) {
    EXPECT_TRUE(way.find().empty());
    EXPECT_FALSE(way.check());
  }
}

// Overlap that still points back is for the usual contacts, however fast the ball.
TEST(Passage, ShallowOverlapAtTheEndIsNotReplaced) {
  const dynamics::Model model = make_model(shapes::Sphere{.radius = kRadius});
  EXPECT_TRUE(Way(model, at(-0.3), at(-0.09)).find().empty());
}

TEST(Passage, BoxMeetsWithAllCornersOfItsFace) {
  const dynamics::Model model = make_model(shapes::Box{.half = Vec3::Constant(0.1)});
  const std::vector<Contact> contacts = Way(model, at(-0.3), at(0.4, 0.0, {0.0, 0.0, 0.05})).find();
  ASSERT_EQ(contacts.size(), 4U);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.normal.x(), -1.0, 1e-3);
    EXPECT_NEAR(c.gap, -0.5, 0.02);
  }
}

TEST(Passage, SpinAloneCarriesABladeThrough) {
  const dynamics::Model model = make_model(shapes::Capsule{.radius = 0.005, .half_length = 0.5});
  // The capsule's axis is z: turning about y by half a turn takes its ends through the wall.
  const Vec3 turn(0.0, std::numbers::pi * 0.9, 0.0);
  const Way way(model, at(-0.2, 0.0, {0.0, 0.1, 0.0}), at(-0.2, 0.0, Vec3(turn)), turn);
  EXPECT_FALSE(way.find().empty());
  EXPECT_TRUE(way.check());
  // A whole turn is none by its two ends.
  const Vec3 whole(0.0, 2.0 * std::numbers::pi + 0.1, 0.0);
  EXPECT_TRUE(Way(model, at(-0.2), at(-0.2, 0.0, {0.0, 0.1, 0.0}), whole).check());
  EXPECT_FALSE(Way(model, at(-0.2), at(-0.2, 0.0, {0.0, 0.1, 0.0})).check());
}

TEST(Leg, BodyOnAHingeMovesOnAnArc) {
  const Pose first = at(1.0);
  const Pose last{.R = to_matrix(exp_map({0.0, 0.0, 1.0})),
                  .p = {std::cos(1.0), std::sin(1.0), 0.0}};
  const Leg leg(
      {.X_first = first, .X_last = last, .begin = 0.0, .end = 1.0, .spin = {0.0, 0.0, 1.0}}, false);
  const Pose middle = leg.at(0.5);
  EXPECT_NEAR((middle.p - Vec3(std::cos(0.5), std::sin(0.5), 0.0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((leg.at(1.0).p - last.p).norm() + (leg.at(1.0).R - last.R).norm(), 0.0, 1e-14);
  EXPECT_NEAR(leg.calc_speed(0.0), 1.0, 1e-14);
}

// The way that counts is the one that was taken: out and back, although the ends are the same.
TEST(Passage, KinksOfTheWayAreFollowed) {
  const dynamics::Model model = make_model(shapes::Sphere{.radius = kRadius});
  const Workers workers(1);
  const ContactFinder finder(model, &workers);
  PassageCheck check(model, finder, &workers);
  const std::vector<Pose> X = {Pose(), at(-0.3)};
  const std::vector<dynamics::Twist> V(2);
  for (const double turning : {-0.101, 0.3}) {
    const std::vector<Kink> kinks = {{.body = 1, .s = 0.0, .X_WB = at(-0.3)},
                                     {.body = 1, .s = 0.4, .X_WB = at(turning)}};
    EXPECT_EQ(
        check.find_worst({.X_begin = X, .X_end = X, .V = V, .h = 1.0, .kinks = kinks}).has_value(),
        turning > 0.0);
  }
}

}  // namespace
}  // namespace tenpin::contact
