// Reads the relations between bodies in an MJCF file: <equality> and <contact>.
#pragma once

#include <map>
#include <string>

#include "scene/import/mjcf_defaults.h"
#include "scene/import/mjcf_tendons.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// Gives the geoms of each <pair> with its own friction their own materials. Call this before the
// bodies are added to the scene.
void give_pairs_surfaces(const Element& root, const Defaults& defaults, Tree* tree,
                         Surfaces* surfaces);

// Read loops, never_touch and always_touch. Call these when the bodies are in the scene.
void read_equality(const Element& root, const Settings& settings, const Defaults& defaults,
                   const Tree& tree, const std::map<std::string, Tendon>& tendons, Scene* scene);
void read_contact(const Element& root, const Settings& settings, const Tree& tree, Scene* scene);

}  // namespace tenpin::scene::mjcf
