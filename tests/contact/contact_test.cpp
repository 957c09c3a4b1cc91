// Frames, cones, islands, ranks, verdicts: the parts that every contact law stands on.
#include "contact/contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/certify.h"
#include "contact/chosen_normal.h"
#include "contact/existence.h"
#include "contact/finder.h"
#include "contact/friction_cone.h"
#include "contact/islands.h"
#include "contact/jacobian.h"
#include "contact/painleve.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::contact {
namespace {

using dynamics::JointType;

// Unit balls in a row along x, touching; body 0 is the fixed floor.
dynamics::Model balls(int count) {
  dynamics::Model model;
  dynamics::Body floor;
  floor.joint.type = JointType::kFixed;
  model.bodies.push_back(floor);
  for (int i = 0; i < count; ++i) {
    dynamics::Body ball;
    ball.mass = 1.0;
    ball.moments = Vec3::Constant(0.4);
    ball.inertia = ball.moments.asDiagonal();
    model.bodies.push_back(ball);
  }
  assign_coordinates(&model);
  return model;
}

std::vector<Pose> poses(int count) {
  std::vector<Pose> X(count + 1);
  for (int i = 0; i < count; ++i) X[i + 1].p = {2.0 * i, 0.0, 1.0};
  return X;
}

Contact touching(int a, int b, const Vec3& point, const Vec3& normal) {
  Contact c;
  c.body_a = a;
  c.body_b = b;
  c.normal = normal;
  const Tangents t = calc_tangents(normal, Vec3::Zero());
  c.t1 = t.t1;
  c.t2 = t.t2;
  c.p_a = c.p_b = point;
  c.mu = c.mu_across = 0.4;
  return c;
}

Contact on_floor(int ball) {
  return touching(0, ball, {2.0 * (ball - 1), 0.0, 0.0}, Vec3::UnitZ());
}

Contact between(int ball) {
  return touching(ball, ball + 1, {2.0 * ball - 1.0, 0.0, 1.0}, Vec3::UnitX());
}

dynamics::MassMatrix mass_matrix(const dynamics::Model& model) {
  dynamics::MassMatrix M;
  M.update(model, poses(model.num_bodies() - 1), VecX::Zero(model.nq), VecX::Zero(model.nv));
  return M;
}

ContactJacobian jacobian(const dynamics::Model& model, const std::vector<Contact>& contacts) {
  const std::vector<Pose> X = poses(model.num_bodies() - 1);
  const dynamics::MassMatrix M = mass_matrix(model);
  ContactJacobian J;
  J.update(model, contacts, X, std::vector<dynamics::Twist>(X.size()), M, FrictionPoint::kSurface);
  return J;
}

TEST(Tangents, AreOrthonormalAndRightHandedForEveryNormal) {
  for (const Vec3& n :
       {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, -1), Vec3(0.9, 0.1, 0.4), Vec3(-0.95, 0.2, 0.1)}) {
    for (const Vec3& axis : {Vec3(0, 0, 0), Vec3(0, 0, 2), Vec3(n)}) {
      const Vec3 normal = n.normalized();
      const Tangents t = calc_tangents(normal, axis);
      Mat3 F;
      F << normal, t.t1, t.t2;
      EXPECT_LT((F.transpose() * F - Mat3::Identity()).norm(), 1e-14);
      EXPECT_NEAR(F.determinant(), 1.0, 1e-14);
    }
  }
}

