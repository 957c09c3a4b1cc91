// The falling rod of [ST00, §4.1]: its runs and the times of its events.
#pragma once

#include <string>

#include "lab/experiments/recording.h"

namespace tenpin::lab::experiments {

// The paper's data, for drawings and closed forms; scene.yaml contains the same data.
struct RodShape {
  static constexpr double kHalfLength = 0.25;  // m   without the ends
  static constexpr double kRadius = 0.05;      // m   of the ends
  static constexpr double kMass = 1.0;         // kg
  static constexpr double kInertia = 0.002;    // kg m^2
  static constexpr double kFriction = 0.6;
};

struct RodRun {
  std::string formulation;  // position, velocity, nonlinear
  std::string lever;        // full, printed
  std::string step;         // s   as written: "0.0025"
};

// For example "position/full/0.0025", as in expected.json.
[[nodiscard]] std::string key_of(const RodRun& run);

[[nodiscard]] Recording record_rod(const std::string& scene_file, const RodRun& run);

// The times are ends of steps; NaN for events that did not happen.
struct RodEvents {
  double impact = 0.0;  // s   the first step in which the table pushes
  double slap = 0.0;    // s   the first step in which it pushes both ends
  double rest = 0.0;    // s   the first step after which all velocities remain zero
};
[[nodiscard]] RodEvents find_events(const Recording& recording);

// The record of the first contact at which the table pushes; null if it never does.
[[nodiscard]] const contact::ContactRecord* find_first_push(const Recording& recording);

// m/s   Velocity along the table, right positive, of the lower end's lowest point.
[[nodiscard]] double calc_tip_speed(const RecordedStep& step);

// 1/kg   Normal acceleration of the lower tip per unit of normal force, including friction, while
// it slides to the right, for angles from 0 to pi. Negative: no finite force can support it. The
// lever arm of friction about the centre is (l/2) sin(angle) and, if `full`, also the tip's radius.
//                                                                        [ST00, §4.1, errata]
[[nodiscard]] double calc_painleve_rod(double angle, bool full);

}  // namespace tenpin::lab::experiments
