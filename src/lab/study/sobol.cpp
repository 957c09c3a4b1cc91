#include "lab/study/sobol.h"

#include <array>

#include "base/check.h"

namespace tenpin::lab {

namespace {

constexpr int kBits = 32;

// A primitive polynomial over the integers modulo 2 and the first direction numbers: Joe and Kuo,
// "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30
// (2008). The first dimension is van der Corput's and needs none.
struct Recurrence {
  int degree;
  std::uint32_t inner;  // coefficients between the first and the last, highest power first
  std::array<std::uint32_t, 6> m;
};
// clang-format off
constexpr std::array<Recurrence, kMaxSobolDimensions - 1> kRecurrences = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
}};
// clang-format on

using Directions = std::array<std::uint32_t, kBits>;

constexpr Directions make_directions(int dimension) {
  Directions v = {};
  if (dimension == 0) {
    for (int i = 0; i < kBits; ++i) v[i] = 1U << (kBits - 1 - i);
    return v;
  }
  const Recurrence& r = kRecurrences[dimension - 1];
  for (int i = 0; i < kBits; ++i) {
    if (i < r.degree) {
      v[i] = r.m[i] << (kBits - 1 - i);
      continue;
    }
    v[i] = v[i - r.degree] ^ (v[i - r.degree] >> r.degree);
    for (int k = 1; k < r.degree; ++k) {
      if (((r.inner >> (r.degree - 1 - k)) & 1U) != 0) v[i] ^= v[i - k];
    }
  }
  return v;
}

constexpr auto kDirections = [] {
  std::array<Directions, kMaxSobolDimensions> all = {};
  for (int d = 0; d < kMaxSobolDimensions; ++d) all[d] = make_directions(d);
  return all;
}();

}  // namespace

std::uint32_t calc_sobol(int dimension, std::uint32_t index) {
  TENPIN_DEMAND(dimension >= 0 && dimension < kMaxSobolDimensions);
  std::uint32_t x = 0;
  for (int i = 0; index != 0; ++i, index >>= 1) {
    if ((index & 1U) != 0) x ^= kDirections[dimension][i];
  }
  return x;
}

}  // namespace tenpin::lab
