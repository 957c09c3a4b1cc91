// What the stages of an interval share: constant while its groups of bodies run.
#pragma once

#include <atomic>
#include <vector>

#include "dynamics/kinematics.h"
#include "methods/impulse/thresholds.h"
#include "methods/method.h"

namespace tenpin::methods::impulse {

// How far bodies whose motion is only estimated are looked ahead.
struct Looks {
  double slice = 0.0;  // s   at most
  double reach = 1.0;  // -   safety factor on estimated motions
};

struct Interval {
  double t_start = 0.0;  // s
  double t_end = 0.0;    // s
  Looks looks;
  Thresholds thresholds;
  // At the start; poses and twists by body.
  double kinetic = 0.0, potential = 0.0;  // J
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
};

// Mechanisms that may meet each other and no others, with the indices of their pairs and stops.
struct Group {
  std::vector<int> mechanisms;
  std::vector<int> pairs;
  std::vector<int> stops;
};

// When to stop within an interval.
struct Patience {
  StepObserver* observer = nullptr;  // is asked by the thread that owns it
  std::atomic<bool>* is_stopped = nullptr;
};

}  // namespace tenpin::methods::impulse
