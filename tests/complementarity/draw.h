// Random numbers one after the other, for building test problems.
#pragma once

#include <cstdint>

#include "base/rng.h"

namespace tenpin::complementarity {

class Draw {
 public:
  explicit Draw(std::uint64_t seed, std::uint64_t stream = 0) : stream_(seed, stream) {}

  double uniform(double lower, double upper) { return stream_.uniform(counter_++, lower, upper); }
  // One of lower .. upper.
  int integer(int lower, int upper) {
    return lower + static_cast<int>(
                       stream_.index(counter_++, static_cast<std::uint32_t>(upper - lower + 1)));
  }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }

 private:
  RandomStream stream_;
  std::uint64_t counter_ = 0;
};

}  // namespace tenpin::complementarity
