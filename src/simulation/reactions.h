// What joints and loops pass on, from the change of momentum over a step.
#pragma once

#include <span>
#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::simulation {

// A reaction, and of a hinge's or slider's what acts along its axis: positive where it would raise
// the joint's coordinate.
struct JointReaction : contact::Reaction {
  double drive = 0.0;  // N m s, N s   by motor, spring, damping and dry friction
  double stop = 0.0;   // N m s, N s   by a stop
};

// Impulses of all joints and loops of mechanisms over a step from `before` to `after` (q, v and t
// of them count), whatever the method: Newton and Euler's equations for impulses, from the leaves
// of each tree to its root. A joint's impulse has all that passes through it: what holds the body,
// its motor, spring, friction and stop. Linear impulses are exact; moments have errors of the order
// of the step squared, since contacts and applied forces are taken to act where bodies are in the
// middle. Where loops are redundant the smallest forces are told.
[[nodiscard]] std::vector<JointReaction> calc_reactions(
    const dynamics::Model& model, const dynamics::State& before, const dynamics::State& after,
    std::span<const contact::ContactRecord> contacts);

}  // namespace tenpin::simulation
