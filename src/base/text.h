// Numbers to text and back, the same in every locale; and the word a user probably meant.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tenpin {

// The shortest decimal that reads back as the same double; "inf", "-inf", "nan".
[[nodiscard]] std::string to_text(double number);

// The whole of `text` as a number; nothing for anything else: "", "1,5", "1.5x", " 1", "0x10".
// One leading '+' is allowed. Numbers too large for a double give nothing, too small ones zero;
// "inf" and "nan" (any case) are numbers: callers who do not want them check std::isfinite.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

// The least number of letters to insert, delete, replace or swap with their neighbour.
[[nodiscard]] int calc_edit_distance(std::string_view a, std::string_view b);

// The candidate with the least edit distance, the first of equals; nothing when even that one
// differs in more than a third of the word's letters (at least one may always differ).
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

}  // namespace tenpin
