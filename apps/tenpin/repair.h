// `tenpin repair run.h5`: saves what is intact of a damaged run file.
#pragma once

#include <string>

namespace tenpin::app {

struct RepairOptions {
  std::string file;
  std::string output;  // "": beside the file, as NAME.repaired.h5
};

[[nodiscard]] int run_repair(const RepairOptions& options);

}  // namespace tenpin::app
