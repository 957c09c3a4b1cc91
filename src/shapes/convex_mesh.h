// A convex polyhedron as vertices, polygonal faces and the adjacency needed to walk on it.
#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace tenpin::shapes {

// Made only by make_convex_hull, so the following always holds: every vertex is extreme, coplanar
// triangles are merged into one face, faces are listed counter-clockwise seen from outside, and V -
// E + F = 2.
struct ConvexMesh {
  std::vector<Vec3> vertices;        // m
  std::vector<int> face_begin;       // face f owns face_vertices[face_begin[f] .. face_begin[f+1])
  std::vector<int> face_vertices;    // vertex indices, counter-clockwise from outside
  std::vector<Vec3> normals;         // -   outward unit normal per face
  std::vector<double> offsets;       // m   normal . x <= offset inside
  std::vector<int> neighbour_begin;  // vertex v owns neighbours[neighbour_begin[v] .. [v+1])
  std::vector<int> neighbours;       // vertices that share an edge with v, ascending
  struct Edge {
    int from = 0, to = 0;     // vertices, from < to
    int left = 0, right = 0;  // faces; `left` runs from -> to counter-clockwise
  };
  std::vector<Edge> edges;           // ordered by (from, to)
  std::vector<int> neighbour_edges;  // the edge to each of `neighbours`

  int num_vertices() const { return static_cast<int>(vertices.size()); }
  int num_faces() const { return static_cast<int>(normals.size()); }
  std::span<const int> face(int f) const {
    return std::span(face_vertices).subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
};

}  // namespace tenpin::shapes
