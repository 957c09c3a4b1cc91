// `tenpin reproduce ST00/rod`: an experiment, number by number.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct ReproduceOptions {
  std::vector<std::string> ids;  // "all" = every one; none: list them
  std::string html;              // folder for pages, "" = none
  bool json = false;
};

// 0 when every number is within its tolerance, 1 when one is not.
[[nodiscard]] int run_reproduce(const ReproduceOptions& options);

}  // namespace tenpin::app
