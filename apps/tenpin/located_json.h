// JSON with the place of every value, so that an error message can name line and column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenpin::app {

struct JsonNode {
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  double number = 0.0;  // finite
  std::string text;
  std::vector<JsonNode> items;    // of an array, or the values of an object
  std::vector<std::string> keys;  // of an object: unique, in the file's order
  int line = 1;                   // of the first character, from 1
  int column = 1;                 // in bytes, from 1

  const JsonNode* find(std::string_view key) const;  // null if there is none
};

// For example "an object", "an array of 3", "a number".
[[nodiscard]] std::string describe(const JsonNode& node);

// Parses JSON. Throws InputError `file:line:col: path: problem, got X, want Y` for text that is not
// JSON, a duplicate key, a number that a double cannot represent, or nesting that is too deep.
[[nodiscard]] JsonNode parse_json(std::string_view text, const std::string& file);

// Throws the same for a node with invalid contents.
[[noreturn]] void fail_at(const std::string& file, const JsonNode& node, const std::string& path,
                          const std::string& complaint);

}  // namespace tenpin::app
