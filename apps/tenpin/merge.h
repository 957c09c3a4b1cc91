// `tenpin merge shard-*.sqlite -o study.sqlite`: merges the tables of several machines.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct MergeCommand {
  std::vector<std::string> tables;
  std::string output;
  bool json = false;
};

// Returns the exit code; throws the exceptions of merge_tables().
[[nodiscard]] int run_merge(const MergeCommand& command);

}  // namespace tenpin::app
