#include "math/least_norm.h"

#include <Eigen/QR>

namespace tenpin {

MatX solve_least_norm(const MatX& A, const MatX& B, double tolerance) {
  if (A.size() == 0) return MatX::Zero(A.cols(), B.cols());
  Eigen::CompleteOrthogonalDecomposition<MatX> factors(A.rows(), A.cols());
  factors.setThreshold(tolerance);
  factors.compute(A);
  return factors.solve(B);
}

}  // namespace tenpin
