// Compares a tree with the format: types, ranges, lengths, unknown and missing keys. Values that
// pass can be read without further checks of their own; only relations between values remain to be
// checked.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "scene/format.h"
#include "scene/node.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// The path from the root to a node. It becomes text only if there is a problem.
struct Trail {
  const Trail* up = nullptr;
  std::string_view key = {};
  int index = -1;  // position in a list; `key` is then empty

  std::string to_string() const;
};

// Checks a node and adds its problems. Returns true if there were none.
bool check(const Node& node, const Type& type, const Trail& trail, ProblemList* problems);
bool check(const Node& node, const Field& field, const Trail& trail, ProblemList* problems);

// The same for the keys of a map alone: none may be unknown or missing. Values are not checked.
bool check_keys(const Node& node, const Object& object, const Trail& trail, ProblemList* problems);

// Describes a value that failed a check, for example "a map", "-1", "\"text\"".
[[nodiscard]] std::string describe(const Node& node);

// Suggestions are sought among at most this many names.
inline constexpr std::size_t kMostCandidates = 1000;

// Suggests a replacement for a word that is not among the candidates: "want friction", or the first
// candidates.
[[nodiscard]] std::string want_one_of(std::string_view word,
                                      std::span<const std::string_view> candidates);

}  // namespace tenpin::scene
