// `tenpin examples`: the scenes that come with the program.
#pragma once

#include <string>

namespace tenpin::app {

struct ExamplesOptions {
  std::string name;  // "" = list all
  bool json = false;
};

// Lists the scenes, or prints the path of the named one. Throws InputError for an unknown name.
[[nodiscard]] int run_examples(const ExamplesOptions& options);

}  // namespace tenpin::app
