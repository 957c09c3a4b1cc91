// Mass, centre and inertia of a moving body.
#pragma once

#include <string>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read_shapes.h"
#include "scene/scene.h"

namespace tenpin::scene {

// m   Smallest radius of gyration, sqrt(inertia / mass); a tenth of the smallest size.
constexpr double kLeastGyration = 1e-10;

// Fills body->mass, center and inertia from the checked entry; the parts must already be filled.
// For a mesh in pieces, `library` has the mass of the whole mesh.
void read_mass(const Node& entry, const std::string& path, const MeshLibrary& library, Body* body,
               ProblemList* problems);

}  // namespace tenpin::scene
