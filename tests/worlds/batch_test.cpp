#include <gtest/gtest.h>
#include <tenpin/tenpin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace tenpin::test {
namespace {

using Device = BatchOptions::Device;

constexpr const char* kStart =
    "tenpin: 1\nname: test\n"
    "materials: {wood: {friction: 0.3, restitution: 0.5}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n";
constexpr const char* kMethod =
    "method: {time-stepping: {step: 0.001, order: 1, solver: cone, tolerance: 1.0e-12, "
    "contact: {compliance: 0.03}, restitution: newton}}\n"
    "until: 1\n";

std::string write_ball(double mass) {
  return "  - {name: ball, material: wood, mass: " + std::to_string(mass) +
         ", position: [0, 0, 0.1], velocity: [3, 1, 0], angular_velocity: [0, 0, 5], "
         "shapes: [{sphere: {radius: 0.1}}]}\n";
}
Scene make_ball(double mass = 2.0) {
  return Scene::parse(kStart + write_ball(mass) + kMethod);
}
BatchOptions on_cpu_batch(int threads = 2) {
  return {.device = Device::kCpuBatch, .threads = threads};
}
VecX row(std::span<const double> rows, int world, int width) {
  return Eigen::Map<const VecX>(rows.data() + static_cast<std::ptrdiff_t>(world) * width, width);
}
VecX q_of(const Batch& batch, int world) {
  return row(batch.q(), world, batch.nq());
}
VecX v_of(const Batch& batch, int world) {
  return row(batch.v(), world, batch.nv());
}

TEST(Batch, SimulationsHaveTheBitsOfSingleOnes) {
  Batch batch(make_ball(), 3, {.threads = 2});
  batch.forces()[6] = 1.5;  // along x, of the second world
  EXPECT_TRUE(batch.step(50));
  for (int k = 0; k < 3; ++k) {
    Simulation sim(make_ball());
    if (k == 1) sim.joint_forces()[0] = 1.5;
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().ok());
    EXPECT_EQ(q_of(batch, k), sim.q());
    EXPECT_EQ(batch.state_hash(k), sim.state_hash());
    EXPECT_EQ(batch.report(k).path, BatchPath::kSimulation);
  }
}

TEST(Batch, AgreesWithTheStepper) {
  Batch batch(make_ball(), 2, on_cpu_batch());
  batch.step(400);
  Simulation sim(make_ball());
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(sim.step().certified());
  EXPECT_LE((v_of(batch, 1) - sim.v()).lpNorm<Eigen::Infinity>(), 1e-11);
  EXPECT_LE((q_of(batch, 1) - sim.q()).lpNorm<Eigen::Infinity>(), 1e-11);
  const WorldReport report = batch.report(1);
  EXPECT_EQ(report.path, BatchPath::kBatch);
  EXPECT_TRUE(report.ok && report.certified);
  EXPECT_EQ(report.steps, 400);
  EXPECT_NEAR(report.time, 0.4, 1e-12);
  EXPECT_NEAR(report.ledger.friction, -2.0 * 10.0 / 7.0, 1e-9);  // until it rolls
  EXPECT_NEAR(report.ledger.kinetic, sim.kinetic_energy(), 1e-10);
  EXPECT_NEAR(report.ledger.potential, sim.potential_energy(), 1e-10);
  EXPECT_LE(std::abs(report.ledger.closure), 1e-11);
}

TEST(Batch, ContactsAreThoseOfTheStepper) {
  Batch batch(make_ball(), 1, on_cpu_batch());
  EXPECT_TRUE(batch.contacts(0).empty());
  Simulation sim(make_ball());
  const double weight = 2.0 * 9.81;
  for (const ContactMode mode : {ContactMode::kSliding, ContactMode::kResting}) {
    const int steps = mode == ContactMode::kSliding ? 100 : 900;
    batch.step(steps);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(sim.step().ok());
    const std::vector<Contact> found = batch.contacts(0);
    ASSERT_EQ(found.size(), 1U);
    ASSERT_EQ(sim.contacts().size(), 1U);
    const Contact& is = found[0];
    const Contact& want = sim.contacts()[0];
    EXPECT_EQ(is.body_a, want.body_a);
    EXPECT_EQ(is.body_b, want.body_b);
    EXPECT_LE((is.position - want.position).norm(), 1e-10);
    EXPECT_LE((is.normal - want.normal).norm(), 1e-14);
    EXPECT_LE((is.force - want.force).norm(), 1e-7 * weight);
    EXPECT_LE((is.slip - want.slip).norm(), 1e-9);
    EXPECT_NEAR(is.gap, want.gap, 1e-11);
    EXPECT_NEAR(is.friction_work, want.friction_work, 1e-9);
    EXPECT_EQ(is.mode, mode) << to_string(is.mode);
    EXPECT_EQ(is.mode, want.mode) << to_string(want.mode);
  }
}

TEST(Batch, StepsMayBeDividedAndWorldsTakenBack) {
  Batch whole(make_ball(), 2, on_cpu_batch()), parts(make_ball(), 2, on_cpu_batch(1));
  whole.step(200);
  for (const int steps : {1, 0, 64, 65, 70}) parts.step(steps);
  EXPECT_EQ(q_of(whole, 0), q_of(parts, 0));
  EXPECT_EQ(v_of(whole, 1), v_of(parts, 1));
  const VecX q = q_of(whole, 0);
  whole.reset(std::vector<char>{1, 0});
  EXPECT_EQ(q_of(whole, 0), Simulation(make_ball()).q());
  EXPECT_EQ(whole.report(0).time, 0.0);
  EXPECT_EQ(q_of(whole, 1), q);
  whole.step(200);
  EXPECT_EQ(q_of(whole, 0), q);
}

