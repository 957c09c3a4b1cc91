// The `parameters` of a scene, and the expressions in the rest of it.
#pragma once

#include <vector>

#include "scene/node.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// Replaces every value `${...}` of the tree by its number. Also replaces the values of
// `parameters`, which need no `${}`; a parameter may use parameters above it. A parameter that
// exists only on the command line is refused, because it is probably mistyped. Returns the
// parameters that nothing uses.
std::vector<Key> evaluate_expressions(Node* root, ProblemList* problems);

}  // namespace tenpin::scene
