// General limit surfaces of friction: polygons, polytopes and ellipsoids in slip and spin, against
// exact answers.   [ST00, §2]
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;

std::string vector(const Vec3& v) {
  return "[" + to_text(v.x()) + ", " + to_text(v.y()) + ", " + to_text(v.z()) + "]";
}

// Without restitution, friction of the other material as large as the scene's default.
std::string header(const std::string& limit, const std::string& method) {
  return "tenpin: 1\nname: limit\nmaterials:\n  plain: {friction: 0.5}\n"
         "  grained: {friction: {limit: " +
         limit + ", axis: [1, 0, 0]}}\nmethod: {" + method + "}\nbodies:\n";
}

std::string method_of(int order, const std::string& solver = "") {
  return "time-stepping: {step: 0.001, order: " + std::to_string(order) +
         (solver.empty() ? "" : ", solver: " + solver) + "}";
}

enum class Whose { kBlock, kFloor };

// A wide block, which does not tip, on a floor; in both orders of the file, so that the block is
// once the first and once the second body of its contacts.
std::string slide(const std::string& limit, const std::string& method, Whose whose,
                  const Vec3& velocity, bool block_first) {
  const std::string floor = std::string("  - {name: floor, fixed: true, material: ") +
                            (whose == Whose::kFloor ? "grained" : "plain") +
                            ", shapes: [{plane: {}}]}\n";
  const std::string block = std::string("  - {name: block, material: ") +
                            (whose == Whose::kBlock ? "grained" : "plain") +
                            ", mass: 2, position: [0, 0, 0.01], velocity: " + vector(velocity) +
                            ", shapes: [{box: {size: [1, 1, 0.02]}}]}\n";
  return header(limit, method) + (block_first ? block + floor : floor + block);
}

constexpr const char* kRatchet = "{polygon: [[0.6, 0.3], [0.6, -0.3], [-0.2, -0.3], [-0.2, 0.3]]}";

// A grained surface that holds 0.6 of the load against sliding back and 0.2 against sliding on.
TEST(LimitSurface, RatchetStopsShorterBackwards) {
  for (const int order : {1, 2}) {
    for (const bool block_first : {false, true}) {
      for (const double speed : {1.0, -1.0}) {
        const auto run_with = [&](Whose whose) {
          SceneRun run(slide(kRatchet, method_of(order), whose, {speed, 0, 0}, block_first));
          EXPECT_EQ(run.run_until(0.52), AdvanceStatus::kReachedEnd) << run.last.message;
          EXPECT_LE(run.twist("block").v.norm(), 1e-9);
          EXPECT_TRUE(run.last.certificate.passed);
          return run.position("block").x();
        };
        const double error = order == 1 ? 1e-3 : 1e-4;  // m   of the step in which it stops
        const double on_block = speed > 0.0 ? 0.2 : 0.6;
        const double on_floor = speed > 0.0 ? 0.6 : 0.2;
        EXPECT_NEAR(run_with(Whose::kBlock), speed / (2 * on_block * kG), error);
        EXPECT_NEAR(run_with(Whose::kFloor), speed / (2 * on_floor * kG), error);
      }
    }
  }
}

// The corner [-0.2, -0.3] resists until the slip across ends; then friction across is what keeps it
// zero, and friction along stays.
TEST(LimitSurface, CornerResistsUntilOneSlipEnds) {
  for (const int order : {1, 2}) {
    SceneRun run(slide(kRatchet, method_of(order), Whose::kBlock, {1, 0.6, 0}, false));
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE((run.twist("block").v - Vec3(1 - 0.2 * kG * 0.1, 0.6 - 0.3 * kG * 0.1, 0)).norm(),
              1e-9);
    ASSERT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE((run.twist("block").v - Vec3(1 - 0.2 * kG * 0.3, 0, 0)).norm(), 1e-9);
    EXPECT_LE(run.worst_residual, 1e-8);
    run.expect_ledger_closes();
  }
}

// Neither the coefficients nor the Stribeck effect of the other material count.
TEST(LimitSurface, OtherMaterialDoesNotCount) {
  for (const std::string plain :
       {"{friction: 0}", "{friction: {along: 0.1, static: 0.9, stribeck_speed: 0.01}}"}) {
    std::string yaml = slide(kRatchet, method_of(1), Whose::kBlock, {1, 0, 0}, false);
    const std::string before = "plain: {friction: 0.5}";
    yaml.replace(yaml.find(before), before.size(), "plain: " + plain);
    SceneRun run(yaml);
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.twist("block").v.x(), 1 - 0.2 * kG * 0.1, 1e-9) << plain;
  }
}

