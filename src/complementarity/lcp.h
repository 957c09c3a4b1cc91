// The linear complementarity problem and its certificate, without any physics.
#pragma once

#include <string_view>

#include "math/types.h"

namespace tenpin::complementarity {

// Find z with  w = R z + u,  w >= 0,  z >= 0,  w'z = 0.   [ST00, §3]
struct Lcp {
  MatX R;
  VecX u;

  int size() const { return static_cast<int>(u.size()); }
};

// How far z is from solving an Lcp, computed from R, u and z alone, independently of the solvers. w
// = R z + u is summed in double-double precision, so the numbers show the error of z and not that
// of the summation. All except `scale` are zero at an exact solution.
struct LcpResidual {
  double natural = 0.0;          // max_i |min(z_i, w_i)|
  double w_negative = 0.0;       // max(0, -min_i w_i)
  double z_negative = 0.0;       // max(0, -min_i z_i)
  double complementarity = 0.0;  // max_i |w_i z_i|
  double scale = 0.0;            // max(|u|_inf, |R|_inf |z|_inf): the scale of `natural`
  // A measure without units: max_i |min(z_i / |z|_inf, w_i / s_i)| with s_i = |u_i| + |z|_inf sum_j
  // |R_ij|. It does not depend on the units of any row or of z, so it treats an impulse of 1e-9 N s
  // like one of 1e9 N s.
  double relative = 0.0;

  // True if `relative`, and `natural` relative to `scale`, are at most the tolerance. False if any
  // number is not finite.
  bool passes(double tolerance) const;
};

[[nodiscard]] LcpResidual certify(const Lcp& lcp, ConstVecRef z);
[[nodiscard]] LcpResidual certify(ConstMatRef R, ConstVecRef u, ConstVecRef z);

// How a solve ended. Only kSolved comes with a usable z.
enum class SolveStatus {
  kSolved,          // the certificate passes
  kRayTermination,  // a secondary ray, verified against R: Lemke's path has no solution
  kNullPivot,       // no pivot above round-off, and no ray that passes verification
  kIterationLimit,  // more pivots than allowed
  kCycle,           // a basis recurred
  kNonfinite,       // NaN or infinity in the problem, or an overflow during the solve
  kResidual,        // the path ended, but its end fails the certificate
  kInconsistent,    // contradictory equality rows (mixed problems only)
};

// The status as text: SOLVED, RAY, NULL_PIVOT, ITER_LIMIT, CYCLE, NONFINITE, RESIDUAL,
// INCONSISTENT.
[[nodiscard]] std::string_view to_string(SolveStatus status);

struct LcpSolution {
  SolveStatus status = SolveStatus::kResidual;
  VecX z;                // all zero unless kSolved
  LcpResidual residual;  // of z if kSolved, else of the last candidate
  int pivots = 0;
};

}  // namespace tenpin::complementarity
