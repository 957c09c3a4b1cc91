// Prints a comparison as text for people and as JSON for programs.
#pragma once

#include <string>

#include "lab/compare.h"

namespace tenpin::app {

[[nodiscard]] std::string make_comparison_table(const std::string& scene_name,
                                                const lab::Comparison& comparison);
[[nodiscard]] std::string make_comparison_json(const std::string& scene_name,
                                               const lab::Comparison& comparison);

}  // namespace tenpin::app
