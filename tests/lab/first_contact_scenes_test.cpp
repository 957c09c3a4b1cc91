// The scenes of tests/first_contact: written from README and docs alone, and compared with answers
// that are known in closed form or by the balance of energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/check.h"
#include "lab/quantities.h"
#include "lab/scene_runs.h"

namespace tenpin::lab {
namespace {

constexpr double kG = 9.81;

// How near to the exact answer each method comes; a negative number: not compared.
struct Tolerance {
  double order2 = 1e-9;  // also under Lemke
  double impulse = -1.0;
  double analytic = 1e-9;
};

struct Expected {
  std::string quantity;
  double value = 0.0;
  Tolerance tolerance;
  double at = -1.0;  // s   -1: the last frame
};

struct Case {
  std::string scene;
  std::vector<Expected> expected;
  std::map<std::string, std::string> refused = {};  // by method: what it cannot do
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.scene;
}

const std::vector<std::string> kMethods = {"time-stepping", "lemke", "impulse", "analytic"};

scene::Scene read(const std::string& name, const std::string& method) {
  const std::string value =
      method == "lemke" ? "{time-stepping: {solver: lemke}}" : "{" + method + ": {}}";
  const scene::Override override{.path = "method", .value = value};
  return scene::read_scene(TENPIN_SOURCE_DIR "/tests/first_contact/" + name + ".yaml",
                           {&override, 1});
}

double tolerance_of(const Tolerance& tolerance, const std::string& method) {
  if (method == "impulse") return tolerance.impulse;
  return method == "analytic" ? tolerance.analytic : tolerance.order2;
}

double read_value(const record::RunReader& run, const Expected& expected) {
  const std::vector<double> times = run.read_frame_times();
  std::size_t frame = times.size() - 1;
  if (expected.at >= 0.0) {
    const auto first = std::lower_bound(times.begin(), times.end(), expected.at - 1e-9);
    frame = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
        first - times.begin(), static_cast<std::ptrdiff_t>(times.size()) - 1));
    EXPECT_NEAR(times[frame], expected.at, 1e-9) << "no frame there";
  }
  const std::vector<Quantity> found =
      find_quantities(run, std::vector<std::string>{expected.quantity});
  return read_quantities(run, found).at(0).at(frame);
}

class FirstContact : public testing::TestWithParam<Case> {};

TEST_P(FirstContact, HasTheExactAnswerUnderEveryMethod) {
  const Case& c = GetParam();
  for (const std::string& method : kMethods) {
    SCOPED_TRACE(method);
    const scene::Scene scene = read(c.scene, method);
    const RunFolder folder;
    if (const auto refused = c.refused.find(method); refused != c.refused.end()) {
      try {
        (void)simulate(scene, {.run_file = folder.file("run.h5")});
        ADD_FAILURE() << "not refused";
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(refused->second), std::string::npos)
            << error.what();
      }
      continue;
    }
    const Summary summary = simulate(scene, {.run_file = folder.file("run.h5")});
    ASSERT_EQ(summary.status, methods::AdvanceStatus::kReachedEnd) << summary.message;
    EXPECT_TRUE(summary.worst.passed);
    EXPECT_LE(std::fabs(summary.total_closure), 1e-11 * std::max(1.0, summary.largest_energy));
    const record::RunReader run(folder.file("run.h5"));
    for (const Expected& expected : c.expected) {
      const double tolerance = tolerance_of(expected.tolerance, method);
      if (tolerance < 0.0) continue;
      EXPECT_NEAR(read_value(run, expected), expected.value, tolerance) << expected.quantity;
    }
  }
}

// Where forces are not unique they are the least: a crate's corners share its load.
TEST(FirstContactForces, CornersOfTheStackShareTheLoadUnderEveryMethod) {
  constexpr double kWeight = 3 * kG;  // N
  for (const std::string& method : kMethods) {
    std::vector<contact::ContactRecord> last;
    double duration = 0.0;
    double before = 0.0;
    const Summary summary = simulate(
        read("stack", method), {.on_step = [&](const methods::StepReport& report, auto contacts,
                                               const dynamics::State& state) {
          if (state.t - before < 1e-6) return;  // an impact
          duration = state.t - before;
          before = state.t;
          last.assign(contacts.begin(), contacts.end());
          EXPECT_FALSE(report.certificate.forces_unique) << method;
          EXPECT_TRUE(report.certificate.forces_least) << method;
        }});
    ASSERT_EQ(summary.status, methods::AdvanceStatus::kReachedEnd) << method;
    ASSERT_EQ(last.size(), 20U) << method;
    for (const contact::ContactRecord& r : last) {
      const double load = (6 - r.body_b) * kWeight / 4;  // crate k is body k
      const Vec3 force = r.impulse / duration;
      EXPECT_LE((force - Vec3(0, 0, load)).norm(), 1e-9 * 5 * kWeight) << method << r.body_b;
      EXPECT_FALSE(r.force_unique) << method;
      EXPECT_EQ(r.mode, contact::Mode::kResting) << method;
    }
  }
}

// Velocity of a fall by 1 m, and its time.
const double kSpeed = std::sqrt(2 * kG);
const double kFall = std::sqrt(2 / kG);

// m   Height of a ball of radius 0.1 m after its first bounce, at t.
double bounce(double e, double t) {
  return 0.1 + e * kSpeed * (t - kFall) - 0.5 * kG * (t - kFall) * (t - kFall);
}
// The same after the second one.
double bounce_twice(double e, double t) {
  const double left = t - kFall - 2 * e * kFall;
  return 0.1 + e * e * kSpeed * left - 0.5 * kG * left * left;
}

