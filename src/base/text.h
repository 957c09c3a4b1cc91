// Converts numbers to text and back, the same in every locale, and suggests the word a user
// probably meant.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tenpin {

// The shortest decimal that reads back as the same double; "inf", "-inf" or "nan" if it is not
// finite.
[[nodiscard]] std::string to_text(double number);

// Reads all of `text` as a number and returns nothing for anything else: "", "1,5", "1.5x", " 1",
// "0x10". One leading '+' is allowed. For numbers too large for a double it returns nothing, for
// numbers too small it returns zero. "inf" and "nan" (any case) are numbers: check std::isfinite if
// you do not want them.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

// The smallest number of letters to insert, delete, replace or swap with a neighbour.
[[nodiscard]] int calc_edit_distance(std::string_view a, std::string_view b);

// The candidate with the smallest edit distance, the first among equals. Returns nothing if even
// that one differs in more than a third of the word's letters; one letter may always differ.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

}  // namespace tenpin
