#include "base/decimal.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "base/rng.h"

namespace tenpin {
namespace {

using Write = std::to_chars_result (*)(char*, char*, double);
using Read = std::from_chars_result (*)(const char*, const char*, double*);

std::string write(Write writer, double number) {
  std::array<char, 400> buffer;
  return {buffer.data(), writer(buffer.data(), buffer.data() + buffer.size(), number).ptr};
}

struct Result {
  double number = -1.0;  // stays so where nothing is read
  std::ptrdiff_t length = 0;
  std::errc error = std::errc();
  bool operator==(const Result&) const = default;
};

Result read(Read reader, std::string_view text) {
  Result result;
  const auto [end, error] = reader(text.data(), text.data() + text.size(), &result.number);
  result.length = end - text.data();
  result.error = error;
  return result;
}

// Where the standard library has no such functions, both sides are ours; the last test still
// counts.
TEST(PortableDecimal, WritesWhatTheStandardLibraryWrites) {
  const RandomStream random(1);
  for (int i = 0; i < 40'000; ++i) {
    const auto any = std::bit_cast<double>(random.bits(i));
    const auto integer = static_cast<double>(random.bits(i) >> (i % 64));
    const int exponent = std::isnormal(any) ? std::ilogb(any) : 0;
    const double plain = std::ldexp(std::floor(std::ldexp(any, i % 30 - exponent)), -(i % 40));
    for (const double number : {any, integer, plain, integer / 1000.0}) {
      ASSERT_EQ(write(portable::write_decimal, number), write(write_decimal, number)) << number;
    }
  }
}

TEST(PortableDecimal, ReadsWhatTheStandardLibraryReads) {
  for (const std::string_view text : {"",
                                      "-",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.5x",
                                      "0x10",
                                      "-0x1",
                                      "1e",
                                      "1e+",
                                      ".",
                                      ".5",
                                      "5.",
                                      "-.5e-3",
                                      "1e400",
                                      "-1e400",
                                      "1e-400",
                                      "4.9e-324",
                                      "2.2250738585072011e-308",
                                      "inf",
                                      "-inf",
                                      "infinity",
                                      "1,5",
                                      "one",
                                      "e5",
                                      "1e5e5",
                                      "00012",
                                      "-0"}) {
    EXPECT_EQ(read(portable::read_decimal, text), read(read_decimal, text)) << text;
  }
  const RandomStream random(2);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = std::to_string(random.bits(2 * i)) + "." +
                             std::to_string(random.bits(2 * i + 1)) + "e" +
                             std::to_string(i % 640 - 340);
    ASSERT_EQ(read(portable::read_decimal, text), read(read_decimal, text)) << text;
  }
}

TEST(PortableDecimal, EveryBitPatternReadsBack) {
  const RandomStream random(3);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random.bits(i));
    if (!std::isfinite(number)) continue;
    const std::string text = write(portable::write_decimal, number);
    ASSERT_EQ(read(portable::read_decimal, text).number, number) << text;
  }
  EXPECT_EQ(write(portable::write_decimal, std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(PortableDecimal, SaysThatTheBufferIsTooSmall) {
  std::array<char, 3> buffer;
  const auto result = portable::write_decimal(buffer.data(), buffer.data() + buffer.size(), 0.25);
  EXPECT_EQ(result.ec, std::errc::value_too_large);
}

}  // namespace
}  // namespace tenpin
