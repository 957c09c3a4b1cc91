#include "complementarity/cone/cone_solver.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {

using Extent = ProximalNewton::Extent;

namespace {

constexpr int kFirstSweeps = 20;
constexpr int kMaxCascadeSweeps = 60;
constexpr int kMaxRegularSweeps = 600;
constexpr int kSweepGroup = 5;
constexpr int kProbeSteps = 8;
constexpr int kNewtonSteps = 80;  // before another interior-point run is tried

}  // namespace

void ConeSolver::solve(const ConeProblem& problem, std::span<const double> guess,
                       ConeSolution* solution) {
  TENPIN_DEMAND(guess.empty() || guess.size() == problem.q.size());
  search_.reset(kCertificateMargin * std::min(options_.aim, options_.tolerance),
                kCertificateMargin * options_.tolerance, options_.max_systems, &options_.progress,
                options_.deadline);
  if (!scaled_.reset(problem, options_.measure)) {
    solution->r.assign(problem.q.size(), 0.0);
    solution->u = problem.q;
    solution->effort = {};
    solution->status = SolveStatus::kNonfinite;
    solution->residual = certify_cone(problem, solution->r);
    return;
  }
  const bool is_warm = !guess.empty();
  r_.assign(problem.q.size(), 0.0);
  u_.resize(r_.size());
  if (is_warm) {
    scaled_.to_scaled(guess, &r_);
    project_on_cones(scaled_, r_);
  }
  multiply(scaled_.W, r_, scaled_.q, u_);
  search_.offer(scaled_, Stage::kGaussSeidel, r_, u_);
  if (!search_.is_solved()) search(is_warm);
  finish(problem, solution);
}

void ConeSolver::search(bool is_warm) {
  switch (options_.method) {
    case ConeMethod::kCascade:
      if (!solve_single()) run_cascade(is_warm);
      break;
    case ConeMethod::kGaussSeidel:
      gauss_seidel_.reset(scaled_, 0.0);
      run_gauss_seidel(options_.max_sweeps);
      break;
    case ConeMethod::kNewton:
      newton_.reset(scaled_);
      newton_.run(Extent::kWhole, options_.max_systems, &search_);
      break;
    case ConeMethod::kInteriorPoint:
      interior_point_.reset(scaled_, scaled_.num_blocks() >= kManyContacts);
      interior_point_.start(InteriorPoint::kQuick);
      interior_point_.run(0.0, &search_);
      break;
  }
}

// Solves a problem of a single contact: one sweep does this exactly.
bool ConeSolver::solve_single() {
  if (scaled_.num_blocks() != 1) return false;
  gauss_seidel_.reset(scaled_, 0.0);
  gauss_seidel_.sweep(r_, false, r_);
  ++search_.effort.sweeps;
  multiply(scaled_.W, r_, scaled_.q, u_);
  search_.offer(scaled_, Stage::kGaussSeidel, r_, u_);
  if (search_.is_solved()) return true;
  r_ = search_.best();
  return false;
}

// Each stage continues from the best reaction found so far, and ends as soon as its method turns
// out not to suit the problem.
void ConeSolver::run_cascade(bool is_warm) {
  if (is_warm && !options_.is_regular) {
    newton_.reset(scaled_);
    newton_.run(Extent::kProbe, kProbeSteps, &search_);
    if (search_.is_over() || search_.is_enough()) return;
    r_ = search_.best();
  }
  gauss_seidel_.reset(scaled_, 0.0);
  run_gauss_seidel(options_.is_regular ? kMaxRegularSweeps : kMaxCascadeSweeps);
  if (search_.is_over()) return;
  const bool is_large = scaled_.num_blocks() >= kManyContacts;
  newton_.reset(scaled_);
  newton_.run(is_large ? Extent::kTrial : Extent::kProbe, kProbeSteps, &search_);
  if (search_.is_over() || search_.is_enough()) return;
  if (!scaled_.has_given) interior_point_.reset(scaled_, is_large);
  for (const InteriorPoint::Pace& pace : {InteriorPoint::kQuick, InteriorPoint::kPatient}) {
    if (scaled_.has_given) break;  // the interior point cannot treat a cone without its tip
    interior_point_.start(pace);
    double pause = is_large ? kModesIdentified : 0.0;
    while (interior_point_.run(pause, &search_)) {
      newton_.run(Extent::kTrial, kProbeSteps, &search_);
      if (search_.is_over()) return;
      pause = 0.0;
    }
    if (search_.is_over()) return;
    newton_.run(Extent::kWhole, kNewtonSteps, &search_);
    if (search_.is_over()) return;
  }
  newton_.run(Extent::kWhole, options_.max_systems, &search_);
}

