// Names, state, errors and reports of a simulation.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

const std::string kScenes = std::string(TENPIN_SOURCE_DIR) + "/scenes/";
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Simulation, ReadsAScene) {
  Simulation sim = Simulation::load(kScenes + "four-balls.yaml");
  EXPECT_EQ(sim.name(BodyId{0}), "table");
  while (sim.time() < 0.5) ASSERT_TRUE(sim.step().certified());
  EXPECT_GT(sim.contacts().size(), 0U);
  EXPECT_LT(std::fabs(sim.ledger().closure), 1e-9);
  EXPECT_NEAR(sim.ledger().total(), sim.kinetic_energy() + sim.potential_energy(), 1e-12);
}

TEST(Simulation, OtherMethodsAndValuesAreNamedWhenItIsLoaded) {
  const Simulation sim =
      Simulation::load(kScenes + "four-balls.yaml", {.method = "impulse", .set = {{"until", "3"}}});
  EXPECT_EQ(sim.scene().method(), "impulse");
  EXPECT_EQ(sim.scene().until(), 3.0);
}

// The settings of the scene's own method stay; another method begins with its defaults.
TEST(Simulation, NamingTheMethodOfTheSceneKeepsItsSettings) {
  const std::string yaml =
      "tenpin: 1\nbodies: [{name: b, mass: 1, shapes: [{sphere: {radius: 1}}]}]\n"
      "method: {time-stepping: {step: 0.02, order: 1}}\nuntil: 1\n";
  const auto time_after_a_step = [&](const LoadOptions& options) {
    Simulation sim(Scene::parse(yaml, "s.yaml", options));
    (void)sim.step();
    return sim.time();
  };
  EXPECT_EQ(time_after_a_step({.method = "time-stepping", .set = {}}), 0.02);
  EXPECT_EQ(
      time_after_a_step({.method = "time-stepping", .set = {{"method.time-stepping.order", "2"}}}),
      0.02);
  EXPECT_EQ(Scene::parse(yaml, "s.yaml",
                         {.method = "impulse", .set = {{"method.impulse.interval", "0.03"}}})
                .method(),
            "impulse");
}

TEST(Simulation, TellsAllProblemsOfAScene) {
  try {
    (void)Scene::parse("tenpin: 1\nbodies:\n  - {name: a, mass: -1}\n  - {nam: b}\nuntil: 1\n",
                       "s.yaml");
    FAIL();
  } catch (const SceneError& error) {
    ASSERT_GE(error.problems().size(), 2U);
    EXPECT_EQ(error.problems()[0].file, "s.yaml");
    EXPECT_EQ(error.problems()[0].line, 3);
    EXPECT_EQ(error.problems()[0].path, "bodies[0].mass");
  }
}

TEST(SceneBuilder, HasTheErrorTextsOfFiles) {
  SceneBuilder builder;
  builder.body("ball").mass(-1.0).sphere(0.1);
  const std::string built = error_of([&] {
    (void)builder.build();
  });
  const std::string read = error_of([] {
    (void)Scene::parse(
        "{tenpin: 1, bodies: [{name: ball, mass: -1, shapes: [{sphere: {radius: 0.1}}]}], until: "
        "1}",
        "scene built in code");
  });
  EXPECT_NE(built.find("scene built in code: bodies[0].mass: "), std::string::npos) << built;
  const std::size_t text = built.find("bodies[0].mass");
  EXPECT_NE(read.find(built.substr(text)), std::string::npos) << read;
}

TEST(SceneBuilder, LoopsAreThoseOfAFile) {
  SceneBuilder builder;
  const auto add_slider = [&](const std::string& name, double x) {
    builder.body(name)
        .mass(1.0)
        .position({x, 0.0, 0.0})
        .sphere(0.1)
        .slider({.axis = Vec3::UnitZ()});
  };
  add_slider("a", 0.0);
  add_slider("b", 1.0);
  add_slider("c", 2.0);
  add_slider("d", 3.0);
  builder.distance_loop("rod", {"a", "b", Vec3(0.1, 0.0, 0.0)}, 0.9);
  builder.coupling("gear", "c", "d", {0.0, -2.0});
  const Scene scene = builder.build();
  EXPECT_NE(scene.to_yaml().find("distance: {bodies: [\"a\", \"b\"]"), std::string::npos)
      << scene.to_yaml();
  Simulation sim(scene);
  sim.set_joint_force(sim.joint("d"), 3.0);
  ASSERT_TRUE(sim.advance_to(0.5).ok());
  EXPECT_NEAR(sim.joint_position(sim.joint("c"))[0], -2.0 * sim.joint_position(sim.joint("d"))[0],
              1e-9);
  EXPECT_GT(std::fabs(sim.joint_position(sim.joint("d"))[0]), 0.1);
  // Each kind is read as files are, and mistakes are told as theirs.
  builder.ball_loop("pin", {"a", "world"}).weld_loop("glue", {"a", "c"});
  builder.hinge_loop("hinge", {"a", "nobody"}, Vec3::UnitX(), Vec3::UnitX());
  const std::string error = error_of([&] {
    (void)builder.build();
  });
  EXPECT_NE(error.find("loops[4].hinge.bodies"), std::string::npos) << error;
  EXPECT_EQ(error.find("loops[3]"), std::string::npos) << error;
}

