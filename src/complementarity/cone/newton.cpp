#include "complementarity/cone/newton.h"

#include <algorithm>
#include <cmath>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMaxInner = 15;
constexpr int kSafeSweeps = 20;
constexpr double kMinWeight = 1e-10;
constexpr double kMaxWeight = 10.0;
constexpr double kWeightPerResidual = 10.0;
constexpr double kInnerAccuracy = 0.1;

double euclidean_norm(std::span<const double> v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

void ProximalNewton::reset(const ScaledProblem& problem) {
  problem_ = &problem;
  equation_.reset(problem);
  for (std::vector<double>* v : {&l_, &u_, &centre_, &dl_, &W_dl_, &trial_l_, &trial_u_}) {
    v->assign(problem.num_rows(), 0.0);
  }
}

double ProximalNewton::calc_distance() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < l_.size(); ++i) {
    sum += (l_[i] - centre_[i]) * (l_[i] - centre_[i]);
  }
  return std::sqrt(sum);
}

// Finds the largest of the steps 1, 1/2, ... that reduces |F| enough, and moves l and u by it.
bool ProximalNewton::search_line(double residual, double* step) {
  for (int k = 0; k <= kMaxNewtonHalvings; ++k, *step *= 0.5) {
    for (std::size_t i = 0; i < l_.size(); ++i) {
      trial_l_[i] = l_[i] + *step * dl_[i];
      trial_u_[i] = u_[i] + *step * W_dl_[i];
    }
    if (equation_.calc_residual(trial_l_, trial_u_, false) > (1.0 - 0.1 * *step) * residual) {
      continue;
    }
    l_.swap(trial_l_);
    u_.swap(trial_u_);
    return true;
  }
  return false;
}

void ProximalNewton::sweep(Search* search) {
  gauss_seidel_.reset(*problem_, weight_);
  for (int k = 0; k < kSafeSweeps; ++k) {
    gauss_seidel_.sweep(centre_, sweeps_backward_, l_);
    sweeps_backward_ = !sweeps_backward_;
    ++search->effort.sweeps;
  }
  multiply(problem_->W, l_, problem_->q, u_);
}

ProximalNewton::Inner ProximalNewton::solve_inner(Extent extent, int max_steps, Search* search,
                                                  int* num_steps) {
  for (*num_steps = 0; *num_steps < max_steps; ++*num_steps) {
    const double residual = equation_.calc_residual(l_, u_, true);
    if (residual <= kInnerAccuracy * AlartCurnier::kRho * weight_ * calc_distance() ||
        residual < 1e-14 * (1.0 + euclidean_norm(l_))) {
      return Inner::kConverged;
    }
    if (search->is_exhausted()) return Inner::kSlow;
    ++search->effort.newton;
    ++num_steps_;
    double step = 1.0;
    if (equation_.calc_step(dl_, W_dl_) && search_line(residual, &step)) {
      if (step == 1.0 && search->offer(*problem_, Stage::kNewton, l_, u_) <= search->tolerance()) {
        return Inner::kSolved;
      }
      continue;
    }
    if (extent != Extent::kWhole) return Inner::kFailed;
    sweep(search);
  }
  return Inner::kSlow;
}

void ProximalNewton::run(Extent extent, int max_steps, Search* search) {
  l_ = search->best();
  multiply(problem_->W, l_, problem_->q, u_);
  weight_ = std::min(1.0, kWeightPerResidual * problem_->calc_natural_residual(l_, u_));
  num_steps_ = 0;
  double boldness = 1.0;
  while (!search->is_over()) {
    centre_ = l_;
    equation_.set_proximal(weight_, centre_);
    int num_steps = 0;
    const bool is_trial = extent == Extent::kTrial;
    const int max_inner = is_trial ? std::min(kMaxInner, max_steps - num_steps_) : kMaxInner;
    const Inner inner = solve_inner(extent, max_inner, search, &num_steps);
    if (inner == Inner::kSolved) return;
    project_on_cones(*problem_, l_);
    multiply(problem_->W, l_, problem_->q, u_);
    search->offer(*problem_, Stage::kNewton, l_, u_);
    // If no step was taken, only rounding is left, and another round would take no step either.
    if (inner == Inner::kFailed || num_steps == 0 || num_steps_ >= max_steps) return;
    boldness *= inner == Inner::kConverged ? (num_steps <= 5 ? 0.3 : 0.7) : 4.0;
    boldness = std::clamp(boldness, 1e-3, 1e3);
    weight_ = std::clamp(kWeightPerResidual * boldness * problem_->calc_natural_residual(l_, u_),
                         kMinWeight, kMaxWeight);
  }
}

}  // namespace tenpin::complementarity::cone
