#include "base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

namespace tenpin {
namespace {

template <typename... Values>
std::uint64_t hash_of(Values... values) {
  Hash hash;
  (hash.add(values), ...);
  return hash.value();
}

TEST(Hash, EqualValuesHashEqual) {
  EXPECT_EQ(hash_of(-0.0), hash_of(0.0));
  EXPECT_EQ(hash_of(std::nan("1")), hash_of(-std::nan("2")));
  EXPECT_EQ(hash_of(-3), hash_of(std::int64_t{-3}));
}

TEST(Hash, OrderAndCountMatter) {
  EXPECT_NE(hash_of(1.0, 2.0), hash_of(2.0, 1.0));
  EXPECT_NE(hash_of(0.0), hash_of(0.0, 0.0));
  EXPECT_NE(hash_of(), hash_of(0));
  EXPECT_NE(hash_of(std::string_view("ab"), std::string_view("c")),
            hash_of(std::string_view("a"), std::string_view("bc")));
  EXPECT_NE(hash_of(std::string_view("a")), hash_of(std::string_view("a\0", 2)));
}

TEST(Hash, OneBitFlipsAboutHalfOfTheOutput) {
  double flips = 0.0;
  for (int bit = 0; bit < 64; ++bit) {
    flips += std::popcount(hash_of(std::uint64_t{1} << bit) ^ hash_of(std::uint64_t{0}));
  }
  EXPECT_NEAR(flips / 64, 32.0, 2.0);  // four standard deviations of a fair coin
}

TEST(Hash, NearbyStatesDoNotCollide) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 100; ++j) {
      seen.insert(hash_of(i, j));
    }
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

// Run files carry hashes, so the function may never change.
TEST(Hash, GoldenValue) {
  EXPECT_EQ(hash_of(1.0, -7, std::string_view("tenpin hash")), 17275075535104385603U);
}

}  // namespace
}  // namespace tenpin
