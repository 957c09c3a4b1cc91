// Links of a robot that overlap at time 0.
#pragma once

#include "scene/scene.h"

namespace tenpin::simulation {

// Robot models enclose their links in hulls that may overlap where the robot's own links do not.
// Enters pairs of links of one mechanism that overlap at time 0 in scene->never_touch, with a note
// that names them. Ignores pairs that the scene lists as always touching, and bodies that do not
// come from a robot model.
void part_overlapping_links(scene::Scene* scene);

// Adds a fixed plane just below the lowest point at time 0, with a note on its height. Does nothing
// if the scene already has a plane, or has no shapes.
void add_ground(scene::Scene* scene);

// True if gravity acts and nothing can catch the bodies: every root body is free.
[[nodiscard]] bool falls_forever(const scene::Scene& scene);

}  // namespace tenpin::simulation
