#include "scene/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "math/trig.h"

namespace tenpin::scene {
namespace {

double value_of(const std::string& text) {
  Parameters parameters = {{"a", {.value = 2.0}}, {"g", {.value = 9.81}}, {"e1", {.value = 7.0}}};
  const ExpressionValue found = evaluate(text, &parameters);
  EXPECT_EQ(found.problem, "") << text;
  return found.value;
}

std::string problem_of(const std::string& text) {
  Parameters parameters = {{"length", {.value = 2.0}}};
  const ExpressionValue found = evaluate(text, &parameters);
  return std::to_string(found.offset) + " " + found.problem;
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value_of("8 - 4 - 2"), 2.0);
  EXPECT_EQ(value_of("8 / 4 / 2"), 1.0);
  EXPECT_EQ(value_of("2 ^ 3 ^ 2"), 512.0);
  EXPECT_EQ(value_of("-2 ^ 2"), -4.0);
  EXPECT_EQ(value_of("2 ^ -2"), 0.25);
  EXPECT_EQ(value_of("9 ^ 0.5"), 3.0);
  EXPECT_EQ(value_of("a * -a"), -4.0);
  EXPECT_EQ(value_of("--a"), 2.0);
  EXPECT_EQ(value_of("1e-3"), 1e-3);
  EXPECT_EQ(value_of("3*e1"), 21.0);
}

TEST(Expression, HasFunctionsConstantsAndUnits) {
  EXPECT_EQ(value_of("pi"), kPi);
  EXPECT_NEAR(value_of("sin(30 deg)"), 0.5, 1e-16);
  EXPECT_NEAR(value_of("cos(60 deg) * tan(45 deg)"), 0.5, 2e-16);
  EXPECT_EQ(value_of("sqrt(16) + abs(-3)"), 7.0);
  EXPECT_EQ(value_of("min(3, a, 5) + max(1, 4)"), 6.0);
  EXPECT_EQ(value_of("5 mm"), 5e-3);
  EXPECT_EQ(value_of("(2 + 3) cm"), 5e-2);
  EXPECT_EQ(value_of("250 g"), 0.25);
  EXPECT_EQ(value_of("2 ms"), 2e-3);
  // Behind an operator `g` is a parameter, behind a number the unit.
  EXPECT_EQ(value_of("2 * g"), 2.0 * 9.81);
}

TEST(Expression, MarksWhatItUses) {
  Parameters parameters = {{"a", {.value = 2.0}}, {"b", {.value = 3.0}}};
  EXPECT_EQ(evaluate("a + 1", &parameters).value, 3.0);
  EXPECT_TRUE(parameters.at("a").used);
  EXPECT_FALSE(parameters.at("b").used);
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem_of("2 * lenght"), "4 unknown parameter, got lenght, want length");
  EXPECT_EQ(problem_of("2 *"),
            "3 ends too early, got the end, want a number, a parameter, a "
            "function or (");
  EXPECT_EQ(problem_of("(1"), "2 parenthesis not closed, got the end, want )");
  EXPECT_EQ(problem_of("3 inch"),
            "2 unknown unit, got inch, want deg, mm, cm, g or ms, or an operator");
  EXPECT_EQ(problem_of("1 / 0"), "0 not a finite number, got inf, want an expression with a value");
  EXPECT_EQ(problem_of("sin(1, 2)"), "9 wrong number of arguments, got 2 of sin, want 1");
  EXPECT_EQ(problem_of("2 ^ 0.3"),
            "7 power not supported, got 0.3, want a whole number up to 10000, or 0.5");
  EXPECT_EQ(problem_of("1 1"), "2 not understood, got 1, want an operator");
  EXPECT_NE(problem_of(std::string(500, '(')).find("nested too deep"), std::string::npos);
  EXPECT_NE(problem_of(std::string(500, '-')).find("ends too early"), std::string::npos);
}

TEST(Expression, NamesOfParametersAreWords) {
  EXPECT_TRUE(is_parameter_name("angle_2"));
  EXPECT_TRUE(is_parameter_name("g"));
  EXPECT_FALSE(is_parameter_name("2a"));
  EXPECT_FALSE(is_parameter_name("a-b"));
  EXPECT_FALSE(is_parameter_name("sin"));
  EXPECT_FALSE(is_parameter_name("pi"));
  EXPECT_FALSE(is_parameter_name(""));
}

}  // namespace
}  // namespace tenpin::scene
