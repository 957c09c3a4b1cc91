// From what a scene says to what the mechanics needs.
#pragma once

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/scene.h"

namespace tenpin::scene {

struct Built {
  dynamics::Model model;
  dynamics::State state;  // at t = 0
};

// Cannot fail on a Scene that the reader accepted.
[[nodiscard]] Built build(const Scene& scene);

}  // namespace tenpin::scene
