#pragma once

#include <cstdint>
#include <vector>

#include "math/types.h"

namespace tenpin::dynamics {

// An event that has happened.
struct FiredEvent {
  int event = 0;   // index into Model::events
  double t = 0.0;  // s

  friend bool operator==(const FiredEvent&, const FiredEvent&) = default;
};

// Everything that changes during a run; model.h says what q and v mean.
struct State {
  // number of complete steps, for methods with fixed steps: they end at step * h
  std::int64_t step = 0;
  double t = 0.0;  // s
  VecX q;          // m, unit quaternions w x y z, rad   (nq)
  VecX v;          // m/s, rad/s                         (nv)
  // Data that the method needs from the previous step, in its own encoding; empty at the start.
  // They are part of the state, so that equal states advance equally and a run can be resumed.
  std::vector<std::uint64_t> memory;
  std::vector<FiredEvent> fired;  // in the order of their times
};

}  // namespace tenpin::dynamics
