// `tenpin repair run.h5`: saves the intact part of a damaged run file.
#pragma once

#include <string>

namespace tenpin::app {

struct RepairOptions {
  std::string file;
  std::string output;  // "": NAME.repaired.h5 in the same folder
};

[[nodiscard]] int run_repair(const RepairOptions& options);

}  // namespace tenpin::app
