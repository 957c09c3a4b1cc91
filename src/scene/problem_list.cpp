#include "scene/problem_list.h"

#include <algorithm>
#include <utility>

namespace tenpin::scene {

Problem ProblemList::make_problem(const Place& place, std::string path, std::string text) const {
  return {.file = place.override ? "--set" : file_,
          .line = place.line,
          .column = place.column,
          .path = std::move(path),
          .text = std::move(text)};
}

void ProblemList::add(const Place& place, std::string path, std::string text) {
  add(make_problem(place, std::move(path), std::move(text)));
}

void ProblemList::add(Problem problem) {
  problems_.push_back(std::move(problem));
  if (problems_.size() >= kMost) {
    throw_if_any();
  }
}

void ProblemList::throw_limit(const Place& place, const std::string& path,
                              const std::string& text) const {
  throw LimitError(make_problem(place, path, text).to_string());
}

void ProblemList::throw_if_any() {
  if (!problems_.empty()) {
    // Sorts by position in the file, because checks run in another order.
    std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    throw SceneError(std::move(problems_));
  }
}

}  // namespace tenpin::scene
