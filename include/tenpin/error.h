// Exceptions of the library. Numerical failure is not an exception: it is a status in the report.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenpin {

#ifndef TENPIN_ERRORS_ARE_DEFINED  // the library's own sources have these three already

// The caller's mistake. The text names the item, its value and what is expected.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A documented limit was exceeded. The text names the limit and says how to raise it.
class LimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A problem without a numerical solution, found before a step could report it as a status, such as
// a loop that cannot close.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

#endif

// One mistake in a scene.
struct Problem {
  std::string file;
  int line = 0;      // from 1; 0 if the scene is not from a file
  int column = 0;    // from 1, in bytes
  std::string path;  // e.g. bodies[2].shapes[0].sphere.radius
  std::string text;  // e.g. out of range, got -1, want a number >= 1e-09
};

// A scene with mistakes. Contains all of them.
class SceneError : public InputError {
 public:
  SceneError(const std::string& what, std::vector<Problem> problems)
      : InputError(what), problems_(std::move(problems)) {}
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace tenpin
