// A YAML document as a tree of plain values, with their places in the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin::scene {

struct Place {
  int line = 1;           // from 1
  int column = 1;         // from 1, in bytes
  bool override = false;  // comes from a --set of the command line
};

struct Key {
  std::string text;
  Place place = {};
};

struct Node {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  bool quoted = false;  // scalar in quotes or in a block: text, even if it looks like a number
  Place place = {};
  std::string text = {};         // scalar
  std::vector<Node> items = {};  // entries of a list, values of a map
  std::vector<Key> keys = {};    // map: keys[i] belongs to items[i]

  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_scalar() const { return kind == Kind::kScalar; }

  // Returns the value of `key`, or null.
  const Node* find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i].text == key) {
        return &items[i];
      }
    }
    return nullptr;
  }
  Node* find(std::string_view key) {
    return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
  }
};

}  // namespace tenpin::scene
