// A cone problem scaled so that its numbers are close to one.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/cone_problem.h"
#include "math/types.h"

namespace tenpin::complementarity::cone {

// The error that the tolerance of a solver bounds; see ConeResidual.
enum class Measure : unsigned char { kErrQ, kEnergy };

// A problem scaled by W <- D W D, q <- D q / s with one number d per block, so that tr W_aa = size;
// r = d s r', u = (s / d) u'. Scaling all rows of a contact by the same number preserves the cone
// and De Saxce's term.
class ScaledProblem {
 public:
  // Returns false if a number of the problem is not finite. Allocates only when a size grows.
  [[nodiscard]] bool reset(const ConeProblem& problem, Measure measure);

  int num_blocks() const { return W.num_blocks(); }
  int num_rows() const { return W.num_rows(); }
  bool is_contact(int block) const { return kind[block] == BlockKind::kContact; }

  // The error of the original problem in the chosen measure, from scaled r and u = W r + q.
  [[nodiscard]] double calc_error(std::span<const double> r, std::span<const double> u) const;
  // |r - P_K(r - uhat)| / sqrt(number of blocks), all scaled.
  [[nodiscard]] double calc_natural_residual(std::span<const double> r,
                                             std::span<const double> u) const;

  void to_scaled(std::span<const double> original, std::vector<double>* r) const;
  void to_original(std::span<const double> r, std::vector<double>* original) const;

  BlockMatrix W;
  std::vector<double> q;
  std::vector<BlockKind> kind;
  std::vector<double> mu, given;
  bool has_given = false;  // true if a load is given at any block

 private:
  std::vector<double> block_scale_;  // d
  double unit_ = 1.0;                // s
  double reference_ = 1.0;           // divisor of the error
  Measure measure_ = Measure::kErrQ;
};

// |r - P_K(r - uhat / w)|^2 of one contact, with impulse and velocity along its normal and
// tangents.
[[nodiscard]] double calc_square_residual(const Vec3& r, const Vec3& u, double mu, double w);

// r <- P_K(r) at every contact.
void project_on_cones(const ScaledProblem& problem, std::span<double> r);

}  // namespace tenpin::complementarity::cone
