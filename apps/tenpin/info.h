// `tenpin info run.h5`: what is in a run file.
#pragma once

#include <string>

namespace tenpin::app {

struct InfoOptions {
  std::string file;
  bool json = false;
  std::string csv;  // "", "frames", "steps" or "contacts": that table to stdout instead
};

// Prints to stdout; problems to stderr. Returns the exit code: 0, 2 bad file, 4 environment.
[[nodiscard]] int run_info(const InfoOptions& options);

}  // namespace tenpin::app
