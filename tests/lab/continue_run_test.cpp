// A run that is continued from a frame of its file has the bits of the run that never stopped.
#include "lab/continue_run.h"

#include <map>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "lab/scene_runs.h"
#include "simulation/state_hash.h"

namespace tenpin::lab {
namespace {

struct Case {
  std::string name;
  std::string method;  // YAML
  bool has_friction = true;
  bool has_gravity = true;
  std::string friction = "0.4";  // YAML, of all bodies but the floor
  std::string more = "";         // YAML, of the same material
};

const char* const kEllipsoid = "{limit: {ellipsoid: [0.4, 0.3, 0.003]}, axis: [1, 0, 0]}";
const char* const kPolygon =
    "{limit: {polygon: [[0.5, 0.3], [0.5, -0.3], [-0.2, -0.3], [-0.2, 0.3]]}, axis: [1, 0, 0]}";

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.method;
}

// Balls and boxes that fall on a floor and on each other, spin, slide and come to rest, and a
// pendulum with a motor that hits its stop. Penalty can do neither friction nor joints.
scene::Scene make_scene(const Case& c, const std::string& every) {
  const std::string arm =
      "  - name: arm\n    mass: 0.5\n    material: steel\n    position: [2, 0, 1]\n    shapes: "
      "[{capsule: {radius: "
      "0.05, length: 0.4}}]\n    joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 0.3], at: 1.2, "
      "limits: [-0.3, 2], motor: {velocity: 1, gain: 0.05}}}\n";
  // The arm moves in a plane: it cannot have a limit surface.
  const std::string mu = c.has_friction ? "0.4" : "0";
  const std::string rest = ", restitution: 0.3" + c.more + "}\n";
  const std::string materials = "  default: {friction: " + (c.has_friction ? c.friction : mu) +
                                rest + "  ground: {friction: " + mu + rest +
                                "  steel: {friction: " + mu + rest;
  const std::string pair = ", friction: " + mu + ", restitution: 0.3}\n";
  const std::string pairs =
      "  - {between: [default, default]" + pair + "  - {between: [default, steel]" + pair;
  return scene::parse_scene(
      "tenpin: 1\nname: things\nmaterials:\n" + materials + "pairs:\n" + pairs +
          "gravity: [0, 0, " + (c.has_gravity ? "-9.81" : "0") +
          "]\nbodies:\n"
          "  - {name: floor, fixed: true, material: ground, shapes: [{plane: {normal: [0, 0, "
          "1]}}]}\n"
          "  - {name: box, mass: 2, position: [0, 0, 0.101], velocity: [0.5, 0, -0.2],\n"
          "     shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n"
          "  - {name: ball, mass: 1, position: [0.02, 0.01, 0.35], velocity: [0, 0.1, -0.3],\n"
          "     angular_velocity: [1, 2, 3], shapes: [{sphere: {radius: 0.1}}]}\n"
          "  - {name: roller, mass: 1, position: [-1, 0, 0.1], velocity: [1, 0, 0],\n"
          "     shapes: [{sphere: {radius: 0.1}}]}\n" +
          (c.has_friction ? arm : "") + "method: {" + c.method + "}\nrecord: {every: " + every +
          "}\nuntil: 0.4\n",
      "things.yaml");
}

// Hashes of the states after all steps, by time.
Summary run_with_hashes(const scene::Scene& scene, SimulationOptions options,
                        std::map<double, std::uint64_t>* hashes) {
  options.on_step = [hashes](const methods::StepReport& /*report*/, auto /*contacts*/,
                             const dynamics::State& state) {
    (*hashes)[state.t] = simulation::calc_state_hash(state);
  };
  return simulate(scene, options);
}

class EveryMethodContinues : public testing::TestWithParam<Case> {};

TEST_P(EveryMethodContinues, FromRandomFramesWithTheSameBits) {
  const RunFolder folder;
  const scene::Scene scene = make_scene(GetParam(), "0.01");
  std::map<double, std::uint64_t> whole;
  const Summary uninterrupted = run_with_hashes(scene, {.run_file = folder.file("run.h5")}, &whole);
  ASSERT_EQ(uninterrupted.status, methods::AdvanceStatus::kReachedEnd) << uninterrupted.message;
  const record::RunReader run(folder.file("run.h5"));
  const std::vector<double> times = run.read_frame_times();
  ASSERT_GE(times.size(), 35U);
  const RandomStream random(20);
  for (int i = 0; i < 6; ++i) {
    const double at = times[random.bits(i) % (times.size() - 1)];
    const Continuation from = read_continuation(run, at, {}, {});
    ASSERT_EQ(from.t_frame, at);
    std::map<double, std::uint64_t> rest;
    const Summary continued = run_with_hashes(from.scene, {.from = from.state}, &rest);
    EXPECT_EQ(continued.state_hash, uninterrupted.state_hash) << "from " << at << " s";
    EXPECT_FALSE(rest.empty());
    for (const auto& [t, hash] : rest) {
      ASSERT_TRUE(whole.contains(t)) << "from " << at << " s: a step to " << t << " s";
      ASSERT_EQ(hash, whole[t]) << "from " << at << " s: at " << t << " s";
    }
  }
}

// How often a run is looked at must not change it.
TEST_P(EveryMethodContinues, RecordingMoreOftenDoesNotChangeTheMotion) {
  const RunFolder folder;
  std::map<double, std::uint64_t> often, seldom;
  const Summary first =
      run_with_hashes(make_scene(GetParam(), "0.003"), {.run_file = folder.file("a.h5")}, &often);
  const Summary second =
      run_with_hashes(make_scene(GetParam(), "0.07"), {.run_file = folder.file("b.h5")}, &seldom);
  EXPECT_EQ(first.state_hash, second.state_hash);
  EXPECT_EQ(often, seldom);
}

// A continued run can be continued again, and longer than it was meant to be.
TEST_P(EveryMethodContinues, TwiceAndPastItsEnd) {
  const RunFolder folder;
  scene::Scene scene = make_scene(GetParam(), "0.01");
  (void)simulate(scene, {.run_file = folder.file("first.h5")});
  const scene::Override later{.path = "until", .value = "0.5"};
  const Continuation second =
      read_continuation(record::RunReader(folder.file("first.h5")), 0.2, {&later, 1}, {});
  EXPECT_EQ(second.scene.until, 0.5);
  const Summary once =
      simulate(second.scene, {.run_file = folder.file("second.h5"), .from = second.state});
  const record::RunReader run(folder.file("second.h5"));
  EXPECT_EQ(run.header().scene_text, scene.text);
  EXPECT_LE(run.read_frame_times().front(), 0.2);
  const Continuation third = read_continuation(run, 0.35, {}, {});
  EXPECT_EQ(simulate(third.scene, {.from = third.state}).state_hash, once.state_hash);
}

const Case kCases[] = {
    {"order1_lemke", "time-stepping: {step: 0.005, order: 1, solver: lemke}"},
    {"order1_cone", "time-stepping: {step: 0.005, order: 1, solver: cone}"},
    {"order1_sleeping", "time-stepping: {step: 0.005, order: 1, sleeping: true}"},
    {"velocity", "time-stepping: {step: 0.005, order: 1, formulation: velocity}"},
    {"nonlinear", "time-stepping: {step: 0.005, order: 1, formulation: nonlinear}"},
    {"poisson", "time-stepping: {step: 0.005, restitution: poisson}"},
    {"order1_poisson", "time-stepping: {step: 0.005, order: 1, restitution: poisson}"},
    {"ellipsoid_of_friction", "time-stepping: {step: 0.005}", true, true, kEllipsoid},
    {"polygon_of_friction", "time-stepping: {step: 0.005}", true, true, kPolygon},
    {"order1_polygon_of_friction", "time-stepping: {step: 0.005, order: 1}", true, true, kPolygon},
    {"compliance", "time-stepping: {step: 0.005, order: 1, contact: {compliance: 1e-5}}"},
    {"springs", "time-stepping: {step: 0.005, order: 1, contact: springs}", true, true, "0.4",
     ", stiffness: 1e5"},
    {"order2", "time-stepping: {step: 0.005}"},
    {"order2_sleeping", "time-stepping: {step: 0.005, sleeping: true}"},
    {"analytic", "analytic: {}"},
    {"adams", "analytic: {integrator: adams}"},
    {"impulse", "impulse: {interval: 0.005}"},
    {"impulse_without_gravity", "impulse: {interval: 0.005}", true, false},
    {"penalty", "penalty: {step: 0.0005, stiffness: 20000, damping: 50}", false},
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodContinues, testing::ValuesIn(kCases),
                         [](const auto& test) {
                           return test.param.name;
                         });

TEST(ContinueRun, RefusesWhatWouldBeAnotherRun) {
  const RunFolder folder;
  const record::RunReader run(folder.run(make_ball_scene("step: 0.01")));
  const scene::Override mass{.path = "bodies.ball.mass", .value = "3"};
  EXPECT_THROW((void)read_continuation(run, 0.1, {&mass, 1}, {}), InputError);
  EXPECT_THROW((void)read_continuation(run, -1.0, {}, {}), InputError);
  EXPECT_THROW((void)read_continuation(run, std::nullopt, {}, {}), InputError);  // at its end
}

}  // namespace
}  // namespace tenpin::lab
