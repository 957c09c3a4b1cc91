// Disjoint sets that are merged pair by pair.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace tenpin {

// Sets of the nodes 0 ... n-1. The root of a set is its smallest node, so sets do not depend on the
// order in which they were joined. Reuses its buffer.
class UnionFind {
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

}  // namespace tenpin
