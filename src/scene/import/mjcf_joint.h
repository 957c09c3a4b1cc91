// A <joint> or <freejoint>.
#pragma once

#include <optional>

#include "scene/import/mjcf_settings.h"
#include "scene/import/robot.h"

namespace tenpin::scene::mjcf {

struct Joint {
  RobotJoint joint;
  double reference = 0.0;         // rad, m   MJCF's coordinate where the body's pose says
  double motor_limit = kNoLimit;  // N m, N   on all that drives it
};

// `joint` has its defaults; X_LF places the frame it stands in on the link. Nothing if it is bad.
[[nodiscard]] std::optional<Joint> read_joint(const Element& joint, const Settings& settings,
                                              const Pose& X_LF);

// Whether a range counts: `limited` says so, or by default that `range` is given.
[[nodiscard]] bool is_limited(const Element& element, std::string_view limited,
                              std::string_view range, bool automatic);

}  // namespace tenpin::scene::mjcf
