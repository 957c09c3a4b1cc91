// The wall of a bowl A and a shape B inside it. The wall curves around every convex shape, so only
// the extreme points of B's core can touch it, each along its own line through the bowl's centre.
#pragma once

#include <vector>

#include "collide/narrow_phase.h"

namespace tenpin::collide {

// Appends the contact points of all extreme points within `margin` of the wall.
void append_bowl_manifold(const PairQuery& query, double margin, std::vector<ContactPoint>* points);

// The contact at the point of B that is closest to the wall, or deepest in it.
[[nodiscard]] ContactPoint calc_bowl_contact(const PairQuery& query);

}  // namespace tenpin::collide
