// `tenpin info run.h5`: prints the contents of a run file.
#pragma once

#include <string>

namespace tenpin::app {

struct InfoOptions {
  std::string file;
  bool json = false;
  std::string csv;  // "frames", "steps" or "contacts": print that table instead; "" = none
};

// Prints to stdout. Throws the exceptions of the run file's reader.
[[nodiscard]] int run_info(const InfoOptions& options);

}  // namespace tenpin::app