TEST(Batch, WorldsHaveStartsAndNumbersOfTheirOwn) {
  const std::vector<Scene> scenes = {make_ball(2.0), make_ball(3.0)};
  Batch batch(scenes, on_cpu_batch());
  VecX q = q_of(batch, 1), v = v_of(batch, 1);
  q[2] = 0.5;
  v.setZero();
  batch.set_start(1, q, v);
  batch.step(100);
  EXPECT_NEAR(batch.report(1).ledger.potential, 3.0 * 9.81 * q_of(batch, 1)[2], 1e-9);
  batch.reset();
  EXPECT_EQ(q_of(batch, 1), q);
  batch.step(10);
  batch.set_state(1, q, v);
  EXPECT_NEAR(batch.report(1).time, 0.01, 1e-15);
  EXPECT_EQ(batch.report(1).steps, 0);
  EXPECT_THROW(batch.set_state(2, q, v), InputError);
  EXPECT_THROW(batch.set_state(0, q.head(3), v), InputError);
  const std::vector<Scene> others = {make_ball(),
                                     Scene::parse(std::string(kStart) + kMethod, "floor.yaml")};
  EXPECT_THROW(Batch(others, on_cpu_batch()), InputError);
}

// A spin of more than a radian in a step: the stepper takes the world over, and the others stay.
TEST(Batch, HandsWorldsOnThatAreTooFast) {
  Batch batch(make_ball(), 2, on_cpu_batch()), parts(make_ball(), 2, on_cpu_batch());
  for (Batch* b : {&batch, &parts}) {
    const VecX q = q_of(*b, 0);
    VecX v = v_of(*b, 0);
    v[5] = 1500.0;
    b->set_state(0, q, v);
  }
  batch.step(30);
  for (int i = 0; i < 3; ++i) parts.step(10);
  EXPECT_EQ(q_of(batch, 0), q_of(parts, 0));
  const WorldReport report = batch.report(0);
  EXPECT_EQ(report.path, BatchPath::kStepper);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.steps, 30);
  EXPECT_EQ(report.message, "run by the stepper: too fast at step 1");
  EXPECT_FALSE(batch.contacts(0).empty());
  EXPECT_EQ(batch.report(1).path, BatchPath::kBatch);
  batch.reset();
  EXPECT_EQ(batch.report(0).path, BatchPath::kBatch);
  EXPECT_EQ(batch.report(0).message, "");
}

TEST(Batch, ShowsItsMemory) {
  Batch batch(
      make_ball(), 3,
      {.device = Device::kCpuBatch, .precision = BatchOptions::Precision::kSingle, .threads = 1});
  batch.step(20);
  const BatchArrays arrays = batch.arrays();
  ASSERT_EQ(arrays.bodies.size(), 1U);
  EXPECT_EQ(arrays.bodies[0].index, 1);
  EXPECT_EQ(arrays.velocity.shape, (std::array<std::int64_t, 3>{3, 1, 6}));
  EXPECT_EQ(arrays.velocity.size_of_number, 4);
  EXPECT_FALSE(arrays.velocity.on_gpu);
  float v = 0.0F;
  std::memcpy(&v,
              reinterpret_cast<const char*>(arrays.velocity.address) +
                  2 * arrays.velocity.strides[0] + arrays.velocity.strides[2],
              sizeof v);
  EXPECT_EQ(static_cast<double>(v), v_of(batch, 2)[1]);
}

TEST(Batch, RefusesWithTheReason) {
  EXPECT_THROW(Batch(make_ball(), 0), InputError);
  EXPECT_THROW((void)Batch(make_ball(), 1).arrays(), InputError);
  EXPECT_THROW((void)Batch(make_ball(), 1, on_cpu_batch()).forces(), InputError);
  EXPECT_THROW(Batch(make_ball(), 1, {.precision = BatchOptions::Precision::kSingle}), InputError);
  const Scene door =
      Scene::parse(std::string(kStart) +
                       "  - {name: door, mass: 1, joint: {hinge: {axis: [0, 0, 1]}}, "
                       "inertia: [1, 1, 1]}\n" +
                       kMethod,
                   "door.yaml");
  try {
    Batch(door, 1, on_cpu_batch());
    FAIL();
  } catch (const SceneError& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems()[0].text, "a batch cannot do joints");
    EXPECT_EQ(error.problems()[0].line, 6);
  }
}

TEST(Batch, SaysWhyThereIsNoGpu) {
  Batch batch(make_ball(), 1, {.device = Device::kAuto});
  if (batch.reason().empty()) GTEST_SKIP() << "on " << batch.device();
  EXPECT_NE(batch.device().find("of the CPU"), std::string::npos);
  try {
    Batch(make_ball(), 1, {.device = Device::kGpu});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), batch.reason());
  }
}

TEST(Batch, EndsWhenItIsAskedTo) {
  Batch batch(make_ball(), 2, on_cpu_batch(1));
  int asked = 0;
  EXPECT_FALSE(batch.step(1000, [&] {
    return ++asked < 4;
  }));
  EXPECT_LT(batch.report(1).steps, 1000);
  batch.step(10);
  EXPECT_TRUE(batch.ok(0));
}

}  // namespace
}  // namespace tenpin::test
