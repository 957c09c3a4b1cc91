#include "overrides.h"

#include "base/check.h"

namespace tenpin::app {

std::vector<scene::Override> parse_overrides(const std::vector<std::string>& sets) {
  std::vector<scene::Override> overrides;
  for (const std::string& set : sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError("--set: not an assignment, got " + set + ", want path=value");
    }
    overrides.push_back({.path = set.substr(0, equals), .value = set.substr(equals + 1)});
  }
  return overrides;
}

}  // namespace tenpin::app
