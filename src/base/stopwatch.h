// Measures wall-clock and processor time.
#pragma once

#include <ctime>

namespace tenpin {

// Measures from its construction or last restart(). Never used where results could depend on it.
class Stopwatch {
 public:
  Stopwatch() { restart(); }

  void restart() {
    wall_start_ = now(CLOCK_MONOTONIC);
    cpu_start_ = now(CLOCK_PROCESS_CPUTIME_ID);
  }
  [[nodiscard]] double wall() const { return now(CLOCK_MONOTONIC) - wall_start_; }  // s
  // Processor time of all threads of the process.
  [[nodiscard]] double cpu() const { return now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start_; }  // s

 private:
  static double now(clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double wall_start_ = 0.0;  // s
  double cpu_start_ = 0.0;   // s
};

}  // namespace tenpin
