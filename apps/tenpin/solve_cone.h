// `tenpin solve` on FCLIB files; see solve.h.
#pragma once

#include "solve.h"

namespace tenpin::app {

[[nodiscard]] int solve_cone(const SolveOptions& options);

}  // namespace tenpin::app
