// `--set path=value` of the command line, put into the tree before it is checked.
#pragma once

#include <span>

#include "scene/node.h"
#include "scene/read.h"

namespace tenpin::scene {

// Items of lists are named by their number or their `name`. Keys that are not there yet are made,
// so that the check judges them as if the file had them. Throws SceneError.
void apply_overrides(std::span<const Override> overrides, int max_depth, Node* root);

}  // namespace tenpin::scene
