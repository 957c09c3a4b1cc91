// The lengths and speeds that distinguish contact from flight, derived from the scene by one rule
// for all scenes.   [MC95, §Results and Analysis]: no special tweaking
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::methods::impulse {

// Heights within the envelope, outermost first. All fractions are ours.
//   envelope      bodies closer than this collide if they approach
//   arrival       flights are followed down to here, so that impacts happen between these two
//   floor         bodies that are still closer are pushed back up to `refuge`
struct Thresholds {
  double envelope = 0.0;  // m       the paper's epsilon_c
  double fall =
      0.0;  // m/s^2   the paper's g; without gravity a small value from the scene's motion
  double speed = 0.0;  // m/s     the paper's v_e: a fall through the envelope

  double arrival() const { return 0.75 * envelope; }
  double floor() const { return 0.125 * envelope; }
  double refuge() const { return 0.6 * envelope; }
};

// m   Smallest half width of all mobile parts. Of bodies without shapes, smallest radius of
// gyration.
[[nodiscard]] double calc_least_half_width(const dynamics::Model& model);

// `envelope` is 1 % of the smallest half width, unless given (> 0). With gravity, `fall` is its
// size. Without, a fall through that width reaches a thousandth of the fastest body's speed. Both
// follow from the model and the velocities alone, so that equal states advance equally.   [MC95,
// §Static contact and microcollisions]
[[nodiscard]] Thresholds calc_thresholds(const dynamics::Model& model,
                                         const std::vector<dynamics::Twist>& V_WB,
                                         double least_half_width, double envelope);

}  // namespace tenpin::methods::impulse