TEST(Jacobian, GivesRelativeVelocityOfThePoints) {
  const dynamics::Model model = balls(2);
  const ContactJacobian J = jacobian(model, {on_floor(1), between(1)});
  VecX v(12);
  v << 1, 2, 3, 0.1, 0.2, 0.3, -1, 0, 2, 0.5, -0.4, 0.6;
  const Vec3 u_floor = Vec3(v.head<3>()) + Vec3(v.segment<3>(3)).cross(Vec3(0, 0, -1));
  EXPECT_NEAR(J.velocity(0, v)[kNormalRow], u_floor.z(), 1e-15);
  const Vec3 u = Vec3(v.segment<3>(6)) + Vec3(v.segment<3>(9)).cross(Vec3(-1, 0, 0)) -
                 Vec3(v.head<3>()) - Vec3(v.segment<3>(3)).cross(Vec3(1, 0, 0));
  const Contact c = between(1);
  EXPECT_NEAR(J.velocity(1, v)[kNormalRow], u.x(), 1e-15);
  EXPECT_NEAR(J.velocity(1, v)[kT1Row], c.t1.dot(u), 1e-15);
  EXPECT_NEAR(J.velocity(1, v)[kT2Row], c.t2.dot(u), 1e-15);
  EXPECT_NEAR(J.velocity(1, v)[kSpinRow], 0.4, 1e-15);
}

// W = J M^-1 J': applying an impulse and reading the velocity agree with the block.
TEST(Jacobian, DelassusBlockIsVelocityPerImpulse) {
  const dynamics::Model model = balls(2);
  const ContactJacobian J = jacobian(model, {on_floor(1), between(1)});
  const ContactVector p(0.3, -0.2, 0.7, 0.1);
  VecX dv = VecX::Zero(12);
  J.add_velocity_change(1, p, dv);
  ContactBlock W = ContactBlock::Zero();
  J.add_delassus(0, 1, &W);
  EXPECT_LT((W * p - J.velocity(0, dv)).norm(), 1e-15);
}

