// Reads values of nodes that have passed the check, so that each value by itself is valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "math/types.h"
#include "scene/node.h"
#include "scene/number.h"

namespace tenpin::scene {

inline double to_number(const Node& node) {
  return parse_json_number(node.text).value();
}

inline std::int64_t to_integer(const Node& node) {
  return parse_json_integer(node.text).value();
}

inline bool to_flag(const Node& node) {
  return node.text == "true";
}

inline Vec3 to_vector(const Node& node) {
  return {to_number(node.items[0]), to_number(node.items[1]), to_number(node.items[2])};
}

inline Mat3 to_rows(const Node& node) {
  Mat3 result;
  for (int row = 0; row < 3; ++row) {
    result.row(row) = to_vector(node.items[static_cast<std::size_t>(row)]).transpose();
  }
  return result;
}

// For members of maps: changes `value` only if the key is present.
inline void take(const Node& map, std::string_view key, double* value) {
  if (const Node* node = map.find(key)) {
    *value = to_number(*node);
  }
}
inline void take(const Node& map, std::string_view key, int* value) {
  if (const Node* node = map.find(key)) {
    *value = static_cast<int>(to_integer(*node));
  }
}
inline void take(const Node& map, std::string_view key, std::uint32_t* value) {
  if (const Node* node = map.find(key)) {
    *value = static_cast<std::uint32_t>(to_integer(*node));
  }
}
inline void take(const Node& map, std::string_view key, bool* value) {
  if (const Node* node = map.find(key)) {
    *value = to_flag(*node);
  }
}
inline void take(const Node& map, std::string_view key, Vec3* value) {
  if (const Node* node = map.find(key)) {
    *value = to_vector(*node);
  }
}

// For options that may remain without a value.
template <typename Value>
void take(const Node& map, std::string_view key, std::optional<Value>* value) {
  if (map.find(key) != nullptr) take(map, key, &value->emplace());
}

// A word of a choice and the value that it stands for.
template <typename Enum>
struct Word {
  std::string_view text;
  Enum value;
};

template <typename Enum, std::size_t n>
void take(const Node& map, std::string_view key, const Word<Enum> (&words)[n], Enum* value) {
  if (const Node* node = map.find(key)) {
    for (const Word<Enum>& word : words) {
      if (word.text == node->text) {
        *value = word.value;
      }
    }
  }
}

template <typename Enum, std::size_t n>
void take(const Node& map, std::string_view key, const Word<Enum> (&words)[n],
          std::optional<Enum>* value) {
  if (map.find(key) != nullptr) take(map, key, words, &value->emplace());
}

}  // namespace tenpin::scene