void ConeSolver::sweep_to(int num_sweeps) {
  for (; search_.effort.sweeps < num_sweeps; ++search_.effort.sweeps) {
    if (options_.is_regular) {
      sweep_with_momentum();
    } else {
      gauss_seidel_.sweep(r_, false, r_);
    }
  }
  multiply(scaled_.W, r_, scaled_.q, u_);
}

// Extrapolates by momentum times the last change, then sweeps, so that the reactions end within
// their cones.   [P64], [SNE10]
void ConeSolver::sweep_with_momentum() {
  for (std::size_t i = 0; i < r_.size(); ++i) {
    start_[i] = r_[i] + momentum_ * (r_[i] - last_[i]);
  }
  last_.swap(r_);
  r_ = start_;
  gauss_seidel_.sweep(r_, false, r_);
  double size = 0.0;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    const double change = r_[i] - start_[i];
    size += change * change;
  }
  momentum_ = size < last_size_ ? size / last_size_ : 0.0;
  last_size_ = size;
}

// Sweeps as long as the sweeps are expected to converge within max_sweeps; the first few always
// run.
void ConeSolver::run_gauss_seidel(int max_sweeps) {
  last_.assign(r_.size(), 0.0);
  start_.resize(r_.size());
  momentum_ = last_size_ = 0.0;
  double error = search_.best_error();
  for (const int count : {1, 2, 3, 5, 10, 15}) {
    sweep_to(std::min(count, max_sweeps));
    error = search_.offer(scaled_, Stage::kGaussSeidel, r_, u_);
    if (search_.is_solved() || search_.is_out_of_time()) return;
  }
  while (search_.effort.sweeps < max_sweeps) {
    sweep_to(std::min(search_.effort.sweeps + kSweepGroup, max_sweeps));
    const double next = search_.offer(scaled_, Stage::kGaussSeidel, r_, u_);
    if (search_.is_solved() || search_.is_out_of_time()) return;
    if (options_.method == ConeMethod::kCascade && !options_.is_regular &&
        search_.effort.sweeps >= kFirstSweeps) {
      // Goes on only if, at the rate of the last group, another kMaxCascadeSweeps would reach the
      // tolerance.
      double promised = next;
      for (int k = 0; k < kMaxCascadeSweeps / kSweepGroup; ++k) promised *= next / error;
      if (!(promised <= search_.tolerance())) return;
    }
    error = next;
  }
}

void ConeSolver::finish(const ConeProblem& problem, ConeSolution* solution) {
  r_ = search_.best();
  // Newton's iterates may lie outside the cone by an amount of the size of their error.
  project_on_cones(scaled_, r_);
  multiply(scaled_.W, r_, scaled_.q, u_);
  const bool keeps =
      !(scaled_.calc_error(r_, u_) <= std::max(search_.tolerance(), search_.best_error()));
  scaled_.to_original(keeps ? std::span<const double>(search_.best()) : r_, &solution->r);
  solution->u.resize(r_.size());
  multiply(problem.W, solution->r, problem.q, solution->u);
  solution->effort = search_.effort;
  solution->residual = certify_cone(problem, solution->r);
  const double error =
      options_.measure == Measure::kErrQ ? solution->residual.err_q : solution->residual.energy;
  if (!solution->residual.finite) {
    solution->status = SolveStatus::kNonfinite;
  } else if (error <= options_.tolerance) {
    solution->status = SolveStatus::kSolved;
  } else {
    solution->status =
        search_.is_exhausted() ? SolveStatus::kIterationLimit : SolveStatus::kResidual;
  }
}

}  // namespace tenpin::complementarity::cone
