// Linear systems that may be singular.
#pragma once

#include "math/types.h"

namespace tenpin {

// The X of least norm among all that minimise A X - B. Directions in which A is smaller than
// `tolerance` times its largest value count as zero.
[[nodiscard]] MatX solve_least_norm(const MatX& A, const MatX& B, double tolerance);

}  // namespace tenpin
