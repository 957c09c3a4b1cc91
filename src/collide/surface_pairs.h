// Contacts of a triangle surface with a convex shape. [B89, §4.2] for its faces; its edges and
// vertices touch only in directions that no neighbouring face explains, so that nothing catches on
// an edge inside of a floor.
#pragma once

#include <vector>

#include "collide/narrow_phase.h"

namespace tenpin::collide {

// As append_manifold and calc_distance. A is the surface, B has bounds. Points deeper than half of
// the smallest extent of B are not found.
void append_surface_manifold(const PairQuery& query, double margin, NarrowPhase* narrow_phase,
                             std::vector<ContactPoint>* points);
[[nodiscard]] Distance calc_surface_distance(const PairQuery& query, NarrowPhase* narrow_phase);

}  // namespace tenpin::collide