TEST(Islands, FloorDoesNotConnectWhatStandsOnIt) {
  const dynamics::Model model = balls(4);
  const std::vector<Contact> contacts = {on_floor(1), on_floor(2), on_floor(3), on_floor(4),
                                         between(2)};
  Islands islands;
  islands.update(model, contacts);
  ASSERT_EQ(islands.size(), 3);
  EXPECT_EQ(std::vector<int>(islands.contacts(0).begin(), islands.contacts(0).end()),
            std::vector<int>{0});
  EXPECT_EQ(std::vector<int>(islands.contacts(1).begin(), islands.contacts(1).end()),
            (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(std::vector<int>(islands.contacts(2).begin(), islands.contacts(2).end()),
            std::vector<int>{3});
  islands.update(model, {});
  EXPECT_EQ(islands.size(), 0);
}

Existence existence_of(const dynamics::Model& model, const std::vector<Contact>& contacts) {
  std::vector<int> all(contacts.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return ExistenceTest().test(model, mass_matrix(model), jacobian(model, contacts), contacts, all);
}

// [ST00, §3.2]
TEST(Existence, SingleContactIsAlwaysPromised) {
  const Existence e = existence_of(balls(1), {on_floor(1)});
  EXPECT_TRUE(e.normals_independent);
  EXPECT_TRUE(e.spans_disjoint);
}

TEST(Existence, FourLegsHaveDependentNormals) {
  const dynamics::Model model = balls(1);
  std::vector<Contact> legs;
  for (const Vec3& p : {Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0)}) {
    legs.push_back(touching(0, 1, p, Vec3::UnitZ()));
  }
  EXPECT_FALSE(existence_of(model, legs).normals_independent);
  legs.pop_back();
  EXPECT_TRUE(existence_of(model, legs).normals_independent);
}

TEST(Existence, WedgedBallHasMeetingSpans) {
  const dynamics::Model model = balls(1);
  const Existence e = existence_of(model, {touching(0, 1, {-1, 0, 1}, Vec3::UnitX()),
                                           touching(0, 1, {1, 0, 1}, -Vec3::UnitX()), on_floor(1)});
  EXPECT_FALSE(e.normals_independent);
  EXPECT_FALSE(e.spans_disjoint);
}

// Two balls that a rod of fixed length holds apart cannot both be pushed along it.
TEST(Existence, LoopsTakeMotionsAway) {
  dynamics::Model model = balls(2);
  const std::vector<Contact> pushed = {touching(0, 1, {-1, 0, 1}, Vec3::UnitX()),
                                       touching(0, 2, {3, 0, 1}, -Vec3::UnitX())};
  EXPECT_TRUE(existence_of(model, pushed).normals_independent);
  model.loops.push_back({.kind = dynamics::Loop::Kind::kDistance,
                         .name = "rod",
                         .body_a = 1,
                         .body_b = 2,
                         .length = 2.0});
  assign_coordinates(&model);
  EXPECT_FALSE(existence_of(model, pushed).normals_independent);
  EXPECT_TRUE(existence_of(model, {pushed[0]}).normals_independent);
}

// [ST00, eq. (3)]
TEST(FrictionCone, GaugeOfGeneratorsIsOne) {
  const FrictionCone cone(8, 0.3);
  Contact c = on_floor(1);
  c.mu_across = 0.1;
  c.torsion = 0.02;
  ASSERT_EQ(cone.count(c), 10);
  for (int j = 0; j < cone.count(c); ++j) {
    EXPECT_NEAR(cone.calc_gauge(c, cone.generator(c, j)), 1.0, 1e-14);
  }
  const Vec3 middle = 0.5 * (cone.generator(c, 0) + cone.generator(c, 1));
  EXPECT_NEAR(cone.calc_gauge(c, middle), 1.0, 1e-14);
  EXPECT_NEAR(cone.calc_gauge(c, 0.5 * middle), 0.5, 1e-14);
}

TEST(FrictionCone, BestDissipationOpposesSlip) {
  const FrictionCone cone(8, 0.0);
  const Contact c = on_floor(1);
  EXPECT_NEAR(cone.calc_best_dissipation(c, {3.0, 0.0, 0.0}), 3.0, 1e-15);
  EXPECT_EQ(cone.calc_best_dissipation(c, Vec3::Zero()), 0.0);
}

// The certificate catches every way to break the law.   [ST00, eq. (7)-(12)]
TEST(Certify, AcceptsTheLawAndNothingElse) {
  const FrictionCone cone(8, 0.0);
  const Contact c = on_floor(1);
  LawSample sliding{.impulse = {1.0, -0.4, 0.0, 0.0},
                    .velocity = {0.0, 2.0, 0.0, 0.0},
                    .mu = 0.4,
                    .mobility = 1.0,
                    .speed = 1.0};
  const auto residual = [&](const LawSample& s) {
    return certify_law(c, cone, s).residual;
  };
  EXPECT_LT(residual(sliding), 1e-15);
  LawSample wrong = sliding;
  wrong.impulse[kT1Row] = 0.4;  // pushes with the slip
  EXPECT_GT(residual(wrong), 0.1);
  wrong = sliding;
  wrong.impulse[kT1Row] = -0.2;  // slides with less friction than it has
  EXPECT_GT(residual(wrong), 0.1);
  wrong = sliding;
  wrong.impulse[kT1Row] = -0.5;  // beyond the cone
  EXPECT_GT(residual(wrong), 0.05);
  wrong = sliding;
  wrong.velocity[kNormalRow] = -0.3;  // penetrates
  EXPECT_GT(residual(wrong), 0.2);
  wrong = sliding;
  wrong.velocity[kNormalRow] = 0.3;  // separates, yet pushes
  EXPECT_GT(residual(wrong), 0.2);
  wrong = sliding;
  wrong.impulse = {-1.0, 0.0, 0.0, 0.0};  // pulls
  EXPECT_GT(residual(wrong), 0.5);
}

// A given part of the normal impulse, as in the second phase of Poisson's law, acts also where the
// contact separates; friction may use it, too.
TEST(Certify, AGivenLoadIsNoChoiceOfTheLaw) {
  const FrictionCone cone(8, 0.0);
  const Contact c = on_floor(1);
  LawSample separating{.impulse = {1.0, -0.4, 0.0, 0.0},
                       .given = 1.0,
                       .velocity = {0.3, 2.0, 0.0, 0.0},
                       .mu = 0.4,
                       .mobility = 1.0,
                       .speed = 1.0};
  EXPECT_LT(certify_law(c, cone, separating).residual, 1e-15);
  separating.impulse[kNormalRow] = 1.2;  // adds to it although it separates
  separating.impulse[kT1Row] = -0.48;
  EXPECT_NEAR(certify_law(c, cone, separating).residual, 0.2, 1e-15);
}

// The rod of [ST00, §4.1] at its impact, 118.423 deg: A = -1.55 with the tip's radius in the lever.
TEST(Painleve, RodHasNoAccelerationSolutionAtImpact) {
  const double theta = 2.066869782450894;
  const auto [s, c] = sin_cos(theta);
  const double half = 0.25, r = 0.05, J = 0.002, mu = 0.6;
  // Tip below: arm of the normal (half cos), arm of friction -(half sin + r), slip to the right.
  const double n_arm = -half * c;
  const double t_arm = half * s + r;
  ContactBlock W = ContactBlock::Zero();
  W(kNormalRow, kNormalRow) = 1.0 + n_arm * n_arm / J;
  W(kNormalRow, kT1Row) = W(kT1Row, kNormalRow) = n_arm * t_arm / J;
  W(kT1Row, kT1Row) = 1.0 + t_arm * t_arm / J;
  const Painleve verdict = calc_painleve(mu, W, {-3.0, 1.0, 0.0, 0.0}, -9.81, 0.1);
  EXPECT_NEAR(verdict.A, -1.55, 0.01);
  EXPECT_TRUE(verdict.no_solution);
  EXPECT_FALSE(calc_painleve(mu, W, {-3.0, -1.0, 0.0, 0.0}, -9.81, 0.1).no_solution);
  // A slip that the step may end has no direction: the same contact may stick.
  const Painleve slow = calc_painleve(mu, W, {-3.0, 0.05, 0.0, 0.0}, -9.81, 0.1);
  EXPECT_FALSE(slow.no_solution);
  EXPECT_GT(slow.A, 0.0);
}

// Two cubes of 0.2 m, the second where `X` puts it; what touches, with normals chosen where open.
struct Cubes {
  explicit Cubes(const Pose& X_first, const Pose& X) {
    for (int i = 0; i < 2; ++i) {
      dynamics::Body body;
      body.mass = 1.0;
      body.moments = Vec3::Ones();
      body.inertia = Mat3::Identity();
      body.parts_begin = i;
      body.parts_end = i + 1;
      model.bodies.push_back(body);
      model.parts.push_back({.body = i, .placed = {.shape = shapes::Box{Vec3::Constant(0.1)}}});
    }
    model.materials.resize(1);
    model.surfaces.resize(1);
    assign_coordinates(&model);
    ContactFinder finder(model);
    const std::vector<Pose> X_WB = {X_first, X};
    finder.find(X_WB, std::vector<double>(2, 1e-9), &contacts);
    is_chosen = !contacts.empty() && choose_normal(model, X_WB, 1e-9, contacts);
  }
  dynamics::Model model;
  std::vector<Contact> contacts;
  bool is_chosen = false;
};

// [B89, Fig. 4]
TEST(ChosenNormal, IsTheMeanOfTheFacesThatMeet) {
  const Pose turned{exp_map(Vec3(0, kPi / 4.0, 0)).toRotationMatrix(), Vec3::Zero()};
  Pose above = turned;
  above.p.z() = 0.2 * std::sqrt(2.0);
  const Cubes ridges(turned, above);
  ASSERT_EQ(ridges.contacts.size(), 2U);
  EXPECT_TRUE(ridges.is_chosen);
  for (const Contact& c : ridges.contacts) {
    EXPECT_LE((c.normal - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(c.t1.dot(c.normal), 0.0, 1e-15);
    EXPECT_NEAR(c.gap, 0.0, 1e-12);
  }
  const Pose origin{Mat3::Identity(), Vec3::Zero()};
  // A vertex on a vertex: three faces each.
  const Cubes corners(origin, {Mat3::Identity(), Vec3::Constant(0.2)});
  ASSERT_TRUE(corners.is_chosen);
  EXPECT_LE((corners.contacts[0].normal - Vec3::Constant(std::sqrt(1.0 / 3.0))).norm(), 1e-12);
}

TEST(ChosenNormal, LeavesContactsThatHaveTheirOwn) {
  const Pose origin{Mat3::Identity(), Vec3::Zero()};
  EXPECT_FALSE(Cubes(origin, {Mat3::Identity(), Vec3(0, 0, 0.2)}).is_chosen);  // corners in line
  EXPECT_FALSE(Cubes(origin, {Mat3::Identity(), Vec3(0.1, 0.05, 0.2)}).is_chosen);
  // An edge on a face, and edges that cross.
  const double high = 0.1 + 0.1 * std::sqrt(2.0);
  const Mat3 about_y = exp_map(Vec3(0, kPi / 4.0, 0)).toRotationMatrix();
  EXPECT_FALSE(Cubes(origin, {about_y, Vec3(0, 0, high)}).is_chosen);
  const Mat3 about_x = exp_map(Vec3(kPi / 4.0, 0, 0)).toRotationMatrix();
  EXPECT_FALSE(
      Cubes({about_x, Vec3::Zero()}, {about_y, Vec3(0, 0, 0.2 * std::sqrt(2.0))}).is_chosen);
}

// Two boxes and a ball: what bodies that hardly moved take along is what a new look finds, to
// second order, and bodies that moved are examined again.
TEST(Finder, CarriesContactsOfWhatHardlyMoved) {
  constexpr double kWay = 1e-8;
  dynamics::Model model = Cubes(Pose{}, Pose{}).model;
  model.parts[1].placed.shape = shapes::Box{Vec3(0.05, 0.06, 0.1)};
  model.bodies.push_back(model.bodies[1]);
  model.bodies[2].parts_begin = 2;
  model.bodies[2].parts_end = 3;
  model.parts.push_back({.body = 2, .placed = {.shape = shapes::Sphere{0.07}}});
  assign_coordinates(&model);
  const Mat3 tilt = exp_map(Vec3(0.2, -0.1, 0.3)).toRotationMatrix();
  const std::vector<Pose> before = {{tilt, Vec3::Zero()},
                                    {tilt, tilt * Vec3(0.02, 0.01, 0.2)},
                                    {Mat3::Identity(), tilt * Vec3(0.06, 0.17, 0.0)}};
  std::vector<Pose> after = before;
  for (int i = 0; i < 3; ++i) {
    after[i].R = exp_map(kWay * Vec3(1.0 - i, 2.0, 0.5 * i)).toRotationMatrix() * before[i].R;
    after[i].p += kWay * Vec3(0.3 * i, -0.2, 1.0 - 0.6 * i);
  }
  const std::vector<double> reach(3, 1e-3);
  ContactFinder finder(model);
  std::vector<Contact> first;
  std::vector<Contact> anew;
  std::vector<Contact> carried;
  finder.find(before, reach, &first);
  finder.find(after, reach, &anew);
  ASSERT_GE(anew.size(), 5U);
  for (const char moved : {char{0}, char{1}}) {
    const std::vector<char> is_moved(3, moved);
    finder.find_near(after, reach, {.X_WB = before, .contacts = first, .moved = is_moved}, {},
                     &carried);
    ASSERT_EQ(carried.size(), anew.size());
    double way = 0.0;
    for (std::size_t i = 0; i < anew.size(); ++i) {
      EXPECT_EQ(carried[i].key, anew[i].key);
      EXPECT_NEAR(carried[i].gap, anew[i].gap, moved != 0 ? 0.0 : 1e-15);
      way = std::max(way, std::fabs(anew[i].gap - first[i].gap));
    }
    EXPECT_GT(way, 0.1 * kWay);
  }
}

}  // namespace
}  // namespace tenpin::contact
