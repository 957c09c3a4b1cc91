// Sine, cosine and arc tangent from additions, multiplications and divisions alone, so that every
// IEEE 754 machine returns the same bits. The polynomials interpolate the exact series at Chebyshev
// nodes in 60-digit arithmetic; the comment on each gives its error before rounding.
#include "math/trig.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tenpin {
namespace {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

// An unevaluated sum high + low, so that cancellation in the argument costs no accuracy in the
// result.
struct Split {
  double high = 0.0;
  double low = 0.0;
};

// a + b without error (Knuth's two-sum).
Split exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

struct Reduced {
  int quadrant = 0;  // angle = quadrant * pi/2 + rest, |rest| <= pi/4 (slightly more at the border)
  Split rest;
};

constexpr Split kHalfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

// pi/2 in parts of 33, 33 and 53 bits: a multiple up to 2^20 of the first two is exact.
constexpr double kHalfPi1 = 0x1.921fb54400000p+0;
constexpr double kHalfPi2 = 0x1.0b4611a600000p-34;
constexpr double kHalfPi3 = 0x1.3198a2e037073p-69;
constexpr double kMaxMultiple = 0x1p20;
// If the rest is closer to zero than this, the three parts leave fewer than 60 correct bits.
constexpr double kMinRest = 0x1p-40;

// The bits of 2/pi after one word of zeros, most significant first.
constexpr std::array<std::uint64_t, 20> kTwoOverPiBits = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// 64 bits of the table from bit `start` on; zeros past its end.
std::uint64_t table_bits(int start) {
  const int word = start / 64;
  const int shift = start % 64;
  const auto at = [](int w) {
    return w < 20 ? kTwoOverPiBits[w] : 0;
  };
  return shift == 0 ? at(word) : (at(word) << shift) | (at(word + 1) >> (64 - shift));
}

// Payne and Hanek's reduction of any finite angle >= 2^-10. With angle = mantissa * 2^exponent, the
// bits of 2/pi above weight 2^(2-exponent) only add whole turns; of the rest, 192 bits suffice.
Reduced reduce_exactly(double angle) {
  const auto bits = std::bit_cast<std::uint64_t>(angle);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1075;
  const std::uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int start = exponent + 62;
  const Uint128 low = Uint128{mantissa} * table_bits(start + 128);
  const Uint128 middle = Uint128{mantissa} * table_bits(start + 64) + (low >> 64);
  const std::uint64_t high =
      mantissa * table_bits(start) + static_cast<std::uint64_t>(middle >> 64);
  // Now high:middle:low / 2^190 is angle / (pi/2) modulo 4; its top two bits are the quadrant.
  const Uint128 top = (Uint128{high} << 64) | static_cast<std::uint64_t>(middle);
  const auto fraction =
      static_cast<Int128>((top << 2) | (static_cast<std::uint64_t>(low) >> 62));  // [-1/2, 1/2)
  const int quadrant = static_cast<int>(high >> 62) + (fraction < 0 ? 1 : 0);
  const auto fraction_high = static_cast<double>(fraction);
  const auto fraction_low = static_cast<double>(fraction - static_cast<Int128>(fraction_high));
  const double f = fraction_high * 0x1p-128;
  const double product = f * kHalfPi.high;
  const double error = std::fma(f, kHalfPi.high, -product);
  return {quadrant, {product, error + (f * kHalfPi.low + fraction_low * 0x1p-128 * kHalfPi.high)}};
}

// Cody and Waite's reduction in three parts, for angles of ordinary size.
Reduced reduce(double angle) {
  constexpr double kToInteger = 0x1.8p52;  // adding it rounds to the nearest integer
  const double multiple = (std::fabs(angle) * kTwoOverPi + kToInteger) - kToInteger;
  if (multiple == 0.0) {
    return {0, {std::fabs(angle), 0.0}};
  }
  if (multiple <= kMaxMultiple) {
    const Split difference =
        exact_sum(std::fabs(angle) - multiple * kHalfPi1, -(multiple * kHalfPi2));
    const Split rest = exact_sum(difference.high, difference.low - multiple * kHalfPi3);
    if (std::fabs(rest.high) > kMinRest) {
      return {static_cast<int>(multiple), rest};
    }
  }
  return reduce_exactly(std::fabs(angle));
}

// sin(r) = r + r^3 p(r^2), error 2e-17 relative.
double sin_near_zero(const Split& r) {
  const double z = r.high * r.high;
  const double p = -0x1.5555555555555p-3 +
                   z * (0x1.1111111110ba5p-7 +
                        z * (-0x1.a01a019e8069ap-13 +
                             z * (0x1.71de3792528abp-19 +
                                  z * (-0x1.ae60069ee3ecfp-26 + z * 0x1.5e09858a97437p-33))));
  return r.high + (r.high * z * p + r.low * (1.0 - 0.5 * z));
}

// cos(r) = 1 - r^2/2 + r^4 p(r^2), error 2e-18.
double cos_near_zero(const Split& r) {
  const double z = r.high * r.high;
  const double p = 0x1.5555555555555p-5 +
                   z * (-0x1.6c16c16c16960p-10 +
                        z * (0x1.a01a019f4d0f0p-16 +
                             z * (-0x1.27e4fa15bdc69p-22 +
                                  z * (0x1.1eeb66b6cb12cp-29 + z * -0x1.907c0e977e8bdp-37))));
  const double first = 1.0 - 0.5 * z;
  const double first_error = (1.0 - first) - 0.5 * z;
  return first + (first_error + (z * z * p - r.high * r.low));
}

// arctan(r) - r = r^3 p(r^2) for |r| <= 0.1, error 2e-19 relative to r.
double arc_tangent_rest(double r) {
  const double z = r * r;
  const double p = -0x1.5555555555555p-2 +
                   z * (0x1.999999999997cp-3 +
                        z * (-0x1.2492492487295p-3 +
                             z * (0x1.c71c71946f8dbp-4 +
                                  z * (-0x1.745ce04517595p-4 +
                                       z * (0x1.3af501201fe9cp-4 + z * -0x1.088c57f48d41ap-4)))));
  return r * z * p;
}

// arctan(k/8).
constexpr std::array<Split, 9> kArcTangents = {{{0.0, 0.0},
                                                {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                                {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                                {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                                {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                                {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};

// Clears the lower half of the mantissa, so that products of such numbers are exact.
double upper_half(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~std::uint64_t{0x7ffffff});
}

// y/x with the rounding error of the quotient.
Split exact_quotient(double y, double x) {
  const double quotient = y / x;
  const double q = upper_half(quotient);
  const double d = upper_half(x);
  const double remainder = ((y - q * d) - q * (x - d)) - (quotient - q) * x;
  return {quotient, remainder / x};
}

// arctan(y/x) for 0 <= y <= x, from arctan(c) + arctan((y - c x) / (x + c y)) with c = k/8 nearest
// y/x.
Split arc_tangent_octant(double y, double x) {
  const Split ratio = exact_quotient(y, x);
  if (ratio.high < 0.1) {
    return {ratio.high, ratio.low + arc_tangent_rest(ratio.high)};
  }
  const int k = static_cast<int>(8.0 * (ratio.high + 0.0625));
  const double c = 0.125 * k;
  // c x in two exact parts, since the difference cancels.
  const double x_high = upper_half(x);
  const double r = ((y - c * x_high) - c * (x - x_high)) / (x + c * y);
  const Split sum = exact_sum(kArcTangents[k].high, r);
  return {sum.high, sum.low + (kArcTangents[k].low + arc_tangent_rest(r))};
}

// Scales both numbers away from overflow and from the subnormals without changing their ratio.
void scale(double* y, double* x) {
  const double larger = std::fmax(*y, *x);
  if (std::isinf(larger)) {
    *y = std::isinf(*y) ? 1.0 : 0.0;
    *x = std::isinf(*x) ? 1.0 : 0.0;
  } else if (larger > 0x1p1000) {
    *y *= 0x1p-60;
    *x *= 0x1p-60;
  } else if (larger < 0x1p-900) {
    *y *= 0x1p170;
    *x *= 0x1p170;
  }
}

}  // namespace

SinCos sin_cos(double angle) {
  if (!std::isfinite(angle)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const Reduced reduced = reduce(angle);
  const double s = sin_near_zero(reduced.rest);
  const double c = cos_near_zero(reduced.rest);
  const bool swap = (reduced.quadrant & 1) != 0;
  const double sin = swap ? c : s;
  const double cos = swap ? s : c;
  const bool negate_sin = ((reduced.quadrant & 2) != 0) != std::signbit(angle);
  const bool negate_cos = ((reduced.quadrant + 1) & 2) != 0;
  return {negate_sin ? -sin : sin, negate_cos ? -cos : cos};
}

double arc_tangent(double y, double x) {
  if (std::isnan(y) || std::isnan(x)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double rise = std::fabs(y);
  double run = std::fabs(x);
  if (rise == 0.0) {
    return x < 0.0 ? kPi : 0.0;
  }
  scale(&rise, &run);
  const bool steep = rise > run;
  const Split octant = steep ? arc_tangent_octant(run, rise) : arc_tangent_octant(rise, run);
  // The angle is base + sign * octant, with base a multiple of pi/2.
  const double base = steep ? 1.0 : (x < 0.0 ? 2.0 : 0.0);
  const double sign = steep == (x < 0.0) ? 1.0 : -1.0;
  const Split sum = exact_sum(base * kHalfPi.high, sign * octant.high);
  const double angle = sum.high + (sum.low + (base * kHalfPi.low + sign * octant.low));
  return y < 0.0 ? -angle : angle;
}

}  // namespace tenpin
