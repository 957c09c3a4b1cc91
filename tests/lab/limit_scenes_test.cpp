// The scenes of friction as a polygon, a polytope and an ellipsoid, against their exact answers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/check.h"
#include "lab/quantities.h"
#include "lab/scene_runs.h"

namespace tenpin::lab {
namespace {

constexpr double kG = 9.81;
constexpr double kStop = 2e-5;  // m   where a slip ends within a step
constexpr double kMove = 1e-6;  // rad/s

struct Expected {
  std::string quantity;
  double value = 0.0;
  double tolerance = 0.0;
};

void expect_at_end(const std::string& scene, const std::string& until,
                   const std::vector<Expected>& expected) {
  const scene::Override end{.path = "until", .value = until};
  const RunFolder folder;
  const std::string file = folder.file("run.h5");
  const Summary summary =
      simulate(scene::read_scene(TENPIN_SOURCE_DIR "/scenes/" + scene + ".yaml", {&end, 1}),
               {.run_file = file});
  ASSERT_EQ(summary.status, methods::AdvanceStatus::kReachedEnd) << summary.message;
  EXPECT_TRUE(summary.worst.passed);
  const record::RunReader run(file);
  for (const Expected& e : expected) {
    const auto found = find_quantities(run, std::vector<std::string>{e.quantity});
    EXPECT_NEAR(read_quantities(run, found).at(0).back(), e.value, e.tolerance) << e.quantity;
  }
}

// Each stops after v²/(2 mu g), as if the others were not there.
TEST(LimitScenes, PolygonsStopAlongAcrossAndSpinByThemselves) {
  expect_at_end("limit-polygons", "1.2",
                {{"bodies.with.position.x", -1 + 4 / (2 * 0.2 * kG), kStop},
                 {"bodies.against.position.x", 0.4 - 4 / (2 * 0.6 * kG), kStop},
                 {"bodies.puck.position.x", -0.6 + 1.5 * 1.5 / (2 * 0.3 * kG), kStop},
                 {"bodies.puck.position.y", -0.7 + 0.6 * 0.6 / (2 * 0.2 * kG), kStop},
                 {"bodies.puck.angular_velocity.z", 0.0, kMove}});
  expect_at_end("limit-polygons", "0.25",
                {{"bodies.with.velocity.x", 2 - 0.2 * kG * 0.25, kMove},
                 {"bodies.against.velocity.x", -2 + 0.6 * kG * 0.25, kMove},
                 {"bodies.puck.velocity.x", 1.5 - 0.3 * kG * 0.25, kMove},
                 {"bodies.puck.velocity.y", 0.6 - 0.2 * kG * 0.25, kMove},
                 {"bodies.puck.angular_velocity.z", 3 - 0.01 * kG / 0.02 * 0.25, kMove}});
}

TEST(LimitScenes, EllipsoidsStopSlipAndSpinTogether) {
  const double speed = std::hypot(1.2, 0.6, 12 * std::sqrt(0.02));
  const double time = speed / (0.3 * kG);  // s
  expect_at_end("limit-ellipsoids", "1",
                {{"bodies.gliding.position.x", -0.4 + 0.5 * 1.2 * time, kStop},
                 {"bodies.gliding.position.y", 0.5 * 0.6 * time, kStop},
                 {"bodies.gliding.velocity.x", 0.0, kMove},
                 {"bodies.gliding.angular_velocity.z", 0.0, kMove},
                 {"bodies.spinning.angular_velocity.z", 0.0, kMove}});
  const double left = 1 - 0.5 / time;
  expect_at_end("limit-ellipsoids", "0.5",
                {{"bodies.gliding.velocity.x", 1.2 * left, kMove},
                 {"bodies.gliding.velocity.y", 0.6 * left, kMove},
                 {"bodies.gliding.angular_velocity.z", 12 * left, kMove},
                 {"bodies.spinning.angular_velocity.z", 4 - 0.01 * kG / 0.02 * 0.5, kMove}});
}

TEST(LimitScenes, AreRefusedByTheOtherMethods) {
  for (const std::string scene : {"limit-polygons", "limit-ellipsoids"}) {
    for (const std::string method : {"{impulse: {}}", "{analytic: {}}", "{penalty: {}}"}) {
      const scene::Override override{.path = "method", .value = method};
      try {
        (void)simulate(
            scene::read_scene(TENPIN_SOURCE_DIR "/scenes/" + scene + ".yaml", {&override, 1}), {});
        ADD_FAILURE() << scene << " under " << method;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("friction"), std::string::npos) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace tenpin::lab
