#include "math/fill_ordering.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace tenpin {

void calc_fill_ordering(std::span<const int> begin, std::span<const int> neighbours,
                        std::vector<int>* order) {
  const int n = static_cast<int>(begin.size()) - 1;
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> graph(n, n);
  graph.resizeNonZeros(static_cast<int>(neighbours.size()));
  std::copy(begin.begin(), begin.end(), graph.outerIndexPtr());
  std::copy(neighbours.begin(), neighbours.end(), graph.innerIndexPtr());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::internal::minimum_degree_ordering(graph, permutation);
  order->assign(permutation.indices().data(), permutation.indices().data() + n);
}

}  // namespace tenpin
