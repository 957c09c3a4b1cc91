#include "base/text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"

namespace tenpin {
namespace {

TEST(ToText, IsShortest) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1.0), "1");
  EXPECT_EQ(to_text(-0.0), "-0");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(to_text(-std::nan("")), "nan");
  EXPECT_EQ(to_text(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(ToText, EveryBitPatternReadsBack) {
  const RandomStream random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random.bits(i));
    if (std::isfinite(number)) {
      ASSERT_EQ(parse_double(to_text(number)), number) << to_text(number);
    }
  }
}

TEST(ParseDouble, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_double("+1.5e3"), 1500.0);
  EXPECT_EQ(parse_double("-.5"), -0.5);
  for (const char* bad : {"", "+", "-", "1,5", "1.5x", " 1", "1 ", "0x10", "+-1", "++1", "1e400",
                          "-1e400", "1e", "one"}) {
    EXPECT_EQ(parse_double(bad), std::nullopt) << bad;
  }
}

TEST(ParseDouble, UnderflowIsZeroNotAnError) {
  EXPECT_EQ(parse_double("1e-400"), 0.0);
  EXPECT_EQ(parse_double("-1e-400"), 0.0);
  EXPECT_EQ(parse_double("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_double(std::string(400, '9')), std::nullopt);
}

TEST(ParseDouble, ReadsNonFiniteNames) {
  EXPECT_TRUE(std::isnan(parse_double("nan").value()));
  EXPECT_TRUE(std::isinf(parse_double("-inf").value()));
}

TEST(ParseInteger, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("+12"), 12);
  for (const char* bad : {"", "1.0", "99999999999999999999", "1 "}) {
    EXPECT_EQ(parse_integer(bad), std::nullopt) << bad;
  }
}

TEST(EditDistance, CountsInsertDeleteReplaceSwap) {
  EXPECT_EQ(calc_edit_distance("", "abc"), 3);
  EXPECT_EQ(calc_edit_distance("mass", "mass"), 0);
  EXPECT_EQ(calc_edit_distance("mas", "mass"), 1);
  EXPECT_EQ(calc_edit_distance("frcition", "friction"), 1);
  EXPECT_EQ(calc_edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, FindsTheMeantKeyAndNoFarOne) {
  const std::vector<std::string> keys = {"friction", "restitution", "mass", "mask"};
  EXPECT_EQ(nearest("fricton", keys), "friction");
  EXPECT_EQ(nearest("masz", keys), "mass");  // the first of equals
  EXPECT_EQ(nearest("velocity", keys), std::nullopt);
  EXPECT_EQ(nearest("x", std::vector<std::string>{}), std::nullopt);
}

}  // namespace
}  // namespace tenpin
