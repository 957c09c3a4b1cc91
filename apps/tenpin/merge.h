// `tenpin merge shard-*.sqlite -o study.sqlite`: one table from those of several machines.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct MergeCommand {
  std::vector<std::string> tables;
  std::string output;
  bool json = false;
};

// Returns the exit code; throws what merge_tables() throws.
[[nodiscard]] int run_merge(const MergeCommand& command);

}  // namespace tenpin::app
