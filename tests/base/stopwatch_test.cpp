#include "base/stopwatch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tenpin {
namespace {

TEST(Stopwatch, SleepTakesWallTimeButNoCpuTime) {
  Stopwatch stopwatch;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GE(stopwatch.wall(), 0.050);
  EXPECT_LT(stopwatch.cpu(), 0.040);
  stopwatch.restart();
  EXPECT_LT(stopwatch.wall(), 0.050);
}

TEST(Stopwatch, WorkTakesCpuTime) {
  const Stopwatch stopwatch;
  volatile double sum = 0.0;
  while (stopwatch.cpu() < 0.01) {
    sum = sum + 1.0;
  }
  EXPECT_GE(stopwatch.wall(), 0.009);
}

}  // namespace
}  // namespace tenpin
