// Mechanisms that must share their times within a step, because contacts connect them.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace tenpin::methods::time_stepping {

// Union-find over the nodes 0 ... n-1. The smaller index is the root, so that groups do not depend
// on the order in which they were joined.
class TimeGroups {
 public:
  void reset(int n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) {
    const int a = root(i);
    const int b = root(j);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace tenpin::methods::time_stepping
