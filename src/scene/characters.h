// The characters that a scene file may contain, and a safe one-line form of untrusted text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenpin::scene {

struct BadCharacter {
  std::size_t offset = 0;  // bytes from the start of the text
  std::string what;        // "control character U+0007"
};

// Finds the first byte that is not UTF-8, or the first character that would be invisible in the
// file: controls other than tab and line feed, line separators, marks that reverse the direction of
// the text.
[[nodiscard]] std::optional<BadCharacter> find_bad_character(std::string_view text);

// At most `most` bytes of the text, in whole characters, with everything unprintable escaped.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most = 60);

}  // namespace tenpin::scene
