#include "scene/problem.h"

#include <utility>

namespace tenpin::scene {

std::string Problem::to_string() const {
  std::string result = file;
  if (line > 0) {
    result += ":" + std::to_string(line) + ":" + std::to_string(column);
  }
  if (!path.empty()) {
    result += ": " + path;
  }
  return result + ": " + text;
}

std::string print_problems(std::span<const Problem> problems, std::size_t most) {
  std::string result;
  for (const Problem& problem : problems.first(std::min(most, problems.size()))) {
    result += problem.to_string() + "\n";
  }
  if (problems.size() > most) {
    result += "... and " + std::to_string(problems.size() - most) + " more problems\n";
  }
  return result;
}

SceneError::SceneError(std::vector<Problem> problems)
    : std::runtime_error(print_problems(problems)), problems_(std::move(problems)) {}

}  // namespace tenpin::scene
