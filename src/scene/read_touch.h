// Exceptions to the collision rules: `touch` of a scene.
#pragma once

#include <cstdint>

#include "scene/body_index.h"
#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Fills scene->never_touch and always_touch from the checked map; scene->bodies must already be
// filled. Throws LimitError before it would make more than `most` pairs of parts.
void read_touch(const Node& touch, const BodyIndex& index, std::int64_t most, Scene* scene,
                ProblemList* problems);

}  // namespace tenpin::scene
