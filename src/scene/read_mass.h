// Mass, centre and inertia of a body that moves.
#pragma once

#include <string>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Fills body->mass, center and inertia from the checked entry; the parts must be there already.
void read_mass(const Node& entry, const std::string& path, Body* body, ProblemList* problems);

}  // namespace tenpin::scene
