#include "collide/polytope_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shapes/convex_mesh.h"

namespace tenpin::collide {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_box(const Vec3& h, OraclePolytope* oracle) {
  for (const double z : {-1.0, 1.0}) {
    for (const auto& [x, y] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
      oracle->vertices.emplace_back(x * h.x(), y * h.y(), z * h.z());
    }
  }
  oracle->faces = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                   {2, 3, 7, 6}, {1, 2, 6, 5}, {3, 0, 4, 7}};
  oracle->normals = {-Vec3::UnitZ(), Vec3::UnitZ(), -Vec3::UnitY(),
                     Vec3::UnitY(),  Vec3::UnitX(), -Vec3::UnitX()};
  oracle->edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                   {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
}

void add_mesh(const shapes::ConvexMesh& mesh, OraclePolytope* oracle) {
  oracle->vertices = mesh.vertices;
  oracle->normals = mesh.normals;
  for (int f = 0; f < mesh.num_faces(); ++f) {
    oracle->faces.emplace_back(mesh.face(f).begin(), mesh.face(f).end());
  }
  for (const auto& edge : mesh.edges) oracle->edges.push_back({edge.from, edge.to});
}

double separation(const OraclePolytope& A, const OraclePolytope& B, const Vec3& n) {
  double max_A = -kInfinity;
  double min_B = kInfinity;
  for (const Vec3& a : A.vertices) max_A = std::max(max_A, n.dot(a));
  for (const Vec3& b : B.vertices) min_B = std::min(min_B, n.dot(b));
  return min_B - max_A;
}

double best_separation(const OraclePolytope& A, const OraclePolytope& B) {
  double best = -kInfinity;
  for (const Vec3& n : A.normals) best = std::max(best, separation(A, B, n));
  for (const Vec3& n : B.normals) best = std::max(best, separation(A, B, -n));
  for (const auto& [a0, a1] : A.edges) {
    for (const auto& [b0, b1] : B.edges) {
      const Vec3 u = (A.vertices[a1] - A.vertices[a0]).normalized();
      const Vec3 v = (B.vertices[b1] - B.vertices[b0]).normalized();
      const Vec3 cross = u.cross(v);
      if (cross.norm() < 1e-14) continue;  // parallel to rounding
      // The product of edges at a small angle has lost as many digits as the angle has zeros.
      // Across long edges that costs depth in proportion, so the digits are restored.
      Vec3 n = cross.normalized();
      for (int i = 0; i < 3; ++i) {
        n -= u.dot(n) * u;
        n -= v.dot(n) * v;
        n.normalize();
      }
      best = std::max({best, separation(A, B, n), separation(A, B, -n)});
    }
  }
  return best;
}

double point_segment(const Vec3& x, const Vec3& p, const Vec3& q) {
  const double length2 = (q - p).squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((x - p).dot(q - p) / length2, 0.0, 1.0) : 0.0;
  return (p + t * (q - p) - x).norm();
}

// Only where both feet are inside the segments; the ends are covered by point_segment.
double crossing_distance(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  const Vec3 n = u.cross(v);
  const double det = n.squaredNorm();
  if (det <= 1e-28 * u.squaredNorm() * v.squaredNorm()) return kInfinity;
  const Vec3 r = q - p;
  const double s = n.dot(r.cross(v)) / det;
  const double t = n.dot(r.cross(u)) / det;
  if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return kInfinity;
  // The distance of the two lines, along their common normal; nearly parallel lines cancel in that.
  const bool parallel = det < 1e-10 * u.squaredNorm() * v.squaredNorm();
  return parallel ? (r + t * v - s * u).norm() : std::abs(n.dot(r)) / n.norm();
}

// The distance to a segment is convex along the other: thirds close in on the least, however nearly
// parallel they are.
double segment_segment(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 200; ++i) {
    const double x = low + (high - low) / 3.0;
    const double y = high - (high - low) / 3.0;
    const bool left = point_segment(p + x * (q - p), r, s) <= point_segment(p + y * (q - p), r, s);
    (left ? high : low) = left ? y : x;
  }
  return point_segment(p + 0.5 * (low + high) * (q - p), r, s);
}

double point_face(const Vec3& x, const OraclePolytope& P, int f) {
  const std::vector<int>& loop = P.faces[f];
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3& p = P.vertices[loop[i]];
    const Vec3& q = P.vertices[loop[(i + 1) % loop.size()]];
    if ((q - p).cross(P.normals[f]).dot(x - p) > 0.0) return kInfinity;
  }
  return std::abs(P.normals[f].dot(x - P.vertices[loop[0]]));
}

double one_way_distance(const OraclePolytope& A, const OraclePolytope& B) {
  double best = kInfinity;
  for (const Vec3& a : A.vertices) {
    for (const Vec3& b : B.vertices) best = std::min(best, (a - b).norm());
    for (const auto& [b0, b1] : B.edges) {
      best = std::min(best, point_segment(a, B.vertices[b0], B.vertices[b1]));
    }
    for (int f = 0; f < static_cast<int>(B.faces.size()); ++f) {
      best = std::min(best, point_face(a, B, f));
    }
  }
  return best;
}

}  // namespace

OraclePolytope make_oracle(const shapes::Shape& shape, const Pose& X_WS) {
  OraclePolytope oracle;
  if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    add_box(box->half - Vec3::Constant(box->radius), &oracle);
    oracle.rounding = box->radius;
  } else if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    oracle.vertices = {Vec3::Zero()};
    oracle.rounding = sphere->radius;
  } else if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) {
    oracle.vertices = {Vec3(0, 0, -capsule->half_length), Vec3(0, 0, capsule->half_length)};
    oracle.edges = {{0, 1}};
    oracle.rounding = capsule->radius;
  } else {
    add_mesh(*std::get<shapes::Polyhedron>(shape).mesh, &oracle);
  }
  for (Vec3& v : oracle.vertices) v = X_WS * v;
  for (Vec3& n : oracle.normals) n = X_WS.R * n;
  return oracle;
}

double calc_oracle_distance(const OraclePolytope& A, const OraclePolytope& B) {
  const double rounding = A.rounding + B.rounding;
  const double separation = best_separation(A, B);
  if (separation <= 0.0 && !(A.faces.empty() && B.faces.empty())) return separation - rounding;
  double best = std::min(one_way_distance(A, B), one_way_distance(B, A));
  if (A.faces.empty() && B.faces.empty() && A.vertices.size() == 2 && B.vertices.size() == 2) {
    best =
        std::min(best, segment_segment(A.vertices[0], A.vertices[1], B.vertices[0], B.vertices[1]));
  }
  for (const auto& [a0, a1] : A.edges) {
    for (const auto& [b0, b1] : B.edges) {
      best = std::min(best, crossing_distance(A.vertices[a0], A.vertices[a1] - A.vertices[a0],
                                              B.vertices[b0], B.vertices[b1] - B.vertices[b0]));
    }
  }
  return best - rounding;
}

}  // namespace tenpin::collide
