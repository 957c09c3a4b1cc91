// Limits the values of options, and says in the program's own words which values are valid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tenpin::app {

// Each validator is passed to CLI::Option::check; its message reads "got X, want Y".
[[nodiscard]] CLI::Validator whole_number(std::int64_t least, std::int64_t most);
[[nodiscard]] CLI::Validator whole_number(std::int64_t least);
[[nodiscard]] CLI::Validator number_between(double least, double most);
[[nodiscard]] CLI::Validator number_above_zero();
[[nodiscard]] CLI::Validator number_from_zero();

// Accepts only these words, and shows them in the help of the option.
CLI::Option* take_words(CLI::Option* option, const std::vector<std::string>& words);

}  // namespace tenpin::app
