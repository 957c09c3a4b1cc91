// Assembles mechanisms: closes loops at time 0 and checks that joints move mass.
#pragma once

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Makes a loop, except for the values that come from the state at time 0, which assemble() sets.
[[nodiscard]] dynamics::Loop make_loop(const Scene& scene, const Loop& loop);

// Completes the loops, moves *state to where they are closed and removes velocities that would open
// them. Throws NumericalError if a loop cannot close, InputError if a joint moves no mass.
struct LoopCount {
  int rows = 0;
  int redundant = 0;  // redundant rows: their forces are not unique, but the motion is
};
LoopCount assemble(const Scene& scene, dynamics::Model* model, dynamics::State* state);

}  // namespace tenpin::scene
