// Controls that are constant but whose targets move, and limits that differ from end to end.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scene/import/import.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

// The motor of one hinge with the given actuators and keyframe.
Motor read_motor(const std::string& actuators, const std::string& key) {
  const fs::path folder = fs::path(testing::TempDir()) / "tenpin_actuators";
  fs::create_directories(folder);
  const fs::path file = folder / "a.xml";
  std::ofstream(file) << "<mujoco><worldbody><body name='b'><joint name='j' type='hinge' axis='0 0 "
                         "1'/><geom size='0.1'/></body></worldbody><actuator>"
                      << actuators << "</actuator><keyframe><key " << key
                      << "/></keyframe></mujoco>\n";
  const Scene scene = import_model(file.string());
  fs::remove_all(folder);
  return scene.bodies.at(0).properties.motor;
}

TEST(MjcfActuators, TheTargetOfIntvelocityMoves) {
  const Motor motor =
      read_motor("<intvelocity joint='j' kp='6' gear='2' actrange='-1 3'/>", "ctrl='0.5' act='1'");
  ASSERT_EQ(motor.kind, Motor::Kind::kPosition);
  EXPECT_EQ(motor.stiffness, 24.0);
  // From act / gear until its activation reaches the end of its range after 4 s.
  EXPECT_EQ(motor.table.times, (std::vector<double>{0.0, 4.0}));
  EXPECT_EQ(motor.table.values, (std::vector<double>{0.5, 1.5}));
}

TEST(MjcfActuators, ConstantForcesHaveTheirOwnLimits) {
  const std::string motor = "<motor joint='j' gear='3' forcerange='-1 4'/>";
  EXPECT_EQ(read_motor(motor, "ctrl='9'").target, 12.0);
  EXPECT_EQ(read_motor(motor, "ctrl='-9'").target, -3.0);
}

}  // namespace
}  // namespace tenpin::scene
