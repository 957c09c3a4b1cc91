// Solves cone problems to a certified accuracy by a cascade of methods, none of which suffices
// alone: Gauss-Seidel sweeps, a short Newton run, an interior point, and Newton's method with
// sweeps as its fallback.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "complementarity/cone/cone_problem.h"
#include "complementarity/cone/gauss_seidel.h"
#include "complementarity/cone/interior_point.h"
#include "complementarity/cone/newton.h"
#include "complementarity/cone/search.h"
#include "complementarity/lcp.h"

namespace tenpin::complementarity::cone {

enum class ConeMethod : unsigned char { kCascade, kGaussSeidel, kNewton, kInteriorPoint };

struct ConeOptions {
  double tolerance = 1e-8;
  double aim = 1.0;  // if below the tolerance: an accuracy worth a few more linear systems
  Measure measure = Measure::kErrQ;
  // True if W is far from singular, as with compliant contacts. Accelerated sweeps are then
  // fastest, and Newton's method runs only if they fail.
  bool is_regular = false;
  ConeMethod method = ConeMethod::kCascade;
  // The budget counts operations instead of time, so that the same problem has the same result on
  // every machine.
  int max_systems = 5000;   // linear systems of Newton's method and the interior point
  int max_sweeps = 100000;  // of Gauss-Seidel when used alone; the cascade needs few
  Progress progress;
  // When the deadline is over, the solve ends with kIterationLimit. Null: no deadline. It must
  // outlive the solver.
  const Deadline* deadline = nullptr;
};

struct ConeSolution {
  SolveStatus status = SolveStatus::kResidual;  // kSolved, kIterationLimit, kResidual or kNonfinite
  std::vector<double> r;                        // the best reaction found, whatever the status
  std::vector<double> u;                        // W r + q
  ConeResidual residual;                        // of r, by certify_cone()
  Effort effort;
};

// Solves cone problems. Holds the workspace: solve() allocates only when a size exceeds every
// earlier one, and for the fill-reducing order of a problem that needs linear systems.
class ConeSolver {
 public:
  explicit ConeSolver(ConeOptions options = {}) : options_(std::move(options)) {}

  const ConeOptions& options() const { return options_; }

  void solve(const ConeProblem& problem, ConeSolution* solution) { solve(problem, {}, solution); }
  // Starts from a guess of r, such as that of the previous step; an empty guess means zero.
  void solve(const ConeProblem& problem, std::span<const double> guess, ConeSolution* solution);

 private:
  void search(bool is_warm);
  void run_cascade(bool is_warm);
  bool solve_single();
  void run_gauss_seidel(int max_sweeps);
  void sweep_to(int num_sweeps);
  void sweep_with_momentum();
  void finish(const ConeProblem& problem, ConeSolution* solution);

  ConeOptions options_;
  ScaledProblem scaled_;
  Search search_;
  GaussSeidel gauss_seidel_;
  ProximalNewton newton_;
  InteriorPoint interior_point_;
  std::vector<double> r_, u_;
  // State of the sweeps with momentum.
  std::vector<double> last_,
      start_;  // before the last sweep and its extrapolation, and after the extrapolation
  double momentum_ = 0.0;
  double last_size_ = 0.0;  // squared norm of the last change; 0 before the first
};

}  // namespace tenpin::complementarity::cone