// On a slope of 0.4 it holds one way up and slides the other way.
TEST(LimitSurface, RatchetHoldsOnASlopeOneWayOnly) {
  const double angle = std::atan(0.4);
  for (const double side : {1.0, -1.0}) {
    const std::string gravity =
        "gravity: " + vector({side * kG * std::sin(angle), 0, -kG * std::cos(angle)}) + "\n";
    SceneRun run(slide(kRatchet, method_of(2), Whose::kBlock, Vec3::Zero(), false) + gravity);
    ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd) << run.last.message;
    const double rate = side > 0.0 ? kG * (std::sin(angle) - 0.2 * std::cos(angle)) : 0.0;
    EXPECT_NEAR(run.twist("block").v.x(), 0.2 * rate, 1e-9);
  }
}

// A disc of mass 1 on one point of contact: so large a moment of inertia about its diameters that
// it does not tip, and an own one about its axis.
std::string puck(const std::string& limit, const std::string& method, const std::string& rest,
                 Whose whose = Whose::kBlock) {
  const bool on_floor = whose == Whose::kFloor;
  return header(limit, method) +
         "  - {name: floor, fixed: true, material: " + (on_floor ? "grained" : "plain") +
         ", shapes: [{plane: {}}]}\n" +
         "  - {name: puck, material: " + (on_floor ? "plain" : "grained") +
         ", mass: 1, inertia: [1e9, 1e9, 0.02],"
         " position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}], " +
         rest + "}\n";
}

// Slip and spin stop together and on a straight way if the ellipsoid is as wide as the inertia
// says: radius² = inertia / mass.
TEST(LimitSurface, PuckWithSlipAndSpinStopsAtOnce) {
  constexpr double kMu = 0.3;
  const double radius = std::sqrt(0.02);
  const std::string limit = "{ellipsoid: " + vector({kMu, kMu, kMu * radius}) + "}";
  const Vec3 slip(0.6, 0.3, 0.9 / radius);
  const double speed = std::hypot(0.6, 0.3, 0.9);
  const double until = speed / (kMu * kG);
  for (const int order : {1, 2}) {
    SceneRun run(
        puck(limit, method_of(order, "cone"),
             "velocity: [0.6, 0.3, 0], angular_velocity: [0, 0, " + to_text(slip.z()) + "]"));
    ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd) << run.last.message;
    const double left = 1.0 - 0.2 / until;
    EXPECT_LE((run.twist("puck").v - left * Vec3(0.6, 0.3, 0)).norm(), 1e-7);
    EXPECT_NEAR(run.twist("puck").w.z(), left * slip.z(), 1e-6);
    ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE(run.twist("puck").v.norm(), 1e-7);
    EXPECT_LE(std::fabs(run.twist("puck").w.z()), 1e-7);
    EXPECT_NEAR(run.position("puck").x(), 0.6 * until / 2, order == 1 ? 1e-3 : 1e-5);
    EXPECT_LE(run.worst_residual, 1e-6);
  }
}

// A box of slip and spin: no component weakens another. The grain is the floor's, which does not
// turn with the puck.
TEST(LimitSurface, BoxOfFrictionResistsSlipAndSpinIndependently) {
  const std::string limit =
      "{polytope: [[0.3, 0.2, 0.01], [0.3, 0.2, -0.01], [0.3, -0.2, 0.01], [0.3, -0.2, -0.01],"
      " [-0.3, 0.2, 0.01], [-0.3, 0.2, -0.01], [-0.3, -0.2, 0.01], [-0.3, -0.2, -0.01]]}";
  for (const int order : {1, 2}) {
    SceneRun run(puck(limit, method_of(order),
                      "velocity: [0.6, 0.4, 0], angular_velocity: [0, 0, 3]", Whose::kFloor));
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE((run.twist("puck").v - Vec3(0.6 - 0.3 * kG * 0.1, 0.4 - 0.2 * kG * 0.1, 0)).norm(),
              1e-7);
    EXPECT_NEAR(run.twist("puck").w.z(), 3 - 0.01 * kG / 0.02 * 0.1, 1e-7);
  }
}

