// The `models` of a scene: other files whose bodies become part of it.
#pragma once

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Reads the files that the checked list names and appends what they hold: bodies, materials, pairs,
// loops and exceptions from touching, placed and named as the entries say. Problems in a file
// keep its own lines. Throws LimitError.
void include_models(const Node& models, const ReadLimits& limits, Scene* scene,
                    ProblemList* problems);

}  // namespace tenpin::scene
