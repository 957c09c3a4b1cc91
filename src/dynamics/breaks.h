// The times at which the prescribed functions of a scene are not smooth.
#pragma once

#include <vector>

#include "dynamics/model.h"

namespace tenpin::dynamics {

struct Break {
  double t = 0.0;        // s
  bool is_jump = false;  // a force or a velocity jumps; otherwise only a derivative does
};

// The breaks of all forces, motors and prescribed motions, in ascending order, each time once.
[[nodiscard]] std::vector<Break> find_breaks(const Model& model);

}  // namespace tenpin::dynamics