// A patch that touches 0.05 m beside the point of contact: forces across come with a moment. Force
// and torque on the puck hold up to the surface and no farther.
TEST(LimitSurface, PuckHoldsUpToACoupledEllipsoid) {
  const std::string limit =
      "{ellipsoid: [[0.3, 0, 0], [0, 0.2, 0.01], [0, 0, 0.004]]}";  // rows are semi-axes
  // Of the load: 0.1 of the first axis, 0.7 of the second, sqrt(0.5) of the third: on the surface.
  const Vec3 on_surface =
      kG * (0.1 * Vec3(0.3, 0, 0) + 0.7 * Vec3(0, 0.2, 0.01) + std::sqrt(0.5) * Vec3(0, 0, 0.004));
  for (const int order : {1, 2}) {
    for (const double share : {0.999, 1.001}) {
      const Vec3 push = share * on_surface;
      SceneRun run(puck(limit, method_of(order, "cone"),
                        "forces: [{force: " + vector({push.x(), push.y(), 0}) +
                            ", torque: " + vector({0, 0, push.z()}) + "}]"));
      ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
      const double speed = run.twist("puck").v.norm() + 0.1 * std::fabs(run.twist("puck").w.z());
      EXPECT_EQ(speed > 1e-6, share > 1.0) << order << " " << speed;
    }
  }
}

// Where the mass is the same in all directions, friction of a polygon's edge is the answer of a
// projection: a push beyond the edge slides along the edge's normal.
TEST(LimitSurface, PushBeyondAnEdgeSlidesAlongItsNormal) {
  const std::string limit = "{polygon: [[0.4, 0], [0, 0.2], [-0.4, 0], [0, -0.2]]}";
  for (const int order : {1, 2}) {
    SceneRun run(puck(limit, method_of(order), "forces: [{force: [2.5, 1.5, 0]}]"));
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    const Vec3 normal = Vec3(1 / 0.4, 1 / 0.2, 0) / std::hypot(1 / 0.4, 1 / 0.2);
    const double beyond = normal.dot(Vec3(2.5, 1.5, 0)) - kG / std::hypot(1 / 0.4, 1 / 0.2);
    EXPECT_LE((run.twist("puck").v - 0.1 * beyond * normal).norm(), 1e-7) << order;
  }
}

// Without spin, Lemke's algorithm and the cone agree on a slip along a generator; the pyramid that
// Lemke has instead of the ellipsoid touches it there.
TEST(LimitSurface, LemkeTakesThePyramidInAnEllipsoid) {
  const std::string limit = "{ellipsoid: [0.3, 0.2, 0.01]}";
  for (const std::string solver : {"lemke", "cone"}) {
    SceneRun run(puck(limit, method_of(1, solver), "velocity: [0, 0.6, 0]"));
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE((run.twist("puck").v - Vec3(0, 0.6 - 0.2 * kG * 0.1, 0)).norm(), 1e-7) << solver;
  }
}

void expect_refusal(const std::string& yaml, const std::string& want) {
  try {
    SceneRun run(yaml);
    ADD_FAILURE() << "not refused: " << want;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(want), std::string::npos) << error.what();
  }
}

TEST(LimitSurface, OthersRefuseIt) {
  const auto yaml = [](const std::string& method) {
    return slide(kRatchet, method, Whose::kBlock, {1, 0, 0}, false);
  };
  expect_refusal(yaml(method_of(2, "cone")),
                 "the round cone cannot do limit surfaces with corners (grained), got cone, "
                 "want lemke");
  expect_refusal(yaml("impulse: {}"), "impulse cannot do limit surfaces of friction");
  expect_refusal(yaml("analytic: {}"), "limit surfaces of friction");
  expect_refusal(yaml("penalty: {}"), "friction");
  expect_refusal(yaml("time-stepping: {contact: {compliance: 1e-6}}"), "compliance");
}

TEST(LimitSurface, BodiesInAPlaneCannotHaveIt) {
  expect_refusal(header(kRatchet, method_of(2)) +
                     "  - {name: floor, fixed: true, material: plain, shapes: [{plane: {}}]}\n"
                     "  - {name: disc, material: grained, mass: 2, joint: {planar: {x: [1, 0, 0], "
                     "y: [0, 0, 1]}},"
                     " position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]}\n",
                 "limit surfaces of friction on a body that moves in a plane (disc)");
}

TEST(LimitSurface, TwoInOneContactNeedAPair) {
  const std::string two =
      header(kRatchet, method_of(2)) +
      "  - {name: floor, fixed: true, material: grained, shapes: [{plane: {}}]}\n"
      "  - {name: block, material: grained, mass: 2, position: [0, 0, 0.01], velocity: [1, 0, 0],"
      " shapes: [{box: {size: [1, 1, 0.02]}}]}\n";
  expect_refusal(two,
                 "two limit surfaces of friction in one contact (floor and block), want the "
                 "friction between grained and grained in `pairs`");
  SceneRun run(two + "pairs: [{between: [grained, grained], friction: 0.1, restitution: 0}]\n");
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("block").v.x(), 1 - 0.1 * kG * 0.1, 1e-9);
}

}  // namespace
}  // namespace tenpin::methods
