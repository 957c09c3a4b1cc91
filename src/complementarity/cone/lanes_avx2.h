// Eight lanes in two AVX2 registers, whose operations can overlap where operations on one register
// would wait for each other. Include this only in files that are compiled for such machines.
#pragma once

#include <immintrin.h>

#include "complementarity/cone/lanes.h"

namespace tenpin::complementarity::cone {

// A mask; in each lane, all bits are set or none is.
struct Avx2Mask {
  __m256d low, high;

  TENPIN_INLINE_LANES friend Avx2Mask operator&(const Avx2Mask& a, const Avx2Mask& b) {
    return {_mm256_and_pd(a.low, b.low), _mm256_and_pd(a.high, b.high)};
  }
  TENPIN_INLINE_LANES friend Avx2Mask operator|(const Avx2Mask& a, const Avx2Mask& b) {
    return {_mm256_or_pd(a.low, b.low), _mm256_or_pd(a.high, b.high)};
  }
  TENPIN_INLINE_LANES friend Avx2Mask operator~(const Avx2Mask& a) {
    const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
    return {_mm256_xor_pd(a.low, all), _mm256_xor_pd(a.high, all)};
  }
};

TENPIN_INLINE_LANES bool any(const Avx2Mask& mask) {
  return _mm256_movemask_pd(_mm256_or_pd(mask.low, mask.high)) != 0;
}

struct Avx2Lanes {
  static constexpr int kWidth = 8;
  __m256d low, high;

  Avx2Lanes() = default;
  TENPIN_INLINE_LANES Avx2Lanes(__m256d low_half, __m256d high_half)
      : low(low_half), high(high_half) {}
  TENPIN_INLINE_LANES explicit Avx2Lanes(double value)
      : low(_mm256_set1_pd(value)), high(_mm256_set1_pd(value)) {}
  TENPIN_INLINE_LANES static Avx2Lanes load(const double* from) {
    return {_mm256_load_pd(from), _mm256_load_pd(from + 4)};
  }
  TENPIN_INLINE_LANES void store(double* to) const {
    _mm256_store_pd(to, low);
    _mm256_store_pd(to + 4, high);
  }

  // Loads velocities of eight bodies: v[k] is component k of all. Two components of two bodies are
  // joined while they are read, which leaves one shuffle per component and half.
  TENPIN_INLINE_LANES static void load_rows(const double* const* rows, Avx2Lanes* v) {
    for (int k = 0; k < 6; k += 2) {
      load_half(rows, k, &v[k].low, &v[k + 1].low);
      load_half(rows + 4, k, &v[k].high, &v[k + 1].high);
    }
  }
  TENPIN_INLINE_LANES static void store_rows(const Avx2Lanes* v, double* const* rows) {
    for (int k = 0; k < 6; k += 2) {
      store_half(v[k].low, v[k + 1].low, k, rows);
      store_half(v[k].high, v[k + 1].high, k, rows + 4);
    }
  }

  TENPIN_INLINE_LANES friend Avx2Lanes operator+(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
  }
  TENPIN_INLINE_LANES friend Avx2Lanes operator-(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
  }
  TENPIN_INLINE_LANES friend Avx2Lanes operator*(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
  }
  TENPIN_INLINE_LANES friend Avx2Lanes operator/(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_div_pd(a.low, b.low), _mm256_div_pd(a.high, b.high)};
  }
  TENPIN_INLINE_LANES friend Avx2Lanes operator-(const Avx2Lanes& a) {
    const __m256d sign = _mm256_set1_pd(-0.0);
    return {_mm256_xor_pd(a.low, sign), _mm256_xor_pd(a.high, sign)};
  }
  TENPIN_INLINE_LANES friend Avx2Mask operator<(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ)};
  }
  TENPIN_INLINE_LANES friend Avx2Mask operator>(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_cmp_pd(a.low, b.low, _CMP_GT_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_GT_OQ)};
  }
  TENPIN_INLINE_LANES friend Avx2Mask operator<=(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_cmp_pd(a.low, b.low, _CMP_LE_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LE_OQ)};
  }
  TENPIN_INLINE_LANES friend Avx2Mask operator>=(const Avx2Lanes& a, const Avx2Lanes& b) {
    return {_mm256_cmp_pd(a.low, b.low, _CMP_GE_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_GE_OQ)};
  }

 private:
  // Components k and k + 1 of four bodies.
  TENPIN_INLINE_LANES static void load_half(const double* const* rows, int k, __m256d* first,
                                            __m256d* second) {
    const __m256d even = join(rows[0] + k, rows[2] + k);
    const __m256d odd = join(rows[1] + k, rows[3] + k);
    *first = _mm256_unpacklo_pd(even, odd);
    *second = _mm256_unpackhi_pd(even, odd);
  }
  TENPIN_INLINE_LANES static void store_half(__m256d first, __m256d second, int k,
                                             double* const* rows) {
    const __m256d even = _mm256_unpacklo_pd(first, second);
    const __m256d odd = _mm256_unpackhi_pd(first, second);
    _mm_store_pd(rows[0] + k, _mm256_castpd256_pd128(even));
    _mm_store_pd(rows[1] + k, _mm256_castpd256_pd128(odd));
    _mm_store_pd(rows[2] + k, _mm256_extractf128_pd(even, 1));
    _mm_store_pd(rows[3] + k, _mm256_extractf128_pd(odd, 1));
  }
  TENPIN_INLINE_LANES static __m256d join(const double* first, const double* second) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(first)), _mm_load_pd(second), 1);
  }
};

TENPIN_INLINE_LANES Avx2Lanes choose(const Avx2Mask& mask, const Avx2Lanes& yes,
                                     const Avx2Lanes& no) {
  return {_mm256_blendv_pd(no.low, yes.low, mask.low),
          _mm256_blendv_pd(no.high, yes.high, mask.high)};
}

TENPIN_INLINE_LANES Avx2Lanes square_root(const Avx2Lanes& a) {
  return {_mm256_sqrt_pd(a.low), _mm256_sqrt_pd(a.high)};
}

}  // namespace tenpin::complementarity::cone
