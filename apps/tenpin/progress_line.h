// A line on a terminal that shows the progress, and disappears at the end.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

#include "print.h"

namespace tenpin::app {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet = false) : is_on_(!quiet && isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { show(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& what) const {
    if (is_on_) print(stderr, "\r\033[K{}", what);
  }

  bool is_on() const { return is_on_; }

 private:
  bool is_on_;
};

}  // namespace tenpin::app
