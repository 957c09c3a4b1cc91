// Writes a tree of YAML as one line of text that reads back as the same tree.
#pragma once

#include <string>

#include "scene/node.h"

namespace tenpin::lab {

[[nodiscard]] std::string to_flow_text(const scene::Node& node);

}  // namespace tenpin::lab
