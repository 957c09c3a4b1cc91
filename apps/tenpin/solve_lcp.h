// `tenpin solve` on JSON files; see solve.h.
#pragma once

#include "solve.h"

namespace tenpin::app {

[[nodiscard]] int solve_lcp(const SolveOptions& options);

}  // namespace tenpin::app
