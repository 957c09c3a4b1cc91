// Links of a robot that overlap before anything has moved.
#pragma once

#include "scene/scene.h"

namespace tenpin::simulation {

// Robot models enclose their links in hulls that reach into each other where the robot itself does
// not. Pairs of links of one mechanism that overlap at time 0 are entered in scene->never_touch,
// and a note says which; pairs that the scene says always touch, and bodies that do not come from a
// robot model, are left alone.
void part_overlapping_links(scene::Scene* scene);

// Adds a fixed plane right beneath the lowest point at time 0; nothing if the scene has a plane
// already or no shape. A note says at what height.
void add_ground(scene::Scene* scene);

// True if gravity acts and nothing can catch the bodies: every root body is free.
[[nodiscard]] bool falls_forever(const scene::Scene& scene);

}  // namespace tenpin::simulation
