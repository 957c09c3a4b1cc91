// Applies `--set path=value` of the command line to the tree before it is checked.
#pragma once

#include <span>

#include "scene/node.h"
#include "scene/read.h"

namespace tenpin::scene {

// List items are named by their number or their `name`. Missing keys are created, so that the check
// treats them as if they were in the file. Throws SceneError.
void apply_overrides(std::span<const Override> overrides, int max_depth, Node* root);

}  // namespace tenpin::scene
