#include "shapes/text_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "base/check.h"
#include "base/text.h"
#include "shapes/convex_hull.h"

namespace tenpin::shapes {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// The word for a message: shortened, and without control characters that could disturb a terminal.
std::string quote(std::string_view text) {
  std::string quoted;
  for (const char c : text.substr(0, 40)) {
    quoted += c >= ' ' && c <= '~' ? c : '?';
  }
  return text.empty() ? "the end" : "'" + quoted + (text.size() > 40 ? "...'" : "'");
}

}  // namespace

Word TextReader::next_in_line() {
  while (at_ < text_.size() && is_blank(text_[at_])) {
    ++at_;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n') {
    ++at_;
  }
  return {text_.substr(begin, at_ - begin), line_, static_cast<int>(begin - line_begin_) + 1};
}

Word TextReader::next() {
  Word word = next_in_line();
  while (word.text.empty() && next_line()) {
    word = next_in_line();
  }
  return word;
}

bool TextReader::next_line() {
  const std::size_t end = text_.find('\n', at_);
  if (end == std::string_view::npos) {
    at_ = text_.size();
    return false;
  }
  at_ = line_begin_ = end + 1;
  ++line_;
  return true;
}

void fail_at(const Word& word, const std::string& problem) {
  throw InputError(
      fmt::format("{}:{}: {}, got {}", word.line, word.column, problem, quote(word.text)));
}

double read_coordinate(const Word& word) {
  const auto number = parse_double(word.text);
  if (!number || !std::isfinite(*number) || std::fabs(*number) > kMaxCoordinate) {
    fail_at(word, fmt::format("want a coordinate, a number within +-{} m", kMaxCoordinate));
  }
  return *number + 0.0;  // -0 becomes 0, so that equal vertices have equal bits
}

}  // namespace tenpin::shapes
