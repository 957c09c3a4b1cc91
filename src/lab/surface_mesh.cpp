#include "lab/surface_mesh.h"

#include <array>

#include "base/check.h"
#include "math/trig.h"

namespace tenpin::lab {

namespace {

constexpr std::uint32_t kAround = 32;  // number of facets about an axis
constexpr std::uint32_t kQuarter = 8;  // number of rings from a pole to the equator

// A point of a profile that is rotated about z.
struct ProfilePoint {
  double r = 0.0;         // m
  double z = 0.0;         // m
  double normal_r = 0.0;  // -
  double normal_z = 0.0;  // -
};

std::uint32_t size_of(const SurfaceMesh& mesh) {
  return static_cast<std::uint32_t>(mesh.positions.size());
}

void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, SurfaceMesh* mesh) {
  mesh->triangles.insert(mesh->triangles.end(), {a, b, c});
}

// Rotates an ascending profile about z; triangles without area are left out.
void add_turned(const std::vector<ProfilePoint>& profile, SurfaceMesh* mesh) {
  const std::uint32_t first = size_of(*mesh);
  for (const ProfilePoint& p : profile) {
    for (std::uint32_t i = 0; i <= kAround; ++i) {
      const SinCos at = sin_cos(2.0 * kPi * static_cast<double>(i % kAround) / kAround);
      mesh->positions.emplace_back(p.r * at.cos, p.r * at.sin, p.z);
      mesh->normals.emplace_back(p.normal_r * at.cos, p.normal_r * at.sin, p.normal_z);
    }
  }
  for (std::uint32_t ring = 0; ring + 1 < profile.size(); ++ring) {
    for (std::uint32_t i = 0; i < kAround; ++i) {
      const std::uint32_t low = first + ring * (kAround + 1) + i;
      const std::uint32_t high = low + kAround + 1;
      if (profile[ring].r > 0.0) add_triangle(low, low + 1, high + 1, mesh);
      if (profile[ring + 1].r > 0.0) add_triangle(low, high + 1, high, mesh);
    }
  }
}

// A sphere cut into two halves, which are moved up and down by `half_length`.
SurfaceMesh make_round(double radius, double half_length) {
  std::vector<ProfilePoint> profile;
  const auto add_arc = [&](int from, int to, double middle) {
    for (int i = from; i <= to; ++i) {
      const SinCos at = sin_cos(0.5 * kPi * i / static_cast<double>(kQuarter));
      const bool is_pole = i == from ? from < 0 : i == to && to > 0;
      const double r = is_pole ? 0.0 : at.cos;
      profile.push_back({radius * r, middle + radius * at.sin, r, at.sin});
    }
  };
  constexpr int kEnd = static_cast<int>(kQuarter);
  if (half_length > 0.0) {
    add_arc(-kEnd, 0, -half_length);
    add_arc(0, kEnd, half_length);
  } else {
    add_arc(-kEnd, kEnd, 0.0);
  }
  SurfaceMesh mesh;
  add_turned(profile, &mesh);
  return mesh;
}

// The lower half of a hollow sphere, from its rim down, so that the triangles face inwards.
SurfaceMesh make_bowl(double radius) {
  std::vector<ProfilePoint> profile;
  for (std::uint32_t i = 0; i <= kQuarter; ++i) {
    const SinCos at = sin_cos(0.5 * kPi * i / static_cast<double>(kQuarter));
    const double r = i == kQuarter ? 0.0 : at.cos;
    profile.push_back({radius * r, -radius * at.sin, -r, at.sin});
  }
  SurfaceMesh mesh;
  add_turned(profile, &mesh);
  return mesh;
}

SurfaceMesh make_cylinder(double radius, double half_length) {
  SurfaceMesh mesh;
  add_turned({{0.0, -half_length, 0.0, -1.0}, {radius, -half_length, 0.0, -1.0}}, &mesh);
  add_turned({{radius, -half_length, 1.0, 0.0}, {radius, half_length, 1.0, 0.0}}, &mesh);
  add_turned({{radius, half_length, 0.0, 1.0}, {0.0, half_length, 0.0, 1.0}}, &mesh);
  return mesh;
}

SurfaceMesh make_cone(double radius, double half_length) {
  SurfaceMesh mesh;
  const Vec2 n = shapes::Cone{.radius = radius, .half_length = half_length}.side_normal();
  add_turned({{0.0, -half_length, 0.0, -1.0}, {radius, -half_length, 0.0, -1.0}}, &mesh);
  add_turned({{radius, -half_length, n.x(), n.y()}, {0.0, half_length, n.x(), n.y()}}, &mesh);
  return mesh;
}

// A flat convex face.
void add_face(const std::vector<Vec3>& corners, const Vec3& normal, SurfaceMesh* mesh) {
  const std::uint32_t first = size_of(*mesh);
  for (const Vec3& corner : corners) {
    mesh->positions.push_back(corner);
    mesh->normals.push_back(normal);
  }
  for (std::uint32_t k = 2; k < corners.size(); ++k) {
    add_triangle(first, first + k - 1, first + k, mesh);
  }
}

SurfaceMesh make_box(const Vec3& half) {
  SurfaceMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 n = sign * Vec3::Unit(axis);
      const Vec3 u = Vec3::Unit((axis + 1) % 3);
      const Vec3 v = n.cross(u);
      std::vector<Vec3> corners;
      for (const auto& [a, b] : std::array<std::array<double, 2>, 4>{
               {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}}) {
        corners.emplace_back((n + a * u + b * v).cwiseProduct(half));
      }
      add_face(corners, n, &mesh);
    }
  }
  return mesh;
}

