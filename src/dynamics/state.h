#pragma once

#include <cstdint>
#include <vector>

#include "math/types.h"

namespace tenpin::dynamics {

// Everything that changes while a mechanism moves; joints say what q and v mean (model.h).
struct State {
  std::int64_t step = 0;  // whole steps taken, for methods that step: they end at step * h
  double t = 0.0;         // s
  VecX q;                 // m, unit quaternions w x y z, rad   (nq)
  VecX v;                 // m/s, rad/s                         (nv)
  // What the method must know of the step before, in its own code; empty at the start. It is part
  // of the state, so that two equal states advance equally and a run can be taken up where it
  // stopped.
  std::vector<std::uint64_t> memory;
};

}  // namespace tenpin::dynamics
