#include "shapes/certify_convex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace tenpin::shapes {
namespace {

std::string find_wrong_size(const ConvexMesh& mesh) {
  const int num_faces = mesh.num_faces();
  if (mesh.num_vertices() < 4 || num_faces < 4) {
    return "fewer than 4 vertices or faces";
  }
  if (mesh.face_begin.size() != mesh.normals.size() + 1 ||
      mesh.offsets.size() != mesh.normals.size() ||
      mesh.neighbour_begin.size() != mesh.vertices.size() + 1) {
    return "arrays of different lengths";
  }
  for (int f = 0; f < num_faces; ++f) {
    if (mesh.face(f).size() < 3) {
      return "a face with fewer than 3 vertices";
    }
    if (!(std::fabs(mesh.normals[f].norm() - 1.0) < 1e-14)) {
      return "a normal that is not unit";
    }
  }
  return "";
}

// Finds an edge that is not a side of exactly the two faces it names, once in each direction.
std::string find_wrong_edge(const ConvexMesh& mesh) {
  std::vector<std::array<int, 3>> sides;  // from, to, face
  for (int f = 0; f < mesh.num_faces(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      sides.push_back({face[k], face[(k + 1) % face.size()], f});
    }
  }
  std::vector<std::array<int, 3>> claimed;
  for (const ConvexMesh::Edge& edge : mesh.edges) {
    claimed.push_back({edge.from, edge.to, edge.left});
    claimed.push_back({edge.to, edge.from, edge.right});
  }
  std::sort(sides.begin(), sides.end());
  std::sort(claimed.begin(), claimed.end());
  if (sides != claimed) {
    return "edges that do not match the faces";
  }
  const int euler = mesh.num_vertices() - static_cast<int>(mesh.edges.size()) + mesh.num_faces();
  return euler == 2 ? "" : "V - E + F is not 2";
}

std::string find_wrong_neighbour(const ConvexMesh& mesh) {
  std::vector<std::pair<int, int>> wanted;
  for (const ConvexMesh::Edge& edge : mesh.edges) {
    wanted.emplace_back(edge.from, edge.to);
    wanted.emplace_back(edge.to, edge.from);
  }
  std::sort(wanted.begin(), wanted.end());
  std::vector<std::pair<int, int>> listed;
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    if (mesh.neighbour_begin[v + 1] - mesh.neighbour_begin[v] < 3) {
      return "a vertex with fewer than 3 edges";
    }
    for (int k = mesh.neighbour_begin[v]; k < mesh.neighbour_begin[v + 1]; ++k) {
      listed.emplace_back(v, mesh.neighbours[k]);
    }
  }
  return listed == wanted ? "" : "neighbours that do not match the edges";
}

double calc_height(const ConvexMesh& mesh, int f, const Vec3& point) {
  return mesh.normals[f].dot(point) - mesh.offsets[f];
}

void measure_faces(const ConvexMesh& mesh, ConvexCertificate* certificate) {
  for (int f = 0; f < mesh.num_faces(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vec3& a = mesh.vertices[face[k]];
      const Vec3& b = mesh.vertices[face[(k + 1) % face.size()]];
      const Vec3& c = mesh.vertices[face[(k + 2) % face.size()]];
      certificate->unevenness =
          std::max(certificate->unevenness, std::fabs(calc_height(mesh, f, a)));
      // How far b lies inside the line from a to c; it should lie outside.
      const Vec3 chord = c - a;
      const double inside = -mesh.normals[f].dot((b - a).cross(c - b)) / chord.norm();
      certificate->dent = std::max(certificate->dent, inside);
    }
  }
}

void measure_edges(const ConvexMesh& mesh, ConvexCertificate* certificate) {
  for (const ConvexMesh::Edge& edge : mesh.edges) {
    for (const auto& [f, g] :
         {std::pair(edge.left, edge.right), std::pair(edge.right, edge.left)}) {
      for (const int v : mesh.face(g)) {
        certificate->concavity =
            std::max(certificate->concavity, calc_height(mesh, f, mesh.vertices[v]));
      }
    }
  }
}

// For each face, the faces that share an edge with it.
std::vector<std::vector<int>> list_adjacent_faces(const ConvexMesh& mesh) {
  std::vector<std::vector<int>> adjacent(mesh.normals.size());
  for (const ConvexMesh::Edge& edge : mesh.edges) {
    adjacent[edge.left].push_back(edge.right);
    adjacent[edge.right].push_back(edge.left);
  }
  return adjacent;
}

// Walks to the face through which a ray from the middle through a point leaves the mesh. That face
// has the greatest ratio of normal . ray to its own distance from the middle. This ratio is a
// linear function on the polar polyhedron, whose vertices are our faces, so walking to better
// neighbours ends at the best face.
class FaceWalk {
 public:
  explicit FaceWalk(const ConvexMesh& mesh) : mesh_(mesh), adjacent_(list_adjacent_faces(mesh)) {
    for (const Vec3& vertex : mesh.vertices) {
      middle_ += vertex / mesh.num_vertices();
    }
  }
  double calc_height_outside(const Vec3& point) {
    double best = ratio(at_, point);
    for (int from = -1; from != at_;) {
      from = at_;
      for (const int f : adjacent_[from]) {
        if (const double r = ratio(f, point); r > best) {
          best = r;
          at_ = f;
        }
      }
    }
    return calc_height(mesh_, at_, point);
  }

 private:
  double ratio(int f, const Vec3& point) const {
    const Vec3& normal = mesh_.normals[f];
    return normal.dot(point - middle_) / (mesh_.offsets[f] - normal.dot(middle_));
  }

  const ConvexMesh& mesh_;
  std::vector<std::vector<int>> adjacent_;
  Vec3 middle_ = Vec3::Zero();
  int at_ = 0;  // face of the last point, where the next walk starts
};

// Measures how far points are outside. Vertices of the mesh are skipped, because they were measured
// when the edges were certified.
void measure_points(const ConvexMesh& mesh, std::span<const Vec3> points,
                    ConvexCertificate* certificate) {
  FaceWalk walk(mesh);
  std::size_t next_vertex = 0;
  for (const Vec3& point : points) {
    if (next_vertex < mesh.vertices.size() && point == mesh.vertices[next_vertex]) {
      ++next_vertex;  // vertices are in the order of the points
    } else {
      certificate->outside = std::max(certificate->outside, walk.calc_height_outside(point));
    }
  }
}

}  // namespace

bool ConvexCertificate::holds(double tolerance) const {
  return defect.empty() && unevenness <= tolerance && concavity <= tolerance && dent <= tolerance &&
         outside <= tolerance;
}

ConvexCertificate certify_convex(const ConvexMesh& mesh, std::span<const Vec3> points) {
  ConvexCertificate certificate;
  for (const auto find : {find_wrong_size, find_wrong_edge, find_wrong_neighbour}) {
    certificate.defect = find(mesh);
    if (!certificate.defect.empty()) {
      return certificate;
    }
  }
  measure_faces(mesh, &certificate);
  measure_edges(mesh, &certificate);
  measure_points(mesh, points, &certificate);
  return certificate;
}

}  // namespace tenpin::shapes
