// Builds the mechanical model from a scene.
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

// Builds the model and its initial state. Throws for errors that appear only when a mechanism is
// assembled: NumericalError for a loop that cannot close, InputError for a joint that moves no
// mass.
[[nodiscard]] Built build(const Scene& scene);

}  // namespace tenpin::scene
