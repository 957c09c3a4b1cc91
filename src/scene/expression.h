// Arithmetic in scene files: `${length * cos(angle)}`.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tenpin::scene {

struct Parameter {
  double value = 0.0;
  bool used = false;  // true if an expression uses it
};
using Parameters = std::map<std::string, Parameter, std::less<>>;

// True if a parameter may have this name: it consists of letters, digits and '_', does not start
// with a digit, and is neither a function nor pi. It may be the name of a unit, because units only
// occur after a number or a parenthesis.
[[nodiscard]] bool is_parameter_name(std::string_view name);

struct ExpressionValue {
  double value = 0.0;
  std::string problem = {};  // "problem, got X, want Y"; empty if the value is valid
  int offset = 0;            // of the problem, in bytes from the start of the text
};

// Evaluates an expression of numbers as in JSON; + - * / ^ (the power binds strongest, from the
// right), parentheses; sin cos tan sqrt abs min max, pi; and the units deg, mm, cm, g, ms after a
// number or a closing parenthesis, which convert it to rad, m, kg, s. The bits do not depend on the
// C library. Marks the parameters that it uses.
[[nodiscard]] ExpressionValue evaluate(std::string_view text, Parameters* parameters);

}  // namespace tenpin::scene
