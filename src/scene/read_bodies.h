// The `bodies` of a scene.
#pragma once

#include <cstdint>

#include "scene/body_index.h"
#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read_materials.h"
#include "scene/read_shapes.h"
#include "scene/scene.h"

namespace tenpin::scene {

struct BodyContext {
  const MaterialIndex& materials;
  MeshLibrary* library;
  std::uint64_t seed = 0;
  std::int64_t max_bodies = 0;
  std::int64_t max_parts = 0;
};

// Checks every entry and appends its bodies; a problem in one does not hide the next. Throws
// LimitError before it would exceed the limits.
[[nodiscard]] BodyIndex read_bodies(const Node& list, const BodyContext& context,
                                    std::vector<Body>* bodies, ProblemList* problems);

}  // namespace tenpin::scene
