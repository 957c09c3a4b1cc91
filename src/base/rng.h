// Stateless random numbers: number i of a stream is a function of (seed, stream, i). So trial 17 of
// a sweep draws the same numbers on every thread and machine, and a resumed run stores only the
// counter. Generator: Philox-4x32, 10 rounds (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC 2011), which passes BigCrush. There are no normal deviates, because they
// would need a logarithm.
#pragma once

#include <array>
#include <cstdint>

namespace tenpin {

using RandomBlock = std::array<std::uint32_t, 4>;

// Philox's bijection of 128-bit counters under a 64-bit key.
[[nodiscard]] constexpr RandomBlock calc_random_block(RandomBlock counter,
                                                      std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    const auto high = [](std::uint64_t product) {
      return static_cast<std::uint32_t>(product >> 32);
    };
    counter = {high(b) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               high(a) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

// One of 2^64 independent streams per seed. An immutable value that is cheap to copy.
class RandomStream {
 public:
  constexpr explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0)
      : seed_(seed), stream_(stream) {}

  [[nodiscard]] constexpr std::uint64_t bits(std::uint64_t counter) const {
    const RandomBlock block = calc_random_block(
        {low(counter), high(counter), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    return (std::uint64_t{block[1]} << 32) | block[0];
  }

  // Uniform in [0, 1): a multiple of 2^-53.
  [[nodiscard]] constexpr double uniform(std::uint64_t counter) const {
    return static_cast<double>(bits(counter) >> 11) * 0x1p-53;
  }

  // Uniform between the bounds; only rounding can return `upper` itself.
  [[nodiscard]] constexpr double uniform(std::uint64_t counter, double lower, double upper) const {
    const double u = uniform(counter);
    return (1.0 - u) * lower + u * upper;
  }

  // One of 0 .. count-1, for count >= 1. The bias is below count / 2^64.
  [[nodiscard]] constexpr std::uint32_t index(std::uint64_t counter, std::uint32_t count) const {
    const std::uint64_t b = bits(counter);
    // The high word of the 96-bit product bits * count, without a 128-bit type.
    return static_cast<std::uint32_t>(((b >> 32) * count + (((b & 0xffffffff) * count) >> 32)) >>
                                      32);
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static constexpr std::uint32_t high(std::uint64_t x) {
    return static_cast<std::uint32_t>(x >> 32);
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace tenpin
