// One source for the CPU and the GPU: code that kernels use includes neither a CUDA header nor a
// library. Debian's clang compiles to PTX the same headers that the CPU build includes.
#pragma once

// Functions are always inlined: on the device a call would turn accesses to known memory into
// generic ones, on the CPU it would pass small vectors through memory.
#define TENPIN_INLINE inline __attribute__((always_inline))

namespace tenpin::batch {

using Word = unsigned int;            // 32 bits on both sides
using LongWord = unsigned long long;  // 64 bits on both sides

// Operations that round to nearest on both sides, so that bits agree.
#if defined(__CUDA_ARCH__)
TENPIN_INLINE double square_root(double x) {
  return __nvvm_sqrt_rn_d(x);
}
TENPIN_INLINE float square_root(float x) {
  return __nvvm_sqrt_rn_f(x);
}
#else
TENPIN_INLINE double square_root(double x) {
  return __builtin_sqrt(x);
}
TENPIN_INLINE float square_root(float x) {
  return __builtin_sqrtf(x);
}
#endif

template <class Real>
TENPIN_INLINE Real absolute(Real x) {
  return x < Real(0) ? -x : x;
}
template <class Real>
TENPIN_INLINE Real larger(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
TENPIN_INLINE Real smaller(Real a, Real b) {
  return a < b ? a : b;
}
template <class Real>
TENPIN_INLINE Real clamp(Real x, Real low, Real high) {
  return x < low ? low : (x > high ? high : x);
}
// The larger number, or NaN if either is NaN: a maximum must not hide a failure.
template <class Real>
TENPIN_INLINE Real larger_or_nan(Real a, Real b) {
  return b > a || b != b ? b : a;
}
TENPIN_INLINE int count_bits(Word bits) {
  return __builtin_popcount(bits);
}

}  // namespace tenpin::batch
