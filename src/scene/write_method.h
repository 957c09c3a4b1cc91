// The method of a scene as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/options.h"

namespace tenpin::scene {

struct WrittenOption {
  std::string_view group;  // `fixed_point` in `fixed_point: {iterations: 50}`; "" for other keys
  std::string_view key;
  std::string text;  // "" if the scene gives no value
};

// All options, defaults included.
[[nodiscard]] std::vector<WrittenOption> list_options(const MethodOptions& method);

// For example "impulse: {cap: 7}", without options that have no value or the default.
[[nodiscard]] std::string write_method(const MethodOptions& method);

}  // namespace tenpin::scene