const double kSlope = 25.0 * 3.14159265358979323846 / 180.0;
const double kSledge = 2.0 * kG * (std::sin(kSlope) - std::sqrt(0.06) * std::cos(kSlope));  // m

const Case kCases[] = {
    {"gripper",
     {{"bodies.block.position.z", 0.3, {5e-6, 1e-2, 1e-9}},  // under `impulse` a grip creeps
      {"bodies.block.velocity.z", 0.0, {1e-9, 0.1, 1e-9}},
      {"pairs.left+block.force.z", kG / 2, {1e-6, -1, 1e-6}},
      {"pairs.right+block.force.x", -20.0, {1e-6, -1, 1e-6}},
      {"joints.left.drive", 20.0, {1e-9, 1e-9, 1e-9}}}},
    {"conveyor",
     {{"bodies.parcel.position.x", 0.5 - 0.25 / (0.6 * kG), {1e-5, 1e-3, 1e-7}},
      {"bodies.parcel.velocity.x", 0.5, {1e-9, 0.05, 1e-9}}}},
    {"motor-and-stop",
     {{"joints.arm.position", 0.5 * 4 * 0.25, {1e-9, 1e-9, 1e-9}, 0.5},
      {"joints.arm.position", 1.0, {1e-9, 1e-3, 1e-9}},
      {"joints.arm.stop", -2.0, {1e-9, -1, 1e-9}},
      {"joints.arm.drive", 2.0, {1e-9, 1e-9, 1e-9}}}},
    {"restitution",
     {{"bodies.low.position.z", bounce_twice(0.3, 0.8), {1e-8, 2e-3, 1e-8}},
      {"bodies.middle.position.z", bounce(0.6, 0.8), {1e-8, 2e-3, 1e-8}},
      {"bodies.high.position.z", bounce(1.0, 0.8), {1e-8, 2e-3, 1e-8}},
      {"bodies.cue.velocity.x", 0.0, {1e-9, 1e-3, 1e-9}},
      {"bodies.target.velocity.x", 2.0, {1e-9, 1e-3, 1e-9}}}},
    {"stack",
     {{"pairs.floor+crate-1.force.z", 15 * kG, {1e-6, 1e-6, 1e-6}},
      {"pairs.crate-4+crate-5.force.z", 3 * kG, {1e-6, 1e-6, 1e-6}},
      {"bodies.crate-5.position.z", 1.8, {1e-9, 1e-12, 1e-12}}}},
    {"loop",
     {{"loops.rod.force.z", kG, {1e-9, 1e-9, 1e-9}, 0.4},
      {"joints.beam.force.z", kG, {1e-9, 1e-9, 1e-9}, 0.4},
      {"loops.rod.force.z", 0.0, {1e-12, 1e-12, 1e-12}},
      // The pendulum's equation, solved independently.
      {"joints.beam.position", 1.1262998036827545, {1e-9, 1e-9, 1e-9}},
      {"joints.beam.velocity", 5.154629642345708, {1e-9, 1e-9, 1e-9}}}},
    {"push-and-stop",
     {{"bodies.puck.position.x", 5.0, {1e-9, 1e-9, 1e-9}, 2.0},
      {"bodies.puck.position.y", 1.25, {1e-9, 1e-9, 1e-9}, 2.0},
      {"bodies.puck.velocity.x", 5.0, {1e-9, 1e-9, 1e-9}},
      {"bodies.puck.velocity.y", 1.0, {1e-9, 1e-9, 1e-9}},
      {"bodies.puck.position.x", 12.5, {0.03, 1e-9, 1e-9}}}},
    {"ellipsoid",
     // The equation of its rocking, solved independently.
     {{"bodies.egg.position.z", 0.12912151628531562, {2e-4, 2e-3, 1e-8}},
      {"bodies.egg.angular_velocity.y", 1.9952177890418965, {1e-2, 0.4, 1e-6}},
      {"bodies.egg.position.x", 0.0, {1e-9, 1e-9, 1e-9}}}},
    {"ramp",
     {{"bodies.sledge.position.x", kSledge* std::cos(kSlope), {1e-9, 0.02, 1e-9}},
      {"bodies.sledge.position.z", -kSledge* std::sin(kSlope), {1e-9, 0.02, 1e-9}}}},
    {"limit-surface",
     {{"bodies.with.position.x", 4 / (0.4 * kG), {1e-5}},
      {"bodies.against.position.x", -4 / (1.2 * kG), {2e-5}},
      {"bodies.top.angular_velocity.z", 5 - 0.5 * 0.003 * kG / (0.4 * 0.01), {1e-6}, 0.5},
      {"bodies.top.angular_velocity.z", 0.0, {1e-9}}},
     {{"impulse", "impulse cannot do limit surfaces of friction"},
      {"analytic", "cannot do limit surfaces of friction"}}},
    {"overlap",
     {{"bodies.light.position.x", -0.03, {1e-5, 1e-5, 1e-5}},
      {"bodies.heavy.position.x", 0.37, {1e-5, 1e-5, 1e-5}},
      {"bodies.ball.position.y", -0.9, {1e-9, 1e-9, 1e-9}},
      {"bodies.light.velocity.x", 0.0, {1e-12, 1e-12, 1e-12}},
      {"bodies.ball.velocity.y", 0.0, {1e-12, 1e-12, 1e-12}}}},
};
INSTANTIATE_TEST_SUITE_P(Scenes, FirstContact, testing::ValuesIn(kCases), [](const auto& test) {
  std::string name = test.param.scene;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace tenpin::lab
