// Reads the fields of a JSON object with checks, and collects the problems.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "located_json.h"
#include "math/types.h"

namespace tenpin::app {

struct NumberRange {
  double low = 0.0;
  double high = 0.0;
};

// One object of a file. After a problem, each reader returns a harmless value.
class JsonFields {
 public:
  // All arguments must outlive it.
  JsonFields(const std::string& file, const JsonNode& node, std::string path,
             std::vector<std::string>* problems)
      : file_(file), node_(node), path_(std::move(path)), problems_(problems) {}

  bool has(std::string_view key) const { return node_.find(key) != nullptr; }
  const JsonNode& node() const { return node_; }
  std::size_t num_problems() const { return problems_->size(); }

  double number(std::string_view key, NumberRange range) const;
  double number(std::string_view key, NumberRange range, double otherwise) const;
  // `size` < 0 allows any size.
  VecX vector(std::string_view key, NumberRange range, int size) const;
  // A 3 x 3 matrix that is symmetric up to rounding; removes the rounding.
  Mat3 symmetric_matrix(std::string_view key, NumberRange range) const;
  // Returns null after a problem, or if the field is not an array.
  const JsonNode* array(std::string_view key) const;

  double to_number(const JsonNode& value, const std::string& path, NumberRange range) const;
  // Adds a problem. `complaint` ends with ", got X, want Y".
  void complain(const JsonNode& at, const std::string& path, const std::string& complaint) const;
  void complain(std::string_view key, const std::string& complaint) const;
  std::string path_of(std::string_view key) const;
  const std::string& file() const { return file_; }

  // Reports keys that are not `known` but similar to a known one: they are probably misspelt, and
  // would have no effect.
  void check_spelling(const std::vector<std::string_view>& known) const;

 private:
  const JsonNode* get(std::string_view key, std::string_view want) const;
  VecX to_vector(const JsonNode& node, const std::string& path, NumberRange range, int size) const;

  const std::string& file_;
  const JsonNode& node_;
  std::string path_;
  std::vector<std::string>* problems_;
};

// Returns the text of a regular file. Throws InputError for other files, LimitError above 64 MiB.
[[nodiscard]] std::string read_regular_file(const std::string& file);

}  // namespace tenpin::app
