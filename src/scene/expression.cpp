#include "scene/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "math/trig.h"
#include "scene/characters.h"
#include "scene/check.h"
#include "scene/number.h"

namespace tenpin::scene {

namespace {

constexpr int kMostParentheses = 64;     // nesting; bounds the stack
constexpr double kMostWholePower = 1e4;  // of x ^ n, which takes up to 2 log2 n multiplications

struct Unit {
  std::string_view name;
  double factor;  // in SI units
};
constexpr std::array<Unit, 5> kUnits = {{{.name = "deg", .factor = kPi / 180.0},
                                         {.name = "mm", .factor = 1e-3},
                                         {.name = "cm", .factor = 1e-2},
                                         {.name = "g", .factor = 1e-3},
                                         {.name = "ms", .factor = 1e-3}}};

struct Function {
  std::string_view name;
  std::size_t least, most;  // arguments
};
constexpr std::size_t kMostArguments = 64;
constexpr std::array<Function, 7> kFunctions = {
    {{.name = "sin", .least = 1, .most = 1},
     {.name = "cos", .least = 1, .most = 1},
     {.name = "tan", .least = 1, .most = 1},
     {.name = "sqrt", .least = 1, .most = 1},
     {.name = "abs", .least = 1, .most = 1},
     {.name = "min", .least = 1, .most = kMostArguments},
     {.name = "max", .least = 1, .most = kMostArguments}}};
constexpr std::string_view kPiName = "pi";

template <typename Table>
auto find_named(const Table& table, std::string_view name) -> decltype(&table[0]) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) {
    return row.name == name;
  });
  return found == table.end() ? nullptr : &*found;
}

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Uses only products, whose bits are the same on every machine.
double whole_power(double base, int exponent) {
  double result = 1.0;
  for (int n = std::abs(exponent); n > 0; n /= 2) {
    if (n % 2 == 1) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1.0 / result : result;
}

double call(const Function& function, const std::vector<double>& arguments) {
  const double x = arguments.front();
  if (function.name == "sqrt") return std::sqrt(x);
  if (function.name == "abs") return std::fabs(x);
  if (function.name == "min") return *std::min_element(arguments.begin(), arguments.end());
  if (function.name == "max") return *std::max_element(arguments.begin(), arguments.end());
  const SinCos turned = sin_cos(x);
  if (function.name == "sin") return turned.sin;
  if (function.name == "cos") return turned.cos;
  return turned.sin / turned.cos;
}

// A recursive descent parser: sum -> product -> sign -> power -> value with its unit.
class Evaluator {
 public:
  Evaluator(std::string_view text, Parameters* parameters)
      : text_(text), parameters_(*parameters) {}

  ExpressionValue run() {
    try {
      const double value = sum();
      if (peek() != '\0') refuse("not understood", rest(), "an operator");
      if (!std::isfinite(value)) {
        at_ = 0;
        refuse("not a finite number", to_text(value), "an expression with a value");
      }
      return {.value = value};
    } catch (ExpressionValue& failed) {
      return std::move(failed);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, std::string_view got,
                           const std::string& want) const {
    throw ExpressionValue{.problem = problem + ", got " + excerpt(got) + ", want " + want,
                          .offset = static_cast<int>(at_)};
  }

  // The next character that is not a blank, or '\0' at the end.
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string_view rest() const {
    return at_ < text_.size() ? text_.substr(at_) : std::string_view("the end");
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    for (;;) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = signed_power();
    for (;;) {
      if (take('*')) {
        value *= signed_power();
      } else if (take('/')) {
        value /= signed_power();
      } else {
        return value;
      }
    }
  }

  double signed_power() {
    bool negative = false;
    while (take('-')) negative = !negative;
    const double value = power();
    return negative ? -value : value;
  }

  double power() {
    const double base = value_with_unit();
    if (!take('^')) return base;
    if (++depth_ > kMostParentheses) refuse("nested too deep", rest(), "fewer powers");
    const double exponent = signed_power();
    --depth_;
    if (exponent == 0.5) return std::sqrt(base);
    if (exponent != std::floor(exponent) || std::fabs(exponent) > kMostWholePower) {
      refuse("power not supported", to_text(exponent), "a whole number up to 10000, or 0.5");
    }
    return whole_power(base, static_cast<int>(exponent));
  }

  double value_with_unit() {
    const bool may_have_unit = is_digit(peek()) || peek() == '(';
    double value = plain_value();
    if (!may_have_unit || !starts_name(peek())) return value;
    const std::size_t start = at_;
    const std::string_view name = word();
    const Unit* unit = find_named(kUnits, name);
    if (unit == nullptr) {
      at_ = start;
      refuse("unknown unit", name, "deg, mm, cm, g or ms, or an operator");
    }
    return value * unit->factor;
  }

  double plain_value() {
    const char next = peek();
    if (is_digit(next)) return number();
    if (next == '(') return parenthesis();
    if (starts_name(next)) return named_value();
    refuse(next == '\0' ? "ends too early" : "not understood", rest(),
           "a number, a parameter, a function or (");
  }

  double parenthesis() {
    if (++depth_ > kMostParentheses) refuse("nested too deep", rest(), "fewer parentheses");
    take('(');
    const double value = sum();
    if (!take(')')) refuse("parenthesis not closed", rest(), ")");
    --depth_;
    return value;
  }

  double number() {
    const std::size_t start = at_;
    const auto skip_digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    skip_digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      skip_digits();
    }
    skip_exponent();
    const std::string_view digits = text_.substr(start, at_ - start);
    const auto value = parse_json_number(digits);
    if (!value) {
      at_ = start;
      refuse("not a number", digits, "a number such as 0.5 or 1e-3");
    }
    return *value;
  }

  // 'e' begins an exponent only if digits follow; otherwise it is the first letter of a word.
  void skip_exponent() {
    std::size_t end = at_;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) ++end;
    if (end == at_) return;
    if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
    if (end >= text_.size() || !is_digit(text_[end])) return;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    at_ = end;
  }

  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(start, at_ - start);
  }

  double named_value() {
    const std::size_t start = at_;
    const std::string_view name = word();
    if (const Function* function = find_named(kFunctions, name)) {
      return function_value(*function);
    }
    if (name == kPiName) return kPi;
    const auto found = parameters_.find(name);
    if (found != parameters_.end()) {
      found->second.used = true;
      return found->second.value;
    }
    at_ = start;
    refuse("unknown parameter", name, want_parameter(name));
  }

  double function_value(const Function& function) {
    if (!take('(')) refuse("a function without arguments", rest(), "(");
    if (++depth_ > kMostParentheses) refuse("nested too deep", rest(), "fewer parentheses");
    std::vector<double> arguments;
    do {
      arguments.push_back(sum());
    } while (arguments.size() < kMostArguments && take(','));
    if (!take(')')) refuse("parenthesis not closed", rest(), ") or ,");
    --depth_;
    if (arguments.size() < function.least || arguments.size() > function.most) {
      refuse("wrong number of arguments",
             std::to_string(arguments.size()) + " of " + std::string(function.name),
             std::to_string(function.least));
    }
    return call(function, arguments);
  }

  std::string want_parameter(std::string_view name) const {
    if (parameters_.empty()) return "a name of `parameters` above, which has none yet";
    std::vector<std::string_view> names;
    for (const auto& [known, parameter] : parameters_) names.push_back(known);
    const std::string want = want_one_of(name, names);  // "want x"
    return want.substr(want.find(' ') + 1);
  }

  std::string_view text_;
  Parameters& parameters_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_parameter_name(std::string_view name) {
  const bool spelled = !name.empty() && starts_name(name.front()) &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                         return starts_name(c) || is_digit(c);
                       });
  return spelled && find_named(kFunctions, name) == nullptr && name != kPiName;
}

ExpressionValue evaluate(std::string_view text, Parameters* parameters) {
  return Evaluator(text, parameters).run();
}

}  // namespace tenpin::scene
