#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace tenpin::app {

// Prints a completion script for "bash" or "zsh", generated from the commands and their options.
[[nodiscard]] int run_completion(const CLI::App& app, const std::string& shell);

}  // namespace tenpin::app
