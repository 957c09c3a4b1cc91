// The impulses that joints and loops transmit, computed from the change of momentum over a step.
#pragma once

#include <span>
#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::simulation {

// A reaction and, for a hinge or slider, its part along the axis: positive if it would increase the
// joint's coordinate.
struct JointReaction : contact::Reaction {
  double drive = 0.0;  // N m s, N s   by motor, spring, damping and dry friction
  double stop = 0.0;   // N m s, N s   by a stop
};

// Computes the impulses of all joints and loops of mechanisms over a step from `before` to `after`
// (whose q, v and t are used), for any method: from Newton and Euler's equations for impulses, from
// the leaves of each tree to its root. A joint's impulse contains everything that it transmits: the
// constraint, its motor, spring, friction and stop. Linear impulses are exact; moments have errors
// of the order of the step squared, because contacts and applied forces are assumed to act where
// bodies are in the middle of the step. Where loops are redundant, the smallest forces are
// reported.
[[nodiscard]] std::vector<JointReaction> calc_reactions(
    const dynamics::Model& model, const dynamics::State& before, const dynamics::State& after,
    std::span<const contact::ContactRecord> contacts);

}  // namespace tenpin::simulation
