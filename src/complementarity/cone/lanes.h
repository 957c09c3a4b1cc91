// Vectors of eight doubles. The compiler maps them to the registers of the machine; every lane is
// rounded like a single double, so results do not depend on the mapping.
#pragma once

#include <cmath>

namespace tenpin::complementarity::cone {

#pragma GCC diagnostic ignored "-Wpsabi"  // lanes are passed to inlined functions only

constexpr int kNumLanes = 8;
using Lanes = double __attribute__((vector_size(64), aligned(64)));
using LaneMask = long long __attribute__((vector_size(64), aligned(64)));

// Functions on lanes are inlined into a caller that is compiled for a specific machine.
#define TENPIN_INLINE_LANES inline __attribute__((always_inline))

TENPIN_INLINE_LANES Lanes fill_lanes(double x) {
  return Lanes{x, x, x, x, x, x, x, x};
}

TENPIN_INLINE_LANES Lanes choose(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
  return mask ? yes : no;
}

TENPIN_INLINE_LANES Lanes larger(const Lanes& a, const Lanes& b) {
  return a > b ? a : b;
}

TENPIN_INLINE_LANES Lanes square_root(const Lanes& x) {
  return Lanes{__builtin_sqrt(x[0]), __builtin_sqrt(x[1]), __builtin_sqrt(x[2]),
               __builtin_sqrt(x[3]), __builtin_sqrt(x[4]), __builtin_sqrt(x[5]),
               __builtin_sqrt(x[6]), __builtin_sqrt(x[7])};
}

TENPIN_INLINE_LANES bool any(const LaneMask& mask) {
  const LaneMask half = mask | __builtin_shufflevector(mask, mask, 4, 5, 6, 7, 0, 1, 2, 3);
  const LaneMask quarter = half | __builtin_shufflevector(half, half, 2, 3, 0, 1, 6, 7, 4, 5);
  return (quarter[0] | quarter[1]) != 0;
}

// Transposes an 8 x 8 matrix of lanes.
TENPIN_INLINE_LANES void transpose(Lanes* x) {
  Lanes pairs[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  Lanes fours[8];
  for (int i = 0; i < 8; i += 4) {
    for (int k = 0; k < 2; ++k) {
      const Lanes& a = pairs[i + k];
      const Lanes& b = pairs[i + k + 2];
      fours[i + k] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + k + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; ++i) {
    x[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

}  // namespace tenpin::complementarity::cone
