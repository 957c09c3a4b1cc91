// Sobol's sequence: points that fill a cube more evenly than random points do.
#pragma once

#include <cstdint>

namespace tenpin::lab {

inline constexpr int kMaxSobolDimensions = 16;

// Coordinate `dimension` of point `index`, as a fraction of 2^32. Among the first 2^k points, each
// of 2^k equal intervals of a dimension contains exactly one point.
[[nodiscard]] std::uint32_t calc_sobol(int dimension, std::uint32_t index);

}  // namespace tenpin::lab
