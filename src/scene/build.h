// From what a scene says to what the mechanics needs.
#pragma once

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/assemble.h"
#include "scene/scene.h"

namespace tenpin::scene {

struct Built {
  dynamics::Model model;
  dynamics::State state;  // at t = 0
  LoopCount loops;
};

// Throws on what only shows when a mechanism is put together: NumericalError for a loop that cannot
// close, InputError for a joint that moves no mass.
[[nodiscard]] Built build(const Scene& scene);

}  // namespace tenpin::scene
