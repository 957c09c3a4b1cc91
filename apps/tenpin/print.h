// Text for people and programs.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tenpin::app {

// As fmt::print, but a stream that takes no more does not stop the command: its files are finished
// first, and the program's end tells of it.
template <typename... Args>
void print(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

}  // namespace tenpin::app
