// Finds where a function of time falls below zero, within a bracket.   [B89, §3]
#pragma once

#include <algorithm>
#include <cmath>

#include "methods/analytic/tolerances.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

struct Bracket {
  double low = 0.0;         // the function is positive or zero here
  double high = 0.0;        // and negative here
  double value_low = 0.0;   // of the function
  double value_high = 0.0;  //
};

struct RootGoal {
  scene::AnalyticOptions::Events search = scene::AnalyticOptions::Events::kRegulaFalsi;
  double value = 0.0;  // values this close to zero are accepted
  double width = 0.0;  // and so are brackets this narrow
};

// Shrinks the bracket until it is accurate enough; its upper end is the root. Returns the number of
// evaluations. Regula falsi keeps the bracket and halves the value at an end that stays (the
// Illinois rule), so it cannot stall on one side. A function that starts at zero may rise first,
// like the gap of a hop: the start is not the root, and the bracket is bisected until a point is
// found where the function has risen.
template <typename Function>
int shrink_bracket(const Function& function, const RootGoal& goal, Bracket* b) {
  const bool bisects = goal.search == scene::AnalyticOptions::Events::kBisection;
  double f_low = b->value_low;
  double f_high = b->value_high;
  int stays = 0;  // < 0: the lower end stayed, > 0: the upper one
  for (int round = 0; round < kMaxRootRounds; ++round) {
    const double width = b->high - b->low;
    if (-b->value_high <= goal.value || width <= goal.width) return round;
    const bool has_risen = b->value_low > goal.value;
    const double middle = b->low + 0.5 * width;
    double x = middle;
    if (!bisects && has_risen) x = b->high - width * (f_high / (f_high - f_low));
    if (!(x > b->low && x < b->high)) x = middle;
    if (!(x > b->low && x < b->high)) return round;
    const double f = function(x);
    const bool touches = f >= 0.0 && f <= goal.value;  // without crossing: close enough from above
    if (f < 0.0 || (touches && has_risen)) {
      b->high = x;
      b->value_high = f_high = f;
      if (stays < 0) f_low *= 0.5;
      stays = std::min(stays, 0) - 1;
    } else {
      b->low = x;
      b->value_low = f_low = f;
      if (stays > 0) f_high *= 0.5;
      stays = std::max(stays, 0) + 1;
    }
  }
  return kMaxRootRounds;
}

}  // namespace tenpin::methods::analytic
