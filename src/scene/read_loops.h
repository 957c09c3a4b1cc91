// The `loops` of a scene.
#pragma once

#include "scene/body_index.h"
#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Checks every item of the list and fills scene->loops; scene->bodies must already be filled.
void read_loops(const Node& list, const BodyIndex& index, Scene* scene, ProblemList* problems);

}  // namespace tenpin::scene
