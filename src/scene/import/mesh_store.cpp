#include "scene/import/mesh_store.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/check.h"
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

}  // namespace

SolidMesh make_solid(shapes::TriangleMesh mesh, const MeshPlacement& placement) {
  const Pose& reference = placement.reference;
  for (Vec3& vertex : mesh.vertices) {
    vertex = (reference.R.transpose() * (vertex - reference.p)).cwiseProduct(placement.scale);
  }
  if (placement.scale.prod() < 0.0) {
    turn_inside_out(&mesh);
  }
  mesh = shapes::weld(mesh);
  const shapes::MeshHull hull = shapes::make_mesh_hull(mesh);
  const shapes::Closedness closedness = shapes::check_closed(mesh);
  if (closedness.closed() && closedness.volume < 0.0) {
    turn_inside_out(&mesh);
  }
  const shapes::PlacedShape solid = {shapes::Polyhedron{hull.mesh}, {}};
  return {.hull = hull.mesh,
          .mass = closedness.closed() && closedness.volume != 0.0
                      ? calc_mesh_mass(mesh)
                      : shapes::calc_mass_properties({&solid, 1}, 1.0),
          .note = hull.note};
}

const SolidMesh& MeshStore::load(const std::string& absolute_path, const std::string& shown,
                                 const MeshPlacement& placement) {
  std::array<double, 15> numbers{};
  std::copy_n(placement.reference.R.data(), 9, numbers.begin());
  std::copy_n(placement.reference.p.data(), 3, numbers.begin() + 9);
  std::copy_n(placement.scale.data(), 3, numbers.begin() + 12);
  const auto found = solids_.find({absolute_path, numbers});
  if (found != solids_.end()) {
    return found->second;
  }
  const std::string extension = lower_extension(absolute_path);
  if (extension != ".obj" && extension != ".stl") {
    throw InputError("mesh format not supported, got " + shown + ", want an .obj or .stl file");
  }
  try {
    SolidMesh solid = make_solid(shapes::read_mesh_file(absolute_path), placement);
    return solids_.emplace(Key{absolute_path, numbers}, std::move(solid)).first->second;
  } catch (const InputError& error) {
    const std::string text = plain_message(error, absolute_path);
    throw InputError("bad mesh, got " + shown + (text.starts_with(':') ? "" : ": ") + text +
                     ", want an OBJ or STL file of a solid");
  }
}

}  // namespace tenpin::scene
