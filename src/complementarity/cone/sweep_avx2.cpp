// The kernels compiled with AVX2 instructions (see CMakeLists.txt).
#include "complementarity/cone/sweep_machines.h"

#if defined(__x86_64__)
#include "complementarity/cone/lanes_avx2.h"
#include "complementarity/cone/sweep_text.h"

namespace tenpin::complementarity::cone {

SweepKernels make_avx2_kernels() {
  return make_kernels<Avx2Lanes>("avx2");
}

}  // namespace tenpin::complementarity::cone
#endif
