// The lanes that work on one world: one on the CPU, a part of a warp on the GPU. The loops of a
// stage run over bodies or contacts, `for (i = lanes.index(); i < n; i += Lanes::kCount)`, and no
// result depends on the number of lanes. All worlds of a warp run synchronously: a loop that
// contains one of the operations below runs as often as the world of the warp with the most
// iterations needs.
#pragma once

#include "batch/portable.h"

namespace tenpin::batch {

struct OneLane {
  static constexpr int kCount = 1;
  static constexpr bool kIsAlone = true;  // no other world waits for this one
  TENPIN_INLINE int index() const { return 0; }
  // Waits for the other lanes; their writes can be read afterwards.
  TENPIN_INLINE void sync() const {}
  // Waits for the other warps of the block. Warps in the same stage share the code that they fetch.
  TENPIN_INLINE void sync_stage() const {}
  // Bit i of the result is what lane i passes.
  TENPIN_INLINE Word ballot(bool yes) const { return yes ? 1U : 0U; }
  // True if any lane of this world, or of any world of the warp, passes true.
  TENPIN_INLINE bool any(bool yes) const { return yes; }
  TENPIN_INLINE bool any_in_warp(bool yes) const { return yes; }
  // The largest number among all worlds of the warp. All lanes of a world pass the same number.
  TENPIN_INLINE int largest_in_warp(int x) const { return x; }
  // The value of x in the lane whose index differs in the bits of `mask`.
  template <class T>
  TENPIN_INLINE T exchange(T x, int) const {
    return x;
  }
};

#if defined(__CUDA__)
// kCount_ neighbouring lanes of a warp.
template <int kCount_>
struct WarpLanes {
  static constexpr int kCount = kCount_;
  static constexpr bool kIsAlone = false;
  static constexpr Word kAll = 0xffffffffU;
#if defined(__CUDA_ARCH__)
  TENPIN_INLINE int in_warp() const {
    return __nvvm_read_ptx_sreg_tid_x() & 31;
  }
  TENPIN_INLINE int index() const {
    return in_warp() & (kCount - 1);
  }
  TENPIN_INLINE void sync() const {
    __nvvm_bar_warp_sync(kAll);
  }
  TENPIN_INLINE void sync_stage() const {
    __syncthreads();
  }
  TENPIN_INLINE Word ballot(bool yes) const {
    const Word bits = __nvvm_vote_ballot_sync(kAll, yes);
    if (kCount == 32) return bits;
    return (bits >> (in_warp() & ~(kCount - 1))) & ((1U << (kCount & 31)) - 1U);
  }
  TENPIN_INLINE bool any(bool yes) const {
    return ballot(yes) != 0;
  }
  TENPIN_INLINE bool any_in_warp(bool yes) const {
    return __nvvm_vote_any_sync(kAll, yes);
  }
  TENPIN_INLINE int largest_in_warp(int x) const {
    for (int mask = 16; mask >= kCount; mask /= 2) {
      const int other = exchange(x, mask);
      x = other > x ? other : x;
    }
    return x;
  }
  TENPIN_INLINE int exchange(int x, int mask) const {
    return __nvvm_shfl_sync_bfly_i32(kAll, x, mask, 0x1f);
  }
  TENPIN_INLINE float exchange(float x, int mask) const {
    int bits;
    __builtin_memcpy(&bits, &x, 4);
    bits = exchange(bits, mask);
    __builtin_memcpy(&x, &bits, 4);
    return x;
  }
  TENPIN_INLINE double exchange(double x, int mask) const {
    int bits[2];
    __builtin_memcpy(bits, &x, 8);
    bits[0] = exchange(bits[0], mask);
    bits[1] = exchange(bits[1], mask);
    __builtin_memcpy(&x, bits, 8);
    return x;
  }
#else
  int index() const {
    return 0;
  }
  void sync() const {}
  void sync_stage() const {}
  Word ballot(bool) const {
    return 0;
  }
  bool any(bool) const {
    return false;
  }
  bool any_in_warp(bool) const {
    return false;
  }
  int largest_in_warp(int x) const {
    return x;
  }
  template <class T>
  T exchange(T x, int) const {
    return x;
  }
#endif
};
#endif

// Combines numbers of the lanes of a world; every lane gets the result.
template <class Lanes, class Real>
TENPIN_INLINE Real find_largest(const Lanes& lanes, Real x) {
  for (int mask = Lanes::kCount / 2; mask >= 1; mask /= 2) {
    x = larger_or_nan(x, lanes.exchange(x, mask));
  }
  return x;
}
template <class Lanes>
TENPIN_INLINE int find_least(const Lanes& lanes, int x) {
  for (int mask = Lanes::kCount / 2; mask >= 1; mask /= 2) {
    const int other = lanes.exchange(x, mask);
    x = other < x ? other : x;
  }
  return x;
}
template <class Lanes>
TENPIN_INLINE int add_counts(const Lanes& lanes, int x) {
  for (int mask = Lanes::kCount / 2; mask >= 1; mask /= 2) x += lanes.exchange(x, mask);
  return x;
}

// A sum of reals in 32 parts that are added as a fixed tree, so that its bits do not depend on the
// number of lanes. Part i mod 32 takes term i; lane k of n has the parts k, k + n, ...
template <class Real, class Lanes>
class FixedSum {
 public:
  TENPIN_INLINE FixedSum() {
    for (int k = 0; k < kParts; ++k) parts_[k] = Real(0);
  }
  // Adds the term with number pass * kCount + index of the lane.
  TENPIN_INLINE void add(int pass, Real x) {
    if (kParts > 4) {
      parts_[pass & (kParts - 1)] = parts_[pass & (kParts - 1)] + x;
    } else {  // constant indices keep the parts in registers
      for (int k = 0; k < kParts; ++k) {
        if ((pass & (kParts - 1)) == k) parts_[k] = parts_[k] + x;
      }
    }
  }
  TENPIN_INLINE Real total(const Lanes& lanes) {
    for (int width = kParts / 2; width >= 1; width /= 2) {
      for (int k = 0; k < width; ++k) parts_[k] = parts_[k] + parts_[k + width];
    }
    Real x = parts_[0];
    for (int mask = Lanes::kCount / 2; mask >= 1; mask /= 2) x = x + lanes.exchange(x, mask);
    return x;
  }

 private:
  static constexpr int kParts = 32 / Lanes::kCount;
  Real parts_[kParts];
};

}  // namespace tenpin::batch
