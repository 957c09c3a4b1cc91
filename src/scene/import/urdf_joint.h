// Reads a <joint> of a URDF file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/import/robot.h"

namespace tenpin::scene::urdf {

struct Mimic {
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;  // rad, m
};

struct Joint {
  std::string name, parent, child;
  Pose X_PC;                       // of the child in the parent, at coordinate 0
  std::vector<RobotJoint> joints;  // none: fixed; three: planar
  std::optional<Mimic> mimic;
  int element = 0;
};

[[nodiscard]] Joint read_joint(const Element& element);

}  // namespace tenpin::scene::urdf
