// Heaps drawn at random, of those that once could not be followed to their end, and why.
#include <gtest/gtest.h>

#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

void expect_end(double t, const char* yaml) {
  SceneRun run(yaml);
  EXPECT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd)
      << run.built.state.t << " s: " << run.last.message;
  EXPECT_LE(run.worst_residual, 1e-8);
  EXPECT_LE(run.worst_penetration, 2e-9);
  run.expect_ledger_closes();
}

// A box pivots on another: its contacts become fast one after the other. Each time the slower ones
// could as well have stuck.
TEST(AnalyticHeaps, SlipsThatBeginTogetherGoOnTogether) {
  expect_end(0.4917, R"(
tenpin: 1
materials: {m: {friction: 0.3, restitution: 0.3}}
bodies:
  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}
  - {name: b0, material: m, mass: 1.771, position: [-0.0378, 0.0249, 0.3000],
     orientation: {axis: [-0.7571, 1.2113, 0.3128], degrees: 112.21},
     angular_velocity: [-0.454, 0.939, 0.277], shapes: [{box: {size: [0.189, 0.206, 0.210]}}]}
  - {name: b1, material: m, mass: 2.782, position: [0.0216, -0.0163, 0.7500],
     orientation: {axis: [-0.7746, 1.0585, -0.4839], degrees: 85.69},
     angular_velocity: [1.078, -1.051, -3.208], shapes: [{box: {size: [0.260, 0.265, 0.127]}}]}
  - {name: b2, material: m, mass: 2.912, position: [0.0076, -0.0508, 1.2000],
     orientation: {axis: [0.0981, -0.0822, -0.0329], degrees: 144.85},
     angular_velocity: [-0.779, -2.229, -1.100], shapes: [{capsule: {radius: 0.055, length: 0.164}}]}
  - {name: b3, material: m, mass: 1.755, position: [-0.0488, 0.0123, 1.6500],
     orientation: {axis: [-2.4174, 1.3489, -0.3239], degrees: 127.30},
     angular_velocity: [1.324, -0.136, -0.167], shapes: [{cylinder: {radius: 0.059, length: 0.297}}]}
  - {name: b4, material: m, mass: 0.456, position: [0.0406, -0.0110, 2.1000],
     orientation: {axis: [-1.8915, 0.5712, 0.3560], degrees: 127.37},
     angular_velocity: [-0.791, -3.652, -4.817], shapes: [{sphere: {radius: 0.077}}]}
method: {analytic: {}}
)");
}

// A box jams between the floor and a corner: of the pushes that are tried, the one that is as small
// as the law's tolerance has no impulses.
TEST(AnalyticHeaps, PushesAreHardEnoughToBeFelt) {
  expect_end(0.6, R"(
tenpin: 1
materials: {m: {friction: 0.8, restitution: 0.5}}
bodies:
  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}
  - {name: b0, material: m, mass: 0.362, position: [-0.0690, -0.0562, 0.3000],
     orientation: {axis: [-0.5702, 0.7602, 0.4058], degrees: 173.29},
     angular_velocity: [0.950, -0.362, -3.494], shapes: [{box: {size: [0.199, 0.279, 0.157]}}]}
  - {name: b1, material: m, mass: 1.971, position: [0.0463, 0.0308, 0.7500],
     orientation: {axis: [1.0993, 0.5081, -0.8928], degrees: 58.29},
     angular_velocity: [0.663, -1.242, 1.770], shapes: [{sphere: {radius: 0.097}}]}
  - {name: b2, material: m, mass: 2.098, position: [-0.0407, -0.0584, 1.2000],
     orientation: {axis: [-0.3133, 0.3492, -1.0691], degrees: 42.02},
     angular_velocity: [-1.409, -2.491, -3.935], shapes: [{box: {size: [0.137, 0.225, 0.233]}}]}
  - {name: b3, material: m, mass: 2.341, position: [-0.0234, 0.0343, 1.6500],
     orientation: {axis: [-1.1920, 0.9562, -3.1276], degrees: 150.22},
     angular_velocity: [-1.965, -0.214, -3.009], shapes: [{sphere: {radius: 0.149}}]}
  - {name: b4, material: m, mass: 0.621, position: [-0.0465, -0.0385, 2.1000],
     orientation: {axis: [0.5912, -0.9993, 0.0629], degrees: 79.78},
     angular_velocity: [1.400, 1.912, 0.548], shapes: [{capsule: {radius: 0.085, length: 0.207}}]}
  - {name: b5, material: m, mass: 0.617, position: [-0.0249, -0.0007, 2.5500],
     orientation: {axis: [-0.1217, -0.0049, 0.1656], degrees: 92.43},
     angular_velocity: [3.721, -1.481, -2.997], shapes: [{capsule: {radius: 0.062, length: 0.115}}]}
method: {analytic: {}}
)");
}

