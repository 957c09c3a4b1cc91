#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace tenpin::app {

// Prints a completion script for "bash" or "zsh", made from the commands and options themselves.
[[nodiscard]] int run_completion(const CLI::App& app, const std::string& shell);

}  // namespace tenpin::app
