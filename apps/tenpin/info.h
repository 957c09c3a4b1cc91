// `tenpin info run.h5`: what is in a run file.
#pragma once

#include <string>

namespace tenpin::app {

struct InfoOptions {
  std::string file;
  bool json = false;
  std::string csv;  // "", "frames", "steps" or "contacts": that table to stdout instead
};

// Prints to stdout. Throws what the reader of run files throws.
[[nodiscard]] int run_info(const InfoOptions& options);

}  // namespace tenpin::app
