// Approximate convex decomposition: cuts a solid by planes until its pieces are nearly convex.
#pragma once

#include <memory>
#include <vector>

#include "shapes/convex_mesh.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::shapes {

struct Decomposition {
  std::vector<std::shared_ptr<const ConvexMesh>> pieces;  // hulls of the pieces
  double volume = 0.0;                                    // m^3   of the mesh
  double added = 0.0;                                     // m^3   volume that the hulls add
};

// Repeatedly cuts the piece whose hull adds most, until there are `most` pieces or all hulls
// together add less than a thousandth of the volume. Each cut is the one whose two hulls have the
// least volume, with a small preference for balance, among the planes of faces at edges that point
// inwards and planes across the three axes. The same mesh gives the same bits. The mesh must be
// welded and closed.
[[nodiscard]] Decomposition decompose(const TriangleMesh& mesh, int most);

}  // namespace tenpin::shapes
