// Everything that is wrong with a file, each problem with its place.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/check.h"

namespace tenpin::scene {

struct Problem {
  std::string file;
  int line = 0;      // from 1; 0 if it concerns the whole file
  int column = 0;    // from 1, in bytes
  std::string path;  // e.g. bodies[2].shapes[0].sphere.radius
  std::string text;  // "out of range, got -1, want a number > 0"

  // file:line:col: path: text
  std::string to_string() const;
};

// One line per problem, each with a line feed at its end. If there are more than `most`, the last
// line gives the number of the remaining problems.
[[nodiscard]] std::string print_problems(std::span<const Problem> problems, std::size_t most = 20);

// Invalid input: the caller prints every problem and exits with code 2.
class SceneError : public std::runtime_error {
 public:
  explicit SceneError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace tenpin::scene
