// Arithmetic in scene files: `${length * cos(angle)}`.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tenpin::scene {

struct Parameter {
  double value = 0.0;
  bool used = false;  // by an expression
};
using Parameters = std::map<std::string, Parameter, std::less<>>;

// True if a parameter may have this name: letters, digits and '_', not a digit first, and neither a
// function nor pi. A unit may be: it stands only behind a number or a parenthesis.
[[nodiscard]] bool is_parameter_name(std::string_view name);

struct ExpressionValue {
  double value = 0.0;
  std::string problem = {};  // "problem, got X, want Y"; empty: the value is good
  int offset = 0;            // of the problem, in bytes from the start of the text
};

// Numbers as in JSON; + - * / ^ (the power binds strongest, from the right), parentheses; sin cos
// tan sqrt abs min max, pi; and the units deg, mm, cm, g, ms after a number or a closing
// parenthesis, which turn it into rad, m, kg, s. The bits do not depend on the C library. Marks the
// parameters that it names.
[[nodiscard]] ExpressionValue evaluate(std::string_view text, Parameters* parameters);

}  // namespace tenpin::scene
