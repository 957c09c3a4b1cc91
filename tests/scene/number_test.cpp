#include "scene/number.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>
#include <string>

#include "scene/scene_text.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

TEST(Number, AcceptsWhatJsonAccepts) {
  EXPECT_EQ(parse_json_number("0"), 0.0);
  EXPECT_EQ(parse_json_number("-0.5"), -0.5);
  EXPECT_EQ(parse_json_number("1e3"), 1000.0);
  EXPECT_EQ(parse_json_number("12.25E-2"), 0.1225);
  EXPECT_EQ(parse_json_number("1e+2"), 100.0);
  EXPECT_EQ(parse_json_number("5e-324"), 5e-324);
  EXPECT_TRUE(std::signbit(parse_json_number("-0").value()));
}

TEST(Number, RefusesWhatJsonRefuses) {
  for (const char* text : {"",   "-",   "+1",  ".5",    "1.",  "01",    "-01",  "0x10",  "1_000",
                           "1e", "1e+", "nan", ".nan",  "NaN", "inf",   ".inf", "-.inf", "Infinity",
                           "1 ", " 1",  "1,5", "1.5.2", "--1", "1e5.0", "0b1",  "0o7",   "1f"}) {
    EXPECT_FALSE(is_json_number(text)) << text;
    EXPECT_FALSE(parse_json_number(text)) << text;
  }
}

TEST(Number, RefusesWhatADoubleCannotHold) {
  for (const char* text : {"1e999", "-1e999", "1e-400", "1e99999999999999999999"}) {
    EXPECT_TRUE(is_json_number(text)) << text;
    EXPECT_FALSE(parse_json_number(text)) << text;
  }
}

TEST(Number, IntegersHaveNoFractionAndFit) {
  EXPECT_EQ(parse_json_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_json_integer("-5"), -5);
  EXPECT_FALSE(parse_json_integer("9223372036854775808"));
  EXPECT_FALSE(parse_json_integer("1.0"));
  EXPECT_FALSE(parse_json_integer("1e3"));
  EXPECT_EQ(parse_json_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(parse_json_unsigned("18446744073709551616"));
  EXPECT_FALSE(parse_json_unsigned("-1"));
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

// The locale of the streams always, that of the C library where one with a comma is installed.
TEST(Number, NothingDependsOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const std::locale old =
      std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"}) {
    std::setlocale(LC_ALL, name);
  }
  const auto number = parse_json_number("0.5");
  const auto comma = parse_json_number("0,5");
  const Scene scene = parse(scene_text("gravity: [0.5, -1234.25, 1e-3]\n"));
  const std::string written = write_scene(scene);
  std::setlocale(LC_ALL, before.c_str());
  std::locale::global(old);
  EXPECT_EQ(number, 0.5);
  EXPECT_FALSE(comma);
  EXPECT_EQ(scene.gravity, Vec3(0.5, -1234.25, 0.001));
  EXPECT_NE(written.find("gravity: [0.5, -1234.25, 0.001]"), std::string::npos);
}

}  // namespace
}  // namespace tenpin::scene