// An event that was found may have others before it, between the points that were looked at.
TEST(AnalyticHeaps, EventsBeforeAnEventAreFound) {
  expect_end(0.47, R"(
tenpin: 1
materials: {m: {friction: 0.3, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}
  - {name: b0, material: m, mass: 0.1521, position: [0.0277, 0.0489, 0.2500],
     orientation: {axis: [0.5160, 1.7484, -0.7766], degrees: 133.16},
     velocity: [-0.382, 0.036, -0.211],
     angular_velocity: [-2.754, -0.287, -0.585],
     shapes: [{box: {size: [0.134, 0.055, 0.252]}}]}
  - {name: b1, material: m, mass: 0.02616, position: [0.0565, 0.0738, 0.6500],
     velocity: [0.072, -0.061, -0.139],
     shapes: [{capsule: {radius: 0.096, length: 0.252}}]}
  - {name: b2, material: m, mass: 2.777, position: [0.0004, -0.0585, 1.0500],
     orientation: {axis: [0.0640, -1.4889, -0.6078], degrees: 13.96},
     angular_velocity: [1.910, 2.243, -1.520],
     shapes: [{capsule: {radius: 0.088, length: 0.130}}]}
method: {analytic: {}}
)");
}

// A cylinder lies on a box: where forces are open one of them vanishes, and what takes its place is
// at the edge of its cone, again and again.
TEST(AnalyticHeaps, ForcesThatVanishAmongOthersLeaveTimeToGoOn) {
  expect_end(0.4, R"(
tenpin: 1
materials: {m: {friction: 0.3867, restitution: 0.3394}}
bodies:
  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}
  - {name: rod, material: m, mass: 2.3161, position: [0.05173, -0.07656, 0.63040],
     orientation: {axis: [-1.0230, -0.9085, -0.6308], degrees: 37.468},
     velocity: [-0.386, -0.369, -0.876], shapes: [{cylinder: {radius: 0.0310, length: 0.2416}}]}
  - {name: box, material: m, mass: 0.4195, position: [0.05920, 0.02210, 0.25404],
     orientation: {axis: [-0.0099, -0.2821, -0.4825], degrees: 88.797},
     velocity: [-0.293, 0.555, 0.567], shapes: [{box: {size: [0.2915, 0.2787, 0.2612]}}]}
  - {name: drum, material: m, mass: 3.6025, position: [-0.11513, 0.11058, 0.74683],
     orientation: {axis: [-0.4128, 1.0630, -1.3217], degrees: 14.672},
     velocity: [0.512, -0.145, -0.084], shapes: [{cylinder: {radius: 0.0787, length: 0.2157}}]}
  - {name: ball, material: m, mass: 0.2442, position: [0.11161, 0.11591, 0.67133],
     orientation: {axis: [-0.7185, -0.7519, -0.5764], degrees: 350.661},
     velocity: [0.141, 0.017, 0.040], shapes: [{sphere: {radius: 0.0590}}]}
method: {analytic: {}}
)");
}

// A slip that begins a little short of where its event is aimed at has it farther on, not at once.
TEST(AnalyticHeaps, EventsAreNotMetAtOnceAgain) {
  expect_end(0.5, R"(
tenpin: 1
materials: {m: {friction: 0.3, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: m,
     shapes: [{plane: {}}]}
  - {name: b0, material: m, mass: 1.815, position: [0.0199, 0.0715, 0.3000],
     orientation: {axis: [1.1117, 0.7687, -0.9306], degrees: 159.57},
     angular_velocity: [-1.520, 1.906, -0.610],
     shapes: [{cylinder: {radius: 0.076, length: 0.240}}]}
  - {name: b1, material: m, mass: 1.589, position: [0.0436, 0.0156, 0.7500],
     orientation: {axis: [0.4146, -0.8780, 0.9882], degrees: 91.20},
     angular_velocity: [1.357, -1.733, -0.885],
     shapes: [{sphere: {radius: 0.135}}]}
method: {analytic: {}}
)");
}

// A ball hits a flat disk beside its rim, between two of the fixed points that it lies on: outside
// the octagon of these, and yet inside what the rim supports. The disk does not tip.
TEST(AnalyticCollision, DiskLiesOnAllOfItsRim) {
  SceneRun run(R"(
tenpin: 1
materials: {m: {friction: 0, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}
  - {name: disk, material: m, mass: 0.2, position: [0, 0, 0.05],
     shapes: [{cylinder: {radius: 0.1, length: 0.1}}]}
  - {name: ball, material: m, mass: 100, position: [0.0915, 0.0379, 0.2], velocity: [0, 0, -3],
     shapes: [{sphere: {radius: 0.0999}}]}
method: {analytic: {}}
)");
  EXPECT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd)
      << run.built.state.t << " s: " << run.last.message;
  EXPECT_LE(run.worst_penetration, 2e-9);
  constexpr double kMoved = 1e-9;  // m: the event tolerance
  EXPECT_LE((run.built.state.q.head<3>() - Vec3(0.0, 0.0, 0.05)).norm(), kMoved);
  run.expect_ledger_closes();
}

}  // namespace
}  // namespace tenpin::methods
