// The `models` of a scene: other files whose bodies become part of it.
#pragma once

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Reads the files that the checked list names and appends their contents: bodies, materials, pairs,
// loops and exceptions from touching, placed and named as the entries specify. Problems in an
// included file have that file's lines. Throws LimitError.
void include_models(const Node& models, const ReadLimits& limits, Scene* scene,
                    ProblemList* problems);

}  // namespace tenpin::scene
