// Integration to near rounding by Richardson extrapolation of Gragg's midpoint rule.
// [HNW93, §II.9]
#pragma once

#include <array>
#include <functional>

#include "math/types.h"

namespace tenpin::dynamics {

// Keeps its buffers.
class Extrapolation {
 public:
  // Computes y' at (t, y).
  using Rate = std::function<void(double t, const VecX& y, VecX* rate)>;

  struct Limits {
    double tolerance = 0.0;   // -   of each component, relative to 1 + its size
    double rounding = 0.0;    // -   a step that converges no further may still change this much
    int max_evaluations = 0;  // after which the motion counts as too fast
    int num_unchecked = 0;    // last components, which follow from the others
  };

  // Takes *y from time t over h seconds, in steps that are halved until they converge. False if
  // this takes too many evaluations.
  [[nodiscard]] bool integrate(const Rate& rate, double t, double h, const Limits& limits, VecX* y);

 private:
  static constexpr int kMaxColumns = 8;

  bool step(const Rate& rate, double t, double h, const Limits& limits, const VecX& y,
            int* num_evaluations);
  void midpoint(const Rate& rate, double t, double h, int n, const VecX& y);

  VecX end_;  // of the last step
  VecX rate_, first_rate_, older_, newer_;
  std::array<VecX, kMaxColumns> table_;
};

}  // namespace tenpin::dynamics
