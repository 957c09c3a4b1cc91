// Doubles as decimal text: std::from_chars and std::to_chars, and replacements for standard
// libraries that have them for integers only (libc++ before LLVM 20, and therefore emscripten).
// Both give the same bits and the same text.
#pragma once

#include <charconv>

namespace tenpin {

// Reads a double as std::from_chars does.
[[nodiscard]] std::from_chars_result read_decimal(const char* first, const char* last,
                                                  double* value);

// Writes a double as std::to_chars does: the shortest text that reads back as the same double.
[[nodiscard]] std::to_chars_result write_decimal(char* first, char* last, double value);

// The replacements. They are compiled everywhere so that tests can compare them with the standard
// library.
namespace portable {

// Uses the C library's strtod, which must round correctly: glibc's and musl's do. The result
// depends on the C locale; programs that call setlocale() need std::from_chars.
[[nodiscard]] std::from_chars_result read_decimal(const char* first, const char* last,
                                                  double* value);
// Uses the shortest digits, which {fmt} finds.
[[nodiscard]] std::to_chars_result write_decimal(char* first, char* last, double value);

}  // namespace portable
}  // namespace tenpin
