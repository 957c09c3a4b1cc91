// A scene run by a world of a batch and by the stepper.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "batch/worlds.h"
#include "support/scene_run.h"

namespace tenpin::test {

inline constexpr const char* kMethod =
    "method: {time-stepping: {step: 0.001, order: 1, solver: cone, tolerance: 1.0e-12, "
    "contact: {compliance: 0.03}, restitution: newton}}\n";

struct Both {
  SceneRun stepper;
  dynamics::State world;  // at the end
  batch::Stored<double, batch::kRoom> stored;
};

inline Both run_both(const std::string& bodies, int steps) {
  const std::string yaml = "tenpin: 1\nname: test\n" + bodies + kMethod;
  Both both = {.stepper = SceneRun(yaml), .world = {}, .stored = {}};
  const TestScene setup(scene::parse_scene(yaml + "until: 1000\n", "test.yaml"));
  const std::vector<batch::Model<double>> models = {
      batch::convert_model<double>(setup.batch.model)};
  std::vector worlds = {batch::make_world<double, batch::kRoom>(setup.batch, setup.built.state)};
  batch::run_on_cpu<double, batch::kRoom>(std::span<const batch::Model<double>>(models), steps,
                                          Workers(1), worlds);
  both.stored = worlds[0];
  read_state(setup.batch, worlds[0], &both.world);
  EXPECT_EQ(both.stepper.run_until(steps * 1e-3), methods::AdvanceStatus::kReachedEnd);
  EXPECT_EQ(worlds[0].flags, 0U);
  EXPECT_EQ(worlds[0].steps, static_cast<batch::Word>(steps));
  // Works and the change of energy agree in every step, to rounding of the energy.
  EXPECT_LE(both.stored.worst_closure, 1e-12 * both.stepper.largest_energy);
  return both;
}

// A quaternion and its negative are the same rotation.
inline double calc_distance(const Both& both) {
  const dynamics::State& a = both.stepper.built.state;
  const dynamics::State& b = both.world;
  double distance = (a.v - b.v).lpNorm<Eigen::Infinity>();
  for (Eigen::Index i = 0; i < a.q.size(); i += 7) {
    const auto turn_a = a.q.segment<4>(i + 3), turn_b = b.q.segment<4>(i + 3);
    distance = std::max({distance, (a.q.segment<3>(i) - b.q.segment<3>(i)).norm(),
                         std::min((turn_a - turn_b).norm(), (turn_a + turn_b).norm())});
  }
  return distance;
}

inline constexpr const char* kPlane =
    "materials: {wood: {friction: 0.3, restitution: 0.5}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n";

}  // namespace tenpin::test
