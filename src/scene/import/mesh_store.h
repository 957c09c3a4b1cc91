// Mesh files as solids, each read once, with scale, hull and mass.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "math/pose.h"
#include "scene/import/mass_sum.h"
#include "shapes/shape.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::scene {

struct SolidMesh {
  // the mesh itself, placed; may be null
  std::shared_ptr<const shapes::TriangleMesh> surface = nullptr;
  std::shared_ptr<const shapes::ConvexMesh> hull;
  MassProperties mass;    // at unit density, or of a shell of 1 kg/m^2
  std::string note;       // how the hull differs from the mesh, for the user; may be empty
  bool is_plate = false;  // made from a flat mesh, so that it differs from its file
};

// Where a mesh is placed: a vertex v of the file becomes scale * R^T (v - p), with the pose (R, p)
// of `reference`.
struct MeshPlacement {
  Pose reference;
  Vec3 scale = Vec3::Ones();

  bool is_uniform_scale() const {
    return reference.R == Mat3::Identity() && reference.p == Vec3::Zero() && scale.x() > 0.0 &&
           scale.x() == scale.y() && scale.x() == scale.z();
  }
};

// How a flat mesh is treated.
enum class FlatMesh { kRefused, kPlate };

// How the mass of a mesh is distributed, in the words of MJCF. With kExact, a mesh that is not
// closed has the mass of its hull.
enum class MeshInertia { kConvex, kExact, kLegacy, kShell };

// How a solid is made from a mesh.
struct SolidOptions {
  FlatMesh flat = FlatMesh::kRefused;
  MeshInertia inertia = MeshInertia::kExact;
};

// Makes a solid. Throws InputError for meshes without volume; a flat mesh may become a thin plate
// behind its surface instead.
[[nodiscard]] SolidMesh make_solid(shapes::TriangleMesh mesh, const MeshPlacement& placement,
                                   const SolidOptions& options = {});

class MeshStore {
 public:
  // Reads .obj and .stl files. Throws InputError; `shown` is the path in messages.
  const SolidMesh& load(const std::string& absolute_path, const std::string& shown,
                        const MeshPlacement& placement, const SolidOptions& options = {});
  // The mesh as it is, for drawing; it need not bound a solid.
  std::shared_ptr<const shapes::TriangleMesh> load_surface(const std::string& absolute_path,
                                                           const std::string& shown,
                                                           const MeshPlacement& placement);

 private:
  using Numbers = std::array<double, 15>;  // of a MeshPlacement
  using Key = std::tuple<std::string, Numbers, MeshInertia>;
  std::map<Key, SolidMesh> solids_;
  std::map<std::pair<std::string, Numbers>, std::shared_ptr<const shapes::TriangleMesh>> surfaces_;
};

}  // namespace tenpin::scene
