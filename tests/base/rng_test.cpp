#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tenpin {
namespace {

// The known answers that the generator's authors publish with it.
TEST(RandomBlock, GivesTheAuthorsKnownAnswers) {
  EXPECT_EQ(calc_random_block({0, 0, 0, 0}, {0, 0}),
            (RandomBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(calc_random_block({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (RandomBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      calc_random_block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (RandomBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, UniformHasTheRightMoments) {
  const RandomStream random(42);
  constexpr int kNum = 100'000;
  double sum = 0.0, squares = 0.0, products = 0.0;
  for (int i = 0; i < kNum; ++i) {
    const double u = random.uniform(i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
    products += (u - 0.5) * (random.uniform(i + 1) - 0.5);
  }
  const double slack = 4.0 / std::sqrt(kNum);  // more than four standard deviations of each mean
  EXPECT_NEAR(sum / kNum, 1.0 / 2, slack);
  EXPECT_NEAR(squares / kNum, 1.0 / 3, slack);
  EXPECT_NEAR(products / kNum, 0.0, slack / 12);
}

TEST(RandomStream, IndexIsUniform) {
  const RandomStream random(7, 3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) {
    ++counts.at(random.index(i, 7));
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 10'000, 400);  // four standard deviations
  }
  EXPECT_EQ(random.index(5, 1), 0U);
}

TEST(RandomStream, SeedsStreamsAndCountersAreDistinct) {
  EXPECT_NE(RandomStream(1, 0).bits(0), RandomStream(0, 1).bits(0));
  EXPECT_NE(RandomStream(0, 1).bits(0), RandomStream(0, 0).bits(1));
  EXPECT_EQ(RandomStream(9, 9).bits(9), RandomStream(9, 9).bits(9));
}

TEST(RandomStream, UniformStaysWithinItsBounds) {
  const RandomStream random(11);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(i, -3.0, 5.0);
    EXPECT_GE(x, -3.0);
    EXPECT_LE(x, 5.0);
  }
}

}  // namespace
}  // namespace tenpin
