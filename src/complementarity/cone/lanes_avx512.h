// Eight lanes in an AVX-512 register. Include this only in files that are compiled for such
// machines.
#pragma once

#include <immintrin.h>

#include "complementarity/cone/lanes.h"

namespace tenpin::complementarity::cone {

// A mask with one bit per lane.
struct Avx512Mask {
  __mmask8 bits;

  TENPIN_INLINE_LANES friend Avx512Mask operator&(const Avx512Mask& a, const Avx512Mask& b) {
    return {_kand_mask8(a.bits, b.bits)};
  }
  TENPIN_INLINE_LANES friend Avx512Mask operator|(const Avx512Mask& a, const Avx512Mask& b) {
    return {_kor_mask8(a.bits, b.bits)};
  }
  TENPIN_INLINE_LANES friend Avx512Mask operator~(const Avx512Mask& a) {
    return {_knot_mask8(a.bits)};
  }
};

TENPIN_INLINE_LANES bool any(const Avx512Mask& mask) {
  return mask.bits != 0;
}

struct Avx512Lanes {
  static constexpr int kWidth = 8;
  __m512d x;

  Avx512Lanes() = default;
  TENPIN_INLINE_LANES explicit Avx512Lanes(__m512d value) : x(value) {}
  TENPIN_INLINE_LANES explicit Avx512Lanes(double value) : x(_mm512_set1_pd(value)) {}
  TENPIN_INLINE_LANES static Avx512Lanes load(const double* from) {
    return Avx512Lanes(_mm512_load_pd(from));
  }
  TENPIN_INLINE_LANES void store(double* to) const { _mm512_store_pd(to, x); }

  // Loads velocities of eight bodies: v[k] is component k of all. Two components of four bodies are
  // joined while they are read, which leaves one shuffle per component.
  TENPIN_INLINE_LANES static void load_rows(const double* const* rows, Avx512Lanes* v) {
    for (int k = 0; k < 6; k += 2) {
      const __m512d even = join(rows[0] + k, rows[2] + k, rows[4] + k, rows[6] + k);
      const __m512d odd = join(rows[1] + k, rows[3] + k, rows[5] + k, rows[7] + k);
      v[k].x = _mm512_unpacklo_pd(even, odd);
      v[k + 1].x = _mm512_unpackhi_pd(even, odd);
    }
  }
  TENPIN_INLINE_LANES static void store_rows(const Avx512Lanes* v, double* const* rows) {
    for (int k = 0; k < 6; k += 2) {
      const __m512d even = _mm512_unpacklo_pd(v[k].x, v[k + 1].x);
      const __m512d odd = _mm512_unpackhi_pd(v[k].x, v[k + 1].x);
      _mm_store_pd(rows[0] + k, _mm512_castpd512_pd128(even));
      _mm_store_pd(rows[1] + k, _mm512_castpd512_pd128(odd));
      _mm_store_pd(rows[2] + k, _mm512_extractf64x2_pd(even, 1));
      _mm_store_pd(rows[3] + k, _mm512_extractf64x2_pd(odd, 1));
      _mm_store_pd(rows[4] + k, _mm512_extractf64x2_pd(even, 2));
      _mm_store_pd(rows[5] + k, _mm512_extractf64x2_pd(odd, 2));
      _mm_store_pd(rows[6] + k, _mm512_extractf64x2_pd(even, 3));
      _mm_store_pd(rows[7] + k, _mm512_extractf64x2_pd(odd, 3));
    }
  }

  TENPIN_INLINE_LANES friend Avx512Lanes operator+(const Avx512Lanes& a, const Avx512Lanes& b) {
    return Avx512Lanes(_mm512_add_pd(a.x, b.x));
  }
  TENPIN_INLINE_LANES friend Avx512Lanes operator-(const Avx512Lanes& a, const Avx512Lanes& b) {
    return Avx512Lanes(_mm512_sub_pd(a.x, b.x));
  }
  TENPIN_INLINE_LANES friend Avx512Lanes operator*(const Avx512Lanes& a, const Avx512Lanes& b) {
    return Avx512Lanes(_mm512_mul_pd(a.x, b.x));
  }
  TENPIN_INLINE_LANES friend Avx512Lanes operator/(const Avx512Lanes& a, const Avx512Lanes& b) {
    return Avx512Lanes(_mm512_div_pd(a.x, b.x));
  }
  TENPIN_INLINE_LANES friend Avx512Lanes operator-(const Avx512Lanes& a) {
    return Avx512Lanes(_mm512_xor_pd(a.x, _mm512_set1_pd(-0.0)));
  }
  TENPIN_INLINE_LANES friend Avx512Mask operator<(const Avx512Lanes& a, const Avx512Lanes& b) {
    return {_mm512_cmp_pd_mask(a.x, b.x, _CMP_LT_OQ)};
  }
  TENPIN_INLINE_LANES friend Avx512Mask operator>(const Avx512Lanes& a, const Avx512Lanes& b) {
    return {_mm512_cmp_pd_mask(a.x, b.x, _CMP_GT_OQ)};
  }
  TENPIN_INLINE_LANES friend Avx512Mask operator<=(const Avx512Lanes& a, const Avx512Lanes& b) {
    return {_mm512_cmp_pd_mask(a.x, b.x, _CMP_LE_OQ)};
  }
  TENPIN_INLINE_LANES friend Avx512Mask operator>=(const Avx512Lanes& a, const Avx512Lanes& b) {
    return {_mm512_cmp_pd_mask(a.x, b.x, _CMP_GE_OQ)};
  }

 private:
  TENPIN_INLINE_LANES static __m512d join(const double* p0, const double* p1, const double* p2,
                                          const double* p3) {
    __m512d all = _mm512_castpd128_pd512(_mm_load_pd(p0));
    all = _mm512_insertf64x2(all, _mm_load_pd(p1), 1);
    all = _mm512_insertf64x2(all, _mm_load_pd(p2), 2);
    return _mm512_insertf64x2(all, _mm_load_pd(p3), 3);
  }
};

TENPIN_INLINE_LANES Avx512Lanes choose(const Avx512Mask& mask, const Avx512Lanes& yes,
                                       const Avx512Lanes& no) {
  return Avx512Lanes(_mm512_mask_blend_pd(mask.bits, no.x, yes.x));
}

TENPIN_INLINE_LANES Avx512Lanes square_root(const Avx512Lanes& a) {
  return Avx512Lanes(_mm512_sqrt_pd(a.x));
}

}  // namespace tenpin::complementarity::cone
