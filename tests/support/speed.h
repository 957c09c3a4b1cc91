// Limits on processor time that scale with the machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <unordered_map>

#include "support/patience.h"

namespace tenpin::test {

// s   Of this process. Unlike the time of the clock, it does not depend on what else the machine
// does.
inline double processor_time() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// How many times slower than the machine on which the limits were chosen, at least 1: measured by a
// piece of work that uses memory, text and arithmetic as the program does. The caches that other
// processes fill count too.
inline double find_slowness() {
  constexpr double kReference = 0.015;  // s   on that machine
  static const double slowness = [] {
    const double begin = processor_time();
    std::unordered_map<std::string, std::uint64_t> counts;
    std::uint64_t x = 1;
    for (int i = 0; i < 200000; ++i) {
      x = x * 6364136223846793005U + 1442695040888963407U;
      counts[std::to_string(x >> 50)] += x >> 60;
    }
    const bool is_real = counts.size() > 1;  // keeps the work from being optimised away
    return std::max(1.0, (is_real ? processor_time() - begin : 0.0) / kReference);
  }();
  return kPatience * slowness;
}

}  // namespace tenpin::test
