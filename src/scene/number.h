// Numbers exactly as JSON writes them: no nan, inf, 0x10, 01, +1, .5, 1. or 1_000.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tenpin::scene {

[[nodiscard]] bool is_json_number(std::string_view text);

// Returns nothing if the text is not a JSON number, or if a double cannot represent it (1e999,
// 1e-400).
[[nodiscard]] std::optional<double> parse_json_number(std::string_view text);

// Returns nothing if the text is not a JSON integer without fraction and exponent, or is out of
// range.
[[nodiscard]] std::optional<std::int64_t> parse_json_integer(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_json_unsigned(std::string_view text);

}  // namespace tenpin::scene
