// Parses YAML text to a tree, strictly: one document, no aliases, no tags, no directives, no
// duplicate keys. `${...}` is a plain scalar everywhere, also inside brackets.
#pragma once

#include <string>
#include <string_view>

#include "scene/node.h"

namespace tenpin::scene {

struct YamlLimits {
  int max_depth = 64;                // nesting of lists and maps
  std::size_t max_line = 1 << 20;    // bytes
  std::size_t max_word = 4096;       // bytes without a space, comma or bracket
  bool demand_last_line_end = true;  // a block document must end with a line feed
};

// Throws SceneError with the first problem. Time is linear in the size of the text, and the stack
// stays below 100 kB for any text.
[[nodiscard]] Node parse_yaml(std::string_view text, const std::string& file,
                              const YamlLimits& limits = {});

}  // namespace tenpin::scene
