// Collects problems, so that reading can continue.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scene/node.h"
#include "scene/problem.h"

namespace tenpin::scene {

class ProblemList {
 public:
  explicit ProblemList(std::string file) : file_(std::move(file)) {}

  // Throws SceneError if there are so many problems that further reading makes no sense.
  void add(const Place& place, std::string path, std::string text);
  void add(Problem problem);  // a problem of another file

  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }

  // Throws LimitError. The text names the limit and says how to raise it.
  [[noreturn]] void throw_limit(const Place& place, const std::string& path,
                                const std::string& text) const;

  // Throws SceneError if any problem was added.
  void throw_if_any();

 private:
  static constexpr std::size_t kMost = 1000;

  Problem make_problem(const Place& place, std::string path, std::string text) const;

  std::string file_;
  std::vector<Problem> problems_;
};

}  // namespace tenpin::scene
