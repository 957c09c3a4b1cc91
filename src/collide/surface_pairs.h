// Contacts of a triangle surface with a convex shape. Faces follow [B89, §4.2]. Edges and vertices
// touch only in directions that no neighbouring face covers, so that no body catches on an edge in
// the middle of a floor.
#pragma once

#include <vector>

#include "collide/narrow_phase.h"

namespace tenpin::collide {

// append_manifold and calc_distance for surfaces. A is the surface, and B is bounded. Points deeper
// than half of the smallest extent of B are not found.
void append_surface_manifold(const PairQuery& query, double margin, NarrowPhase* narrow_phase,
                             std::vector<ContactPoint>* points);
[[nodiscard]] Distance calc_surface_distance(const PairQuery& query, NarrowPhase* narrow_phase);

}  // namespace tenpin::collide
