// The message of a lower layer's InputError, phrased for the author of a scene.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"

namespace tenpin::scene {

// The message without its topic if the problem's path already names it.
inline std::string plain_message(const InputError& error, std::string_view topic = "") {
  std::string_view text = error.what();
  text.remove_prefix(text.starts_with(topic) ? topic.size() : 0);
  return std::string(text);
}

}  // namespace tenpin::scene
