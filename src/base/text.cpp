#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <vector>

#include "base/decimal.h"

namespace tenpin {
namespace {

std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus ? text.substr(1) : text;
}

// True if an out-of-range number is too small rather than too large, which from_chars does not
// tell. A decimal is below 1 if its negative exponent exceeds the number of digits before its
// point.
bool is_tiny(std::string_view text) {
  if (!text.empty() && text[0] == '-') {
    text.remove_prefix(1);
  }
  const std::size_t exponent = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent);
  if (exponent != std::string_view::npos) {
    return text[exponent + 1] == '-';
  }
  return digits.starts_with("0.") || digits.starts_with(".");
}

template <typename String>
std::optional<std::string> find_nearest(std::string_view word, std::span<const String> candidates) {
  int best = std::max<int>(1, static_cast<int>(word.size()) / 3) + 1;
  std::optional<std::string> found;
  for (const String& candidate : candidates) {
    const int distance = calc_edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      found = std::string(candidate);
    }
  }
  return found;
}

}  // namespace

std::string to_text(double number) {
  if (number != number) {
    return "nan";  // whatever its sign
  }
  std::array<char, 32> buffer;
  const auto end = write_decimal(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

std::optional<double> parse_double(std::string_view text) {
  text = without_plus(text);
  double number = 0.0;
  const auto [end, error] = read_decimal(text.data(), text.data() + text.size(), &number);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {
    return is_tiny(text) ? std::optional(text[0] == '-' ? -0.0 : 0.0) : std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good ? std::optional(number) : std::nullopt;
}

int calc_edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: `before` and `previous` belong to the two preceding letters of
  // `a`.
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), previous(n + 1), current(n + 1);
  for (std::size_t j = 0; j <= n; ++j) {
    previous[j] = static_cast<int>(j);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    current[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < n; ++j) {
      const int replaced = previous[j] + (a[i] == b[j] ? 0 : 1);
      current[j + 1] = std::min({previous[j + 1] + 1, current[j] + 1, replaced});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        current[j + 1] = std::min(current[j + 1], before[j - 1] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[n];
}

std::optional<std::string> nearest(std::string_view word,
                                   std::span<const std::string_view> candidates) {
  return find_nearest(word, candidates);
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  return find_nearest(word, candidates);
}

}  // namespace tenpin
