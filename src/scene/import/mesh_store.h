// Mesh files as solids, each read once, with scale, hull and mass.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "math/pose.h"
#include "scene/import/mass_sum.h"
#include "shapes/shape.h"

namespace tenpin::scene {

struct SolidMesh {
  std::shared_ptr<const shapes::ConvexMesh> hull;
  MassProperties mass;  // at unit density; of the mesh if it is closed, else of the hull
  std::string note;     // how hull and mesh differ, for the user; may be empty
};

// A vertex v of the file becomes scale * R^T (v - p), with the pose (R, p) of `reference`.
struct MeshPlacement {
  Pose reference;
  Vec3 scale = Vec3::Ones();

  bool is_uniform_scale() const {
    return reference.R == Mat3::Identity() && reference.p == Vec3::Zero() && scale.x() > 0.0 &&
           scale.x() == scale.y() && scale.x() == scale.z();
  }
};

// Throws InputError for meshes without volume.
[[nodiscard]] SolidMesh make_solid(shapes::TriangleMesh mesh, const MeshPlacement& placement);

class MeshStore {
 public:
  // Reads .obj and .stl files. Throws InputError; `shown` is the path in messages.
  const SolidMesh& load(const std::string& absolute_path, const std::string& shown,
                        const MeshPlacement& placement);

 private:
  using Key = std::tuple<std::string, std::array<double, 15>>;
  std::map<Key, SolidMesh> solids_;
};

}  // namespace tenpin::scene
