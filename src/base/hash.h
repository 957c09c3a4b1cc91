// A 64-bit hash of states and inputs, the same on every machine and compiler. Values that compare
// equal have equal hashes: -0.0 counts as 0.0, and all NaNs are one value. Not cryptographic.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tenpin {

// Add values in a fixed order, then read value(). Both order and count affect the hash.
class Hash {
 public:
  constexpr void add(std::uint64_t word) {
    ++num_words_;
    state_ = scramble(state_ ^ word) + 0x9e3779b97f4a7c15;
  }
  constexpr void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  constexpr void add(int number) { add(static_cast<std::int64_t>(number)); }
  constexpr void add(double number) {
    if (number != number) {
      number = std::numeric_limits<double>::quiet_NaN();
    }
    add(std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number));
  }
  constexpr void add(std::span<const double> numbers) {
    for (const double number : numbers) {
      add(number);
    }
  }
  // Packs bytes into 64-bit words, first byte lowest on every machine, then adds their count.
  constexpr void add(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * (i % 8));
      if (i % 8 == 7) {
        add(word);
        word = 0;
      }
    }
    add(word);
    add(std::uint64_t{bytes.size()});
  }

  [[nodiscard]] constexpr std::uint64_t value() const { return scramble(state_ ^ num_words_); }

 private:
  // A bijection in which every input bit flips every output bit with probability near one half
  // (the finaliser of Steele, Lea and Flood's SplitMix64, OOPSLA 2014).
  static constexpr std::uint64_t scramble(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t state_ = 0;
  std::uint64_t num_words_ = 0;
};

}  // namespace tenpin