// Rows of a rounded box from the lower pole to the upper one; the equator appears twice.
struct Latitude {
  double sin = 0.0;
  double cos = 0.0;
  double side = 0.0;  // -1 below the middle, 1 above it
};
std::vector<Latitude> make_latitudes() {
  std::vector<Latitude> rows;
  for (const double side : {-1.0, 1.0}) {
    for (std::uint32_t i = 0; i <= kQuarter; ++i) {
      const double part = static_cast<double>(i) / kQuarter;
      const SinCos at = sin_cos(0.5 * kPi * (side < 0.0 ? part - 1.0 : part));
      const bool is_pole = side < 0.0 ? i == 0 : i == kQuarter;
      rows.push_back({.sin = at.sin, .cos = is_pole ? 0.0 : at.cos, .side = side});
    }
  }
  return rows;
}

constexpr std::uint32_t kRoundedColumns = 4 * (kQuarter + 1);

void add_rounded_row(const Vec3& core, double radius, const Latitude& row, SurfaceMesh* mesh) {
  for (std::uint32_t k = 0; k < kRoundedColumns; ++k) {
    const std::uint32_t quadrant = k / (kQuarter + 1);
    const double turn = quadrant + static_cast<double>(k % (kQuarter + 1)) / kQuarter;
    const SinCos at = sin_cos(0.5 * kPi * turn);
    const Vec3 n(row.cos * at.cos, row.cos * at.sin, row.sin);
    const Vec3 octant(quadrant == 0 || quadrant == 3 ? 1.0 : -1.0, quadrant < 2 ? 1.0 : -1.0,
                      row.side);
    mesh->positions.emplace_back(core.cwiseProduct(octant) + radius * n);
    mesh->normals.push_back(n);
  }
}

void add_rounded_band(std::uint32_t row, std::uint32_t num_rows, SurfaceMesh* mesh) {
  const std::uint32_t low = row * kRoundedColumns;
  const std::uint32_t high = low + kRoundedColumns;
  for (std::uint32_t k = 0; k < kRoundedColumns; ++k) {
    const std::uint32_t next = (k + 1) % kRoundedColumns;
    // At a pole the columns of a quarter meet.
    const bool between = k % (kQuarter + 1) == kQuarter;
    if (row > 0 || between) add_triangle(low + k, low + next, high + next, mesh);
    if (row + 2 < num_rows || between) add_triangle(low + k, high + next, high + k, mesh);
  }
}

