// Reads how a body is attached to its parent: `fixed`, `joint` and `motion`.
#pragma once

#include <string>

#include "scene/body_index.h"
#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// True if the checked entry of a body names a parent, existing or not.
inline bool names_parent(const Node& entry) {
  const Node* parent = entry.find("parent");
  return parent != nullptr && parent->text != kWorldName;
}
inline bool is_chain(const Node& entry) {
  const Node* repeat = entry.find("repeat");
  return repeat != nullptr && repeat->find("chain") != nullptr;
}

// Fills body->joint and the fields of that kind. Returns false after a contradiction: nothing about
// the body's motion can then be checked.
bool read_joint(const Node& entry, const std::string& path, Body* body, ProblemList* problems);

}  // namespace tenpin::scene
