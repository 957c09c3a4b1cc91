// Protects our arithmetic from a host program that changed the processor's floating point mode
// (rounding, flush-to-zero, trapping), as game engines, CUDA hosts and -ffast-math libraries do.
#pragma once

#include <cfenv>
// WebAssembly has only the floating point mode that is wanted here, although emscripten defines
// __SSE2__.
#if defined(__SSE2__) && !defined(__EMSCRIPTEN__)
#define TENPIN_HAS_MXCSR
#include <xmmintrin.h>
#endif

namespace tenpin {

// While this object exists, its thread rounds to nearest, keeps subnormals and traps nothing. The
// destructor restores the caller's mode and exception flags.
class FloatEnvironment {
 public:
  FloatEnvironment() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
#ifdef TENPIN_HAS_MXCSR
    // FE_DFL_ENV of the C standard does not cover flush-to-zero and denormals-are-zero.
    constexpr unsigned kMaskAllRoundNearest = 0x1F80;
    _mm_setcsr(kMaskAllRoundNearest);
#endif
  }
  ~FloatEnvironment() {
    std::fesetenv(&callers_);
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::fenv_t callers_ = {};
};

}  // namespace tenpin

#undef TENPIN_HAS_MXCSR
