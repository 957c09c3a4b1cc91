// `tenpin reproduce ST00/rod`: repeats an experiment and compares its numbers.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct ReproduceOptions {
  std::vector<std::string> ids;  // "all" = every experiment; if empty, they are listed
  std::string html;              // folder for pages; "" = none
  bool json = false;
};

// Returns 0 if every number is within its tolerance, 1 otherwise.
[[nodiscard]] int run_reproduce(const ReproduceOptions& options);

}  // namespace tenpin::app
