// Links of a robot that overlap before anything has moved.
#pragma once

#include "scene/scene.h"

namespace tenpin::simulation {

// Robot models enclose their links in hulls that reach into each other where the robot itself does
// not. Pairs of links of one mechanism that overlap at time 0 are entered in scene->never_touch,
// and a note says which; pairs that the scene says always touch are left alone.
void part_overlapping_links(scene::Scene* scene);

}  // namespace tenpin::simulation
