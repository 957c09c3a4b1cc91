#include "json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/check.h"
#include "base/text.h"

namespace tenpin::app {

void JsonFields::complain(const JsonNode& at, const std::string& path,
                          const std::string& complaint) const {
  try {
    fail_at(file_, at, path, complaint);
  } catch (const InputError& error) {
    problems_->emplace_back(error.what());
  }
}

void JsonFields::complain(std::string_view key, const std::string& complaint) const {
  const JsonNode* value = node_.find(key);
  complain(value != nullptr ? *value : node_, path_of(key), complaint);
}

std::string JsonFields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const JsonNode* JsonFields::get(std::string_view key, std::string_view want) const {
  const JsonNode* value = node_.find(key);
  if (value == nullptr) complain(key, fmt::format("missing, got no such field, want {}", want));
  return value;
}

double JsonFields::to_number(const JsonNode& value, const std::string& path,
                             NumberRange range) const {
  if (value.kind != JsonNode::Kind::kNumber) {
    complain(value, path, fmt::format("wrong type, got {}, want a number", describe(value)));
  } else if (!(value.number >= range.low && value.number <= range.high)) {
    complain(value, path,
             fmt::format("out of range, got {}, want {} to {}", to_text(value.number),
                         to_text(range.low), to_text(range.high)));
  } else {
    return value.number;
  }
  return range.low;
}

double JsonFields::number(std::string_view key, NumberRange range) const {
  const JsonNode* value = get(key, "a number");
  return value == nullptr ? range.low : to_number(*value, path_of(key), range);
}

double JsonFields::number(std::string_view key, NumberRange range, double otherwise) const {
  return has(key) ? number(key, range) : otherwise;
}

const JsonNode* JsonFields::array(std::string_view key) const {
  const JsonNode* value = get(key, "an array");
  if (value == nullptr) return nullptr;
  if (value->kind == JsonNode::Kind::kArray) return value;
  complain(key, fmt::format("wrong type, got {}, want an array", describe(*value)));
  return nullptr;
}

VecX JsonFields::to_vector(const JsonNode& node, const std::string& path, NumberRange range,
                           int size) const {
  VecX vector = VecX::Zero(std::max(size, 0));
  if (node.kind != JsonNode::Kind::kArray) {
    complain(node, path, fmt::format("wrong type, got {}, want an array", describe(node)));
    return vector;
  }
  if (size >= 0 && node.items.size() != static_cast<std::size_t>(size)) {
    complain(node, path,
             fmt::format("wrong size, got {} entries, want {}", node.items.size(), size));
    return vector;
  }
  vector.resize(static_cast<Eigen::Index>(node.items.size()));
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    vector[static_cast<Eigen::Index>(i)] =
        to_number(node.items[i], fmt::format("{}[{}]", path, i), range);
  }
  return vector;
}

VecX JsonFields::vector(std::string_view key, NumberRange range, int size) const {
  const JsonNode* value = get(key, "an array");
  if (value == nullptr) return VecX::Zero(std::max(size, 0));
  return to_vector(*value, path_of(key), range, size);
}

Mat3 JsonFields::symmetric_matrix(std::string_view key, NumberRange range) const {
  constexpr double kSymmetric = 1e-9;  // of the largest entry
  Mat3 matrix = Mat3::Identity();
  const std::size_t num_before = num_problems();
  const JsonNode* rows = array(key);
  if (rows == nullptr) return matrix;
  if (rows->items.size() != 3) {
    complain(key, fmt::format("wrong size, got {} rows, want 3", rows->items.size()));
    return matrix;
  }
  for (int i = 0; i < 3; ++i) {
    const JsonNode& row = rows->items[static_cast<std::size_t>(i)];
    matrix.row(i) = to_vector(row, fmt::format("{}[{}]", path_of(key), i), range, 3).transpose();
  }
  if (num_problems() > num_before) return Mat3::Identity();
  const Mat3 skew = matrix - matrix.transpose();
  if (skew.cwiseAbs().maxCoeff() > kSymmetric * matrix.cwiseAbs().maxCoeff()) {
    complain(key, fmt::format("not symmetric, got a difference of {}, want the same both ways",
                              to_text(skew.cwiseAbs().maxCoeff())));
    return Mat3::Identity();
  }
  return 0.5 * (matrix + matrix.transpose());
}

void JsonFields::check_spelling(const std::vector<std::string_view>& known) const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const std::string& key = node_.keys[i];
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto meant = nearest(key, known);
    if (!meant || has(*meant)) continue;
    complain(node_.items[i], path_of(key),
             fmt::format("unknown key, got {}, want {}", key, *meant));
  }
}

std::string read_regular_file(const std::string& file) {
  constexpr std::uintmax_t kLargest = 64 << 20;
  const auto fail = [&file](const char* got) {
    throw InputError(
        fmt::format("{}:1:1: document: cannot be read, got {}, want a JSON file", file, got));
  };
  std::error_code error;
  if (!std::filesystem::exists(file, error)) fail("no such file");
  if (!std::filesystem::is_regular_file(file, error)) fail("something that is no regular file");
  if (std::filesystem::file_size(file, error) > kLargest) {
    throw LimitError(
        fmt::format("{}: larger than 64 MiB, the limit of files of cases; split it", file));
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream.is_open() || text.bad()) fail("no data");
  if (text.str().empty()) fail("an empty file");
  return text.str();
}

}  // namespace tenpin::app
