// Compares a tree with the format: types, ranges, lengths, unknown and missing keys. What passes
// can be read without further questions; what remains are the questions between values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "scene/format.h"
#include "scene/node.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// The way from the root to a node, written out only when something is wrong there.
struct Trail {
  const Trail* up = nullptr;
  std::string_view key = {};
  int index = -1;  // in a list; then `key` is empty

  std::string to_string() const;
};

// True if nothing was added to the problems.
bool check(const Node& node, const Type& type, const Trail& trail, ProblemList* problems);
bool check(const Node& node, const Field& field, const Trail& trail, ProblemList* problems);

// The same for the keys of a map alone: none unknown, none missing; the values are not looked at.
bool check_keys(const Node& node, const Object& object, const Trail& trail, ProblemList* problems);

// One value that has failed some test: "a map", "-1", "\"text\"".
[[nodiscard]] std::string describe(const Node& node);

// Among at most so many names the one that a user may have meant is looked for.
inline constexpr std::size_t kMostCandidates = 1000;

// "did you mean" for a word that is none of the candidates: "want friction", or the first of them.
[[nodiscard]] std::string want_one_of(std::string_view word,
                                      std::span<const std::string_view> candidates);

}  // namespace tenpin::scene
