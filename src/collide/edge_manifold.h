// The contact of two cores along a direction that is not the normal of a face: vertices, edges,
// rims and the sides of cylinders.
#pragma once

#include <cstdint>
#include <vector>

#include "collide/separation.h"

namespace tenpin::collide {

struct EdgePoint {
  Vec3 p_A = Vec3::Zero();  // m   A's frame; p_B = p_A + gap * n
  double gap = 0.0;         // m
  std::uint32_t feature_A = 0;
  std::uint32_t feature_B = 0;
};

// Appends two points (the ends of the common part) if parallel edges or sides touch, else one
// point.
void append_edge_points(const Separation& separation, double margin, CorePair* pair,
                        std::vector<EdgePoint>* points);

// Replaces direction and points by those between the facing vertices or edges, if these points
// prove the distance of two separate polytopes.
void certify_by_features(Separation* separation, CorePair* pair);

}  // namespace tenpin::collide
