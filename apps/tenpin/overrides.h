#pragma once

#include <string>
#include <vector>

#include "scene/read.h"

namespace tenpin::app {

// Parses each `path=value` of the command line. Throws InputError for one without a path or "=".
[[nodiscard]] std::vector<scene::Override> parse_overrides(const std::vector<std::string>& sets);

}  // namespace tenpin::app
