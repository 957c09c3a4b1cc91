// Prints text for people and programs.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tenpin::app {

// Like fmt::print, but an output error does not stop the command: it first completes its files, and
// the program then reports the error at its end.
template <typename... Args>
void print(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

}  // namespace tenpin::app