TEST(SceneBuilder, WritesAndReadsBackTheSameScene) {
  const Scene scene = make_falling_things("order-1");
  const std::string yaml = scene.to_yaml();
  EXPECT_EQ(Scene::parse(yaml).to_yaml(), yaml);
  Simulation a(scene);
  Simulation b(Scene::parse(yaml));
  a.advance_to(0.2);
  b.advance_to(0.2);
  EXPECT_EQ(a.state_hash(), b.state_hash());
}

// Shapes built in code are those of a file, key by key.
TEST(SceneBuilder, ShapesAreThoseOfAFile) {
  SceneBuilder builder;
  builder.name("Shapes");
  builder.body("bowl").fixed().shape("{bowl: {radius: 2}}");
  builder.body("egg").mass(1.0).ellipsoid({0.1, 0.2, 0.3}, {0.0, 0.0, 0.5});
  builder.body("die").mass(1.0).box({0.2, 0.2, 0.2}, {0.1, 0.0, 0.0}, 0.02);
  builder.body("brick").mass(1.0).box({0.4, 0.2, 0.1});
  const Scene read = Scene::parse(
      "tenpin: 1\nname: Shapes\nbodies:\n"
      "  - {name: bowl, fixed: true, shapes: [{bowl: {radius: 2}}]}\n"
      "  - {name: egg, mass: 1, shapes: [{ellipsoid: {semiaxes: [0.1, 0.2, 0.3]}, position: [0, 0, "
      "0.5]}]}\n"
      "  - {name: die, mass: 1, shapes: [{box: {size: [0.2, 0.2, 0.2], radius: 0.02}, position: "
      "[0.1, 0, 0]}]}\n"
      "  - {name: brick, mass: 1, shapes: [{box: {size: [0.4, 0.2, 0.1]}}]}\nuntil: 1\n");
  EXPECT_EQ(builder.build().to_yaml(), read.to_yaml());
  builder.body("cube").mass(1.0).box({0.2, 0.2, 0.2}, {}, 0.5);
  const std::string error = error_of([&] {
    (void)builder.build();
  });
  EXPECT_NE(error.find("bodies[4].shapes[0].box.radius"), std::string::npos) << error;
}

TEST(State, IsThatOfTheSceneAndCanBeSet) {
  Simulation sim(make_falling_things("order-1"));
  const BodyId first = sim.body("first");
  EXPECT_LT((sim.pose(first).translation() - Vec3(0.0, 0.0, 0.1005)).norm(), 1e-15);
  EXPECT_EQ(sim.velocity(first).linear, Vec3(1.0, 0.0, 0.0));
  EXPECT_EQ(sim.joint_position(sim.joint("bob"))[0], 0.4);
  const VecX q = sim.q();
  const VecX v = sim.v();
  sim.advance_to(0.2);
  const std::uint64_t first_run = sim.state_hash();
  sim.reset();
  sim.advance_to(0.2);
  EXPECT_EQ(sim.state_hash(), first_run);
  sim.set_state(q, v);
  EXPECT_EQ(sim.q(), q);
  EXPECT_EQ(sim.v(), v);
  EXPECT_EQ(sim.time(), 0.2);
}

TEST(State, KeepsItsAddresses) {
  Simulation sim(make_falling_things("time-stepping"));
  const double* q = sim.q().data();
  const double* f = sim.joint_forces().data();
  for (int i = 0; i < 20; ++i) sim.step();
  sim.restore(sim.save());
  sim.reset();
  EXPECT_EQ(sim.q().data(), q);
  EXPECT_EQ(sim.joint_forces().data(), f);
}

// A four-bar linkage that is put somewhere near closes its loop.
TEST(State, LoopsAreClosedAndOpenOnesRefused) {
  Simulation sim = Simulation::load(kScenes + "four-bar.yaml");
  sim.advance_to(0.1);
  VecX q = sim.q();
  const VecX closed = q;
  q[0] += 1e-4;
  sim.set_state(q, sim.v());
  EXPECT_GT((sim.q() - closed).norm(), 1e-6);
  EXPECT_TRUE(sim.step().certified());
  EXPECT_NE(error_of([&] {
              sim.set_state(VecX::Constant(q.size(), 2.0), sim.v());
            }).find("loop"),
            std::string::npos);
}

