// The kernels compiled with AVX-512 instructions (see CMakeLists.txt).
#include "complementarity/cone/sweep_machines.h"

#if defined(__x86_64__)
#include "complementarity/cone/lanes_avx512.h"
#include "complementarity/cone/sweep_text.h"

namespace tenpin::complementarity::cone {

SweepKernels make_avx512_kernels() {
  return make_kernels<Avx512Lanes>("avx512");
}

}  // namespace tenpin::complementarity::cone
#endif
