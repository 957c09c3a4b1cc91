#include "scene/number.h"

#include <charconv>
#include <cstddef>

#include "base/decimal.h"

namespace tenpin::scene {

namespace {

// Removes leading digits from the text and returns their number.
std::size_t skip_digits(std::string_view* text) {
  const std::size_t end = text->find_first_not_of("0123456789");
  const std::size_t count = end == std::string_view::npos ? text->size() : end;
  text->remove_prefix(count);
  return count;
}

bool skip(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos) {
    return false;
  }
  text->remove_prefix(1);
  return true;
}

std::from_chars_result read_number(const char* first, const char* last, double* value) {
  return read_decimal(first, last, value);
}
template <typename Integer>
std::from_chars_result read_number(const char* first, const char* last, Integer* value) {
  return std::from_chars(first, last, *value);
}

template <typename T>
std::optional<T> convert(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = read_number(text.data(), end, &value);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

bool is_json_integer(std::string_view text) {
  return is_json_number(text) && text.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?   RFC 8259, section 6
bool is_json_number(std::string_view text) {
  skip(&text, "-");
  const bool zero = text.starts_with('0');
  const std::size_t digits = skip_digits(&text);
  if (digits == 0 || (zero && digits > 1)) {
    return false;
  }
  if (skip(&text, ".") && skip_digits(&text) == 0) {
    return false;
  }
  if (skip(&text, "eE")) {
    skip(&text, "+-");
    if (skip_digits(&text) == 0) {
      return false;
    }
  }
  return text.empty();
}

std::optional<double> parse_json_number(std::string_view text) {
  return is_json_number(text) ? convert<double>(text) : std::nullopt;
}

std::optional<std::int64_t> parse_json_integer(std::string_view text) {
  return is_json_integer(text) ? convert<std::int64_t>(text) : std::nullopt;
}

std::optional<std::uint64_t> parse_json_unsigned(std::string_view text) {
  return is_json_integer(text) ? convert<std::uint64_t>(text) : std::nullopt;
}

}  // namespace tenpin::scene