TEST(Errors, NameTheArgument) {
  Simulation sim(make_falling_things("order-1"));
  const BodyId ball = sim.body("first");
  EXPECT_NE(error_of([&] {
              (void)sim.body("fist");
            }).find("'fist'"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)sim.pose(BodyId{99});
            }).find("body: got id 99"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              (void)sim.layout(JointId{-1});
            }).find("joint: got id -1"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_body_force(ball, {kNan, 0.0, 0.0});
            }).find("force: got nan"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_joint_force(sim.joint("bob"), VecX::Zero(2));
            }).find("force: got 2 numbers, want 1"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_joint_force(sim.joint("post"), 1.0);
            }).find("post is fixed"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_motor_target(sim.joint("bob"), 1.0);
            }).find("no motor"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_motion(ball, {});
            }).find("no prescribed motion"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_material_pair("felt", "wool", 0.1, 0.0);
            }).find("'wool'"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_material_pair("felt", "felt", -0.1, 0.0);
            }).find("friction"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.set_state(VecX::Zero(3), sim.v());
            }).find("q: got 3 numbers"),
            std::string::npos);
  VecX q = sim.q();
  q.segment<4>(3).setZero();
  EXPECT_NE(error_of([&] {
              sim.set_state(q, sim.v());
            }).find("quaternion of first"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              sim.advance_to(-1.0);
            }).find("t: got -1"),
            std::string::npos);
  sim.joint_forces()[0] = kNan;
  EXPECT_NE(error_of([&] {
              sim.step();
            }).find("joint force: got nan"),
            std::string::npos);
  EXPECT_TRUE(sim.step().certified());  // and it still works
}

// A step that fails leaves the state where it was and says why.
TEST(Errors, NumericalFailureIsAStatus) {
  SceneBuilder builder;
  builder.method("analytic");
  builder.body("floor").fixed().plane(Vec3::UnitZ());
  builder.body("ball").mass(1.0).position({0.0, 0.0, 0.1}).sphere(0.1);
  Simulation sim(builder.build());
  VecX q = sim.q();
  q[2] = 0.05;  // overlaps; only those of the scene are resolved before time 0
  sim.set_state(q, sim.v());
  const std::uint64_t before = sim.state_hash();
  const StepReport& report = sim.step();
  EXPECT_EQ(report.status, Status::kCertificateFailed);
  EXPECT_FALSE(report.certified());
  EXPECT_FALSE(report.message.empty());
  EXPECT_EQ(sim.state_hash(), before);
}

TEST(Advance, TakesNoStepThatIsOnlyRoundingLong) {
  Simulation sim(make_falling_things("order-1"));
  for (int i = 0; i < 60; ++i) sim.step();
  ASSERT_EQ(sim.time(), 0.3);
  EXPECT_TRUE(sim.advance_to(0.1 + 0.2).ok());  // 0.30000000000000004
  EXPECT_EQ(sim.num_steps(), 60);
}

TEST(Advance, StopsWhereTheCallerSays) {
  Simulation sim(make_falling_things("order-1"));
  int steps = 0;
  const StepReport& report = sim.advance_to(1.0, [&] {
    return ++steps < 7;
  });
  EXPECT_EQ(report.status, Status::kStopped);
  EXPECT_EQ(sim.num_steps(), 7);
  EXPECT_EQ(sim.time(), 0.035);
}

class LastStep : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, LastStep,
                         testing::Values("order-1", "order-2", "analytic", "impulse", "penalty"),
                         name_of_method);

// Contacts and reactions are made when they are asked for, also after controls have changed the
// model in the meantime.
TEST_P(LastStep, IsToldAfterControlsHaveChanged) {
  Simulation early(make_falling_things(GetParam()));
  Simulation late(make_falling_things(GetParam()));
  const auto have_same_contacts = [&] {
    if (early.contacts().size() != late.contacts().size()) return false;
    for (std::size_t k = 0; k < early.contacts().size(); ++k) {
      const Contact& a = early.contacts()[k];
      const Contact& b = late.contacts()[k];
      if (a.impulse != b.impulse || a.position != b.position || a.gap != b.gap) return false;
    }
    return true;
  };
  std::size_t num_contacts = 0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(early.step().ok());
    ASSERT_TRUE(late.step().ok());
    num_contacts += early.contacts().size();
    const std::size_t num_reactions = early.reactions().size();
    if (k % 3 == 0) late.set_gravity({0.0, 0.1 * k, -9.81});
    if (k % 3 == 0) early.set_gravity({0.0, 0.1 * k, -9.81});
    late.joint_forces()[0] = early.joint_forces()[0] = k % 2;
    EXPECT_TRUE(have_same_contacts()) << k;
    EXPECT_EQ(late.reactions().size(), num_reactions);
    if (k % 5 == 0) {  // refused as the next step begins, and nothing changes
      early.joint_forces()[0] = late.joint_forces()[0] = kNan;
      EXPECT_THROW((void)early.step(), InputError);
      EXPECT_THROW((void)late.step(), InputError);
      EXPECT_TRUE(have_same_contacts()) << k;
    }
  }
  EXPECT_GT(num_contacts, 0U);
  EXPECT_EQ(early.state_hash(), late.state_hash());
}

}  // namespace
}  // namespace tenpin
