#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace tenpin::detail {

void fail_demand(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: demand failed: %s\n", file, line, condition);
  std::abort();
}

void fail_require(const std::string& message) {
  throw InputError(message);
}

}  // namespace tenpin::detail
