#include "located_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/check.h"

namespace tenpin::app {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Reads bytes and counts them, because the parser's events do not give positions.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

// Builds the nodes from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, const std::string& file, const std::size_t* num_read)
      : text_(text), file_(file), num_read_(num_read) {}

  JsonNode take_root() { return std::move(root_); }

  bool null() override { return add_scalar(JsonNode::Kind::kNull); }
  bool boolean(bool /*value*/) override { return add_scalar(JsonNode::Kind::kBoolean); }
  bool number_integer(number_integer_t value) override {
    return add_number(static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add_number(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return add_number(value);
  }
  bool string(string_t& value) override {
    add(JsonNode::Kind::kString, find_string_start()).text = value;
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }  // never in text
  bool start_object(std::size_t /*size*/) override { return open(JsonNode::Kind::kObject); }
  bool start_array(std::size_t /*size*/) override { return open(JsonNode::Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->find(name) != nullptr) {
      fail(find_string_start(), "duplicate key, got \"" + name + "\" again, want it once");
    }
    open_.back()->keys.push_back(name);
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& last_token,
                   const nlohmann::json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      fail(find_token_start(), "number too large, got " + last_token + ", want a finite double");
    }
    if (std::string_view(error.what()).find("unexpected end of input") != std::string_view::npos) {
      fail(text_.size(), "not JSON, got the end of the file, want the rest of it");
    }
    const std::size_t at = std::max<std::size_t>(*num_read_, 1) - 1;
    const auto byte = static_cast<unsigned char>(text_[at]);
    const bool is_printable = byte > 0x20 && byte < 0x7f;
    fail(at, is_printable ? fmt::format("not JSON, got '{}', want valid JSON", text_[at])
                          : fmt::format("not JSON, got byte 0x{:02x}, want valid JSON", byte));
  }

 private:
  // The position at which the current token begins. At the end of a number or a word the parser has
  // read one byte more, except at the end of the file.
  std::size_t find_token_start() const {
    const auto is_inside = [this](std::size_t i) {
      return std::string_view(",:[]{}\" \t\r\n").find(text_[i]) == std::string_view::npos;
    };
    std::size_t end = *num_read_;
    while (end > 0 && !is_inside(end - 1)) --end;
    while (end > 0 && is_inside(end - 1)) --end;
    return end;
  }
  // The position of the quote that opens the string whose closing quote was just read.
  std::size_t find_string_start() const {
    const auto is_escaped = [this](std::size_t i) {
      std::size_t num_slashes = 0;
      while (num_slashes < i && text_[i - 1 - num_slashes] == '\\') ++num_slashes;
      return num_slashes % 2 == 1;
    };
    std::size_t at = *num_read_ - 1;
    do {
      at = text_.rfind('"', at - 1);
    } while (is_escaped(at));
    return at;
  }

  std::pair<int, int> locate(std::size_t offset) {
    if (offset < located_) {  // only error messages go back
      located_ = line_start_ = 0;
      line_ = 1;
    }
    for (; located_ < offset; ++located_) {
      if (text_[located_] != '\n') continue;
      ++line_;
      line_start_ = located_ + 1;
    }
    return {line_, static_cast<int>(offset - line_start_) + 1};
  }

  JsonNode& add(JsonNode::Kind kind, std::size_t offset) {
    JsonNode* node = &root_;
    if (!open_.empty()) node = &open_.back()->items.emplace_back();
    node->kind = kind;
    std::tie(node->line, node->column) = locate(offset);
    return *node;
  }
  bool add_scalar(JsonNode::Kind kind) {
    add(kind, find_token_start());
    return true;
  }
  bool add_number(double value) {
    add(JsonNode::Kind::kNumber, find_token_start()).number = value;
    return true;
  }
  bool open(JsonNode::Kind kind) {
    const std::size_t at = *num_read_ - 1;
    if (open_.size() == kMaxDepth) {
      fail(at, fmt::format("nested too deep, got more, want at most {} levels", kMaxDepth));
    }
    open_.push_back(&add(kind, at));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& complaint) {
    std::string path;
    for (const JsonNode* node : open_) {
      if (node->kind == JsonNode::Kind::kArray) {
        path += fmt::format("[{}]", node->items.size() - (node == open_.back() ? 0 : 1));
      } else if (!node->keys.empty()) {
        path += (path.empty() ? "" : ".") + node->keys.back();
      }
    }
    JsonNode at;
    std::tie(at.line, at.column) = locate(offset);
    fail_at(file_, at, path, complaint);
  }

  std::string_view text_;
  const std::string& file_;
  const std::size_t* num_read_;
  JsonNode root_;
  // Containers that are not closed yet. Each is the last child of the previous one, which cannot
  // grow while it is open, so the pointers remain valid.
  std::vector<JsonNode*> open_;
  std::size_t located_ = 0;  // position up to which lines have been counted
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? nullptr : &items[static_cast<std::size_t>(at - keys.begin())];
}

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::kNull:
      return "null";
    case JsonNode::Kind::kBoolean:
      return "a boolean";
    case JsonNode::Kind::kNumber:
      return "a number";
    case JsonNode::Kind::kString:
      return "a string";
    case JsonNode::Kind::kArray:
      return fmt::format("an array of {}", node.items.size());
    case JsonNode::Kind::kObject:
      return "an object";
  }
  return "something else";
}

JsonNode parse_json(std::string_view text, const std::string& file) {
  std::size_t num_read = 0;
  Builder builder(text, file, &num_read);
  CountingIterator begin(text.data(), &num_read);
  CountingIterator end(text.data() + text.size(), &num_read);
  nlohmann::json::sax_parse(begin, end, &builder);
  return builder.take_root();
}

void fail_at(const std::string& file, const JsonNode& node, const std::string& path,
             const std::string& complaint) {
  throw InputError(fmt::format("{}:{}:{}: {}: {}", file, node.line, node.column,
                               path.empty() ? "document" : path, complaint));
}

}  // namespace tenpin::app
