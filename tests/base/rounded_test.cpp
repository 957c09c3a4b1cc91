#include "base/rounded.h"

#include <gtest/gtest.h>

#include <limits>

namespace tenpin {
namespace {

TEST(Rounded, AmountsHaveThreeDigits) {
  EXPECT_EQ(to_rounded(3.1260187682846663e-06), "3.13e-06");
  EXPECT_EQ(to_rounded(0.2), "0.2");
  EXPECT_EQ(to_rounded(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Rounded, TimesHaveSixDigits) {
  EXPECT_EQ(to_rounded_time(0.1 + 0.2), "0.3");
  EXPECT_EQ(to_rounded_time(12.3456), "12.3456");
}

}  // namespace
}  // namespace tenpin
