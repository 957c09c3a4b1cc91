#include "scene/import/mesh_store.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "scene/plain_message.h"
#include "shapes/convex_hull.h"
#include "shapes/mesh_file.h"

namespace tenpin::scene {

namespace {

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return extension;
}

void turn_inside_out(shapes::TriangleMesh* mesh) {
  for (auto& triangle : mesh->triangles) {
    std::swap(triangle[1], triangle[2]);
  }
}

// -   Thickness of the plate made from a flat mesh, relative to the largest edge of the box around
// it. Chosen: a hundred times what a hull needs (kMinHullThickness), and too thin to be seen; at a
// tenth of this, rounding in single-precision files would matter.
constexpr double kPlateThickness = 1e-3;

// Makes a solid from a mesh that is too thin for a hull, by adding a copy of it behind its surface.
SolidMesh make_plate(const shapes::TriangleMesh& mesh) {
  Vec3 normal = Vec3::Zero();
  Vec3 low = mesh.vertices.front();
  Vec3 high = low;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto vertex = [&](int i) {
      return mesh.vertices[static_cast<std::size_t>(i)];
    };
    const Vec3 area = (vertex(b) - vertex(a)).cross(vertex(c) - vertex(a));
    normal += normal.dot(area) < 0.0 ? Vec3(-area) : area;  // both sides may have been drawn
  }
  for (const Vec3& v : mesh.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  if (normal.norm() == 0.0) {
    throw InputError("the mesh has no area");
  }
  const double thickness = kPlateThickness * (high - low).maxCoeff();
  std::vector<Vec3> points = mesh.vertices;
  for (const Vec3& v : mesh.vertices) {
    points.push_back(v - normal.normalized() * thickness);
  }
  const auto hull = shapes::make_convex_hull(points);
  const shapes::PlacedShape solid = {shapes::Polyhedron{hull}, {}};
  return {.hull = hull,
          .mass = shapes::calc_mass_properties({&solid, 1}, 1.0),
          .note = "it is flat, and stands as a plate " + to_text(thickness) +
                  " m thick behind its surface",
          .is_plate = true};
}

MassProperties spread_mass(const shapes::TriangleMesh& mesh, bool is_solid,
                           const std::shared_ptr<const shapes::ConvexMesh>& hull,
                           MeshInertia inertia) {
  if (inertia == MeshInertia::kLegacy) {
    return calc_legacy_mesh_mass(mesh);
  }
  if (inertia == MeshInertia::kShell) {
    return calc_shell_mass(mesh);
  }
  if (inertia == MeshInertia::kExact && is_solid) {
    return calc_mesh_mass(mesh);
  }
  const shapes::PlacedShape solid = {shapes::Polyhedron{hull}, {}};
  return shapes::calc_mass_properties({&solid, 1}, 1.0);
}

shapes::TriangleMesh place_mesh(shapes::TriangleMesh mesh, const MeshPlacement& placement) {
  const Pose& reference = placement.reference;
  for (Vec3& vertex : mesh.vertices) {
    vertex = (reference.R.transpose() * (vertex - reference.p)).cwiseProduct(placement.scale);
  }
  if (placement.scale.prod() < 0.0) {
    turn_inside_out(&mesh);
  }
  return shapes::weld(mesh);
}

std::array<double, 15> list_numbers(const MeshPlacement& placement) {
  std::array<double, 15> numbers{};
  std::copy_n(placement.reference.R.data(), 9, numbers.begin());
  std::copy_n(placement.reference.p.data(), 3, numbers.begin() + 9);
  std::copy_n(placement.scale.data(), 3, numbers.begin() + 12);
  return numbers;
}

void check_extension(const std::string& absolute_path, const std::string& shown) {
  const std::string extension = lower_extension(absolute_path);
  if (extension != ".obj" && extension != ".stl") {
    throw InputError("mesh format not supported, got " + shown + ", want an .obj or .stl file");
  }
}

[[noreturn]] void refuse_mesh(const InputError& error, const std::string& absolute_path,
                              const std::string& shown) {
  const std::string text = plain_message(error, absolute_path);
  throw InputError("bad mesh, got " + shown + (text.starts_with(':') ? "" : ": ") + text +
                   ", want an OBJ or STL file of a solid");
}

}  // namespace

SolidMesh make_solid(shapes::TriangleMesh mesh, const MeshPlacement& placement,
                     const SolidOptions& options) {
  mesh = place_mesh(std::move(mesh), placement);
  shapes::MeshHull hull;
  try {
    hull = shapes::make_mesh_hull(mesh);
  } catch (const InputError&) {
    if (options.flat == FlatMesh::kRefused) {
      throw;
    }
    SolidMesh plate = make_plate(mesh);
    plate.surface = std::make_shared<const shapes::TriangleMesh>(std::move(mesh));
    return plate;
  }
  const shapes::Closedness closedness = shapes::check_closed(mesh);
  if (closedness.closed() && closedness.volume < 0.0) {
    turn_inside_out(&mesh);
  }
  const bool is_solid = closedness.closed() && closedness.volume != 0.0;
  const MassProperties mass = spread_mass(mesh, is_solid, hull.mesh, options.inertia);
  return {.surface = std::make_shared<const shapes::TriangleMesh>(std::move(mesh)),
          .hull = hull.mesh,
          .mass = mass,
          .note = hull.note};
}

const SolidMesh& MeshStore::load(const std::string& absolute_path, const std::string& shown,
                                 const MeshPlacement& placement, const SolidOptions& options) {
  const Key key = {absolute_path, list_numbers(placement), options.inertia};
  const auto found = solids_.find(key);
  if (found != solids_.end()) {
    return found->second;
  }
  check_extension(absolute_path, shown);
  try {
    const std::size_t least = options.flat == FlatMesh::kPlate ? 1 : shapes::kLeastTriangles;
    SolidMesh solid = make_solid(shapes::read_mesh_file(absolute_path, least), placement, options);
    return solids_.emplace(key, std::move(solid)).first->second;
  } catch (const InputError& error) {
    refuse_mesh(error, absolute_path, shown);
  }
}

std::shared_ptr<const shapes::TriangleMesh> MeshStore::load_surface(
    const std::string& absolute_path, const std::string& shown, const MeshPlacement& placement) {
  auto& surface = surfaces_[{absolute_path, list_numbers(placement)}];
  if (surface) return surface;
  check_extension(absolute_path, shown);
  try {
    surface = std::make_shared<const shapes::TriangleMesh>(
        place_mesh(shapes::read_mesh_file(absolute_path, 1), placement));
    return surface;
  } catch (const InputError& error) {
    refuse_mesh(error, absolute_path, shown);
  }
}

}  // namespace tenpin::scene
