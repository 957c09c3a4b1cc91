#include "option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "base/text.h"

namespace tenpin::app {

namespace {

// An empty message means that the value is valid. The description is empty, because the parser
// would append it to the name of the type in the help.
CLI::Validator make_validator(const std::function<bool(const std::string&)>& is_taken,
                              const std::string& wanted) {
  return CLI::Validator(
      [is_taken, wanted](std::string& text) {
        return is_taken(text) ? std::string() : fmt::format("got {}, want {}", text, wanted);
      },
      "");
}

CLI::Validator make_number(const std::function<bool(double)>& is_taken, const std::string& wanted) {
  return make_validator(
      [is_taken](const std::string& text) {
        const std::optional<double> number = parse_double(text);
        return number && std::isfinite(*number) && is_taken(*number);
      },
      wanted);
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const bool is_open = most == std::numeric_limits<std::int64_t>::max();
  return make_validator(
      [least, most](const std::string& text) {
        const std::optional<std::int64_t> number = parse_integer(text);
        return number && *number >= least && *number <= most;
      },
      is_open ? fmt::format("a whole number from {}", least)
              : fmt::format("a whole number from {} to {}", least, most));
}

CLI::Validator whole_number(std::int64_t least) {
  return whole_number(least, std::numeric_limits<std::int64_t>::max());
}

CLI::Validator number_between(double least, double most) {
  return make_number(
      [least, most](double number) {
        return number >= least && number <= most;
      },
      fmt::format("a number from {} to {}", to_text(least), to_text(most)));
}

CLI::Validator number_above_zero() {
  return make_number(
      [](double number) {
        return number > 0.0;
      },
      "a number > 0");
}

CLI::Validator number_from_zero() {
  return make_number(
      [](double number) {
        return number >= 0.0;
      },
      "a number >= 0");
}

CLI::Option* take_words(CLI::Option* option, const std::vector<std::string>& words) {
  option->type_name(fmt::format("{}", fmt::join(words, "|")));
  return option->check(CLI::Validator(
      [words](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const auto meant = nearest(text, std::span<const std::string>(words));
        return fmt::format("got {}, want one of {}{}", text, fmt::join(words, ", "),
                           meant ? "; did you mean '" + *meant + "'?" : "");
      },
      ""));
}

}  // namespace tenpin::app
