#include "base/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tenpin {
namespace portable {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The part of the text that strtod may read. std::from_chars knows no '+', no spaces and no
// hexadecimal numbers: "0x10" is the number 0 followed by other text.
std::string_view find_number(const char* first, const char* last) {
  const char* at = first;
  if (at != last && *at == '-') ++at;
  const bool is_name = at != last && std::strchr("iInN", *at) != nullptr;
  const bool is_number = at != last && (*at == '.' || is_digit(*at));
  if (!is_name && !is_number) return {};
  const bool is_hexadecimal = last - at > 1 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char* end = is_hexadecimal ? at + 1 : last;
  return {first, static_cast<std::size_t>(end - first)};
}

// Makes "12.5", "1250" or "0.0125" from the digits "125" and the position of the point among them.
std::string make_fixed(const std::string& digits, int point, double value) {
  const int count = static_cast<int>(digits.size());
  if (point >= count) {
    // Above 2^53 the shortest digits need not be the exact number, but fixed text is.
    constexpr double kExactIntegers = 9007199254740992.0;
    if (value > kExactIntegers) return fmt::format("{:.0f}", value);
    return digits + std::string(static_cast<std::size_t>(point - count), '0');
  }
  if (point > 0) {
    const auto split = static_cast<std::size_t>(point);
    return digits.substr(0, split) + "." + digits.substr(split);
  }
  return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
}

std::string make_scientific(const std::string& digits, int point) {
  const int power = point - 1;
  std::string text = digits.substr(0, 1);
  if (digits.size() > 1) text += "." + digits.substr(1);
  return text + fmt::format("e{}{:02}", power < 0 ? '-' : '+', std::abs(power));
}

// The text of a positive finite number: fixed or scientific, whichever is shorter, and fixed if
// they are equally long.
std::string make_shortest(double value) {
  const std::string text = fmt::format("{}", value);  // the shortest digits, but laid out otherwise
  const std::size_t e = std::min(text.find('e'), text.size());
  std::string digits = text.substr(0, e);
  int point = static_cast<int>(std::min(digits.find('.'), digits.size()));
  if (e < text.size()) point += std::atoi(text.c_str() + e + 1);
  std::erase(digits, '.');
  const std::size_t zeros = digits.find_first_not_of('0');
  digits = digits.substr(zeros, digits.find_last_not_of('0') + 1 - zeros);
  point -= static_cast<int>(zeros);
  const std::string fixed = make_fixed(digits, point, value);
  const std::string scientific = make_scientific(digits, point);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

}  // namespace

std::from_chars_result read_decimal(const char* first, const char* last, double* value) {
  const std::string text(find_number(first, last));
  char* end = nullptr;
  const int callers_errno = errno;
  errno = 0;
  const double number = std::strtod(text.c_str(), &end);
  const bool out_of_range = errno == ERANGE;
  errno = callers_errno;
  if (end == text.c_str()) return {first, std::errc::invalid_argument};
  const char* rest = first + (end - text.c_str());
  // A subnormal number is a result, although strtod may report its loss of digits.
  if (out_of_range && (number == 0.0 || std::isinf(number))) {
    return {rest, std::errc::result_out_of_range};
  }
  *value = number;
  return {rest, std::errc()};
}

std::to_chars_result write_decimal(char* first, char* last, double value) {
  std::string text = std::signbit(value) ? "-" : "";
  if (std::isnan(value)) {
    text += "nan";
  } else if (std::isinf(value)) {
    text += "inf";
  } else {
    text += value == 0.0 ? "0" : make_shortest(std::fabs(value));
  }
  if (std::cmp_greater(text.size(), last - first)) return {last, std::errc::value_too_large};
  std::memcpy(first, text.data(), text.size());
  return {first + text.size(), std::errc()};
}

}  // namespace portable

#ifdef __cpp_lib_to_chars
std::from_chars_result read_decimal(const char* first, const char* last, double* value) {
  return std::from_chars(first, last, *value);
}
std::to_chars_result write_decimal(char* first, char* last, double value) {
  return std::to_chars(first, last, value);
}
#else
std::from_chars_result read_decimal(const char* first, const char* last, double* value) {
  return portable::read_decimal(first, last, value);
}
std::to_chars_result write_decimal(char* first, char* last, double value) {
  return portable::write_decimal(first, last, value);
}
#endif

}  // namespace tenpin