// A ball, cut along three planes and moved apart by the half edges `core` of a box: quarters about
// z, below and above the middle, with flat bands between them and a flat cap at each end.
SurfaceMesh make_rounded_box(const Vec3& core, double radius) {
  SurfaceMesh mesh;
  const std::vector<Latitude> rows = make_latitudes();
  for (const Latitude& row : rows) add_rounded_row(core, radius, row, &mesh);
  const auto num_rows = static_cast<std::uint32_t>(rows.size());
  for (std::uint32_t row = 0; row + 1 < num_rows; ++row) add_rounded_band(row, num_rows, &mesh);
  for (const double end : {-1.0, 1.0}) {
    const Vec3 n = end * Vec3::UnitZ();
    const double z = end * (core.z() + radius);
    const Vec3 x(core.x(), 0.0, 0.0);
    const Vec3 y(0.0, end * core.y(), 0.0);
    const Vec3 middle(0.0, 0.0, z);
    add_face({middle - x - y, middle + x - y, middle + x + y, middle - x + y}, n, &mesh);
  }
  return mesh;
}

SurfaceMesh make_ellipsoid(const Vec3& semiaxes) {
  SurfaceMesh mesh = make_round(1.0, 0.0);
  for (Vec3& p : mesh.positions) p = p.cwiseProduct(semiaxes);
  for (Vec3& n : mesh.normals) n = n.cwiseQuotient(semiaxes).normalized();
  return mesh;
}

// Newell's normal: correct for every planar polygon.
Vec3 calc_face_normal(const std::vector<Vec3>& corners) {
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& a = corners[i];
    const Vec3& b = corners[(i + 1) % corners.size()];
    normal += (a - corners[0]).cross(b - corners[0]);
  }
  const double length = normal.norm();
  return length > 0.0 ? Vec3(normal / length) : Vec3::UnitZ();
}

SurfaceMesh make_polyhedron(const record::HeaderPart& part) {
  SurfaceMesh mesh;
  for (std::size_t f = 0; f + 1 < part.face_begin.size(); ++f) {
    std::vector<Vec3> corners;
    for (int k = part.face_begin[f]; k < part.face_begin[f + 1]; ++k) {
      corners.push_back(part.vertices[part.face_vertices[k]]);
    }
    add_face(corners, calc_face_normal(corners), &mesh);
  }
  return mesh;
}

}  // namespace

SurfaceMesh make_surface_mesh(const record::HeaderPart& part, double plane_half_edge) {
  const auto& [x, y, z] = part.parameters;
  switch (part.kind) {
    case record::ShapeKind::kSphere:
      return make_round(x, 0.0);
    case record::ShapeKind::kBox:
      if (part.rounding > 0.0) {
        return make_rounded_box(Vec3(x, y, z) - Vec3::Constant(part.rounding), part.rounding);
      }
      return make_box({x, y, z});
    case record::ShapeKind::kCapsule:
      return make_round(x, y);
    case record::ShapeKind::kCylinder:
      return make_cylinder(x, y);
    case record::ShapeKind::kCone:
      return make_cone(x, y);
    case record::ShapeKind::kPlane: {
      const double a = plane_half_edge;
      SurfaceMesh mesh;
      add_face({{-a, -a, 0.0}, {a, -a, 0.0}, {a, a, 0.0}, {-a, a, 0.0}}, Vec3::UnitZ(), &mesh);
      return mesh;
    }
    case record::ShapeKind::kBowl:
      return make_bowl(x);
    case record::ShapeKind::kEllipsoid:
      return make_ellipsoid({x, y, z});
    case record::ShapeKind::kPolyhedron:
      return make_polyhedron(part);
  }
  TENPIN_DEMAND(false);
  return {};
}

}  // namespace tenpin::lab
