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
  const Node* groups = nullptr;  // of shapes, checked
  std::uint64_t seed = 0;
  std::int64_t max_bodies = 0;
  std::int64_t max_parts = 0;
};

// Checks every entry and appends its bodies to those of included models. A problem in one entry
// does not hide problems in the next. Throws LimitError before it would make more bodies than the
// limits allow.
[[nodiscard]] BodyIndex read_bodies(const Node& list, const BodyContext& context,
                                    std::vector<Body>* bodies, ProblemList* problems);

}  // namespace tenpin::scene
