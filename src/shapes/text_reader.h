// Splits a text file into words with their line and column, for the mesh readers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "math/types.h"

namespace tenpin::shapes {

struct Word {
  std::string_view text;  // empty at the end of the line or file
  int line = 1;
  int column = 1;  // in bytes, from 1
};

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  // The next word on this line; empty at its end.
  Word next_in_line();
  // The next word on any line; empty at the end of the file.
  Word next();
  // Goes to the next line; false at the end of the file.
  bool next_line();

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 1;
};

// Throws InputError("line:column: problem").
[[noreturn]] void fail_at(const Word& word, const std::string& problem);

// Reads a finite coordinate within kMaxCoordinate, or calls fail_at.
[[nodiscard]] double read_coordinate(const Word& word);

}  // namespace tenpin::shapes
