// Reads a <joint> or <freejoint>.
#pragma once

#include <optional>

#include "scene/import/mjcf_settings.h"
#include "scene/import/robot.h"

namespace tenpin::scene::mjcf {

struct Joint {
  RobotJoint joint;
  double reference = 0.0;         // rad, m   MJCF's coordinate at the body's given pose
  double motor_limit = kNoLimit;  // N m, N   on the sum of all actuators
};

// Expects `joint` with its defaults applied. X_LF is the pose on the link of the frame that
// contains the joint. Returns nothing if the joint is invalid.
[[nodiscard]] std::optional<Joint> read_joint(const Element& joint, const Settings& settings,
                                              const Pose& X_LF);

// True if the range applies: `limited` decides; without it, the presence of `range` does.
[[nodiscard]] bool is_limited(const Element& element, std::string_view limited,
                              std::string_view range, bool automatic);

}  // namespace tenpin::scene::mjcf
