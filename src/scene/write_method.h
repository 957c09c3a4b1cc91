// The method of a scene as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/options.h"

namespace tenpin::scene {

struct WrittenOption {
  std::string_view group;  // of `fixed_point: {iterations: 50}`, fixed_point; else ""
  std::string_view key;
  std::string text;  // "" if the scene leaves it open
};

// All options, defaults included.
[[nodiscard]] std::vector<WrittenOption> list_options(const MethodOptions& method);

// "impulse: {cap: 7}", without what is open or the default.
[[nodiscard]] std::string write_method(const MethodOptions& method);

}  // namespace tenpin::scene
