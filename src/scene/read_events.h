// Reads the events of a scene file: conditions, and what happens when they hold.
#pragma once

#include <string>

#include "scene/body_index.h"
#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read_materials.h"
#include "scene/scene.h"

namespace tenpin::scene {

// `list` must have passed the check. Bodies, materials and loops of the scene must be complete.
void read_events(const Node& list, const BodyIndex& index, const MaterialIndex& materials,
                 Scene* scene, ProblemList* problems);

// The key `events` as in a scene file; "" if there are no events.
[[nodiscard]] std::string write_events(const Scene& scene);

}  // namespace tenpin::scene
