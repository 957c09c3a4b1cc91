// The kernels for machines beyond the baseline. Call them only on machines that have the
// instructions.
#pragma once

#include "complementarity/cone/sweep_kernel.h"

namespace tenpin::complementarity::cone {

[[nodiscard]] SweepKernels make_avx2_kernels();
[[nodiscard]] SweepKernels make_avx512_kernels();

}  // namespace tenpin::complementarity::cone
