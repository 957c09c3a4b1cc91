// An elimination order that keeps sparse factors sparse.
#pragma once

#include <span>
#include <vector>

namespace tenpin {

// Approximate minimum degree on a graph with symmetric edges: the neighbours of node i are
// neighbours[begin[i]] .. neighbours[begin[i + 1] - 1]; self-loops are ignored. order[k] is the
// node that is eliminated k-th.
void calc_fill_ordering(std::span<const int> begin, std::span<const int> neighbours,
                        std::vector<int>* order);

}  // namespace tenpin
