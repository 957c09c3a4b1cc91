#include "complementarity/cone/interior_point.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr std::size_t kMaxInteriorSteps = 100;
constexpr std::size_t kPatience = 15;  // iterations within which the merit must fall
constexpr double kSmallestGap = 1e-17;
constexpr double kMinCentrality = 1e-3;
constexpr double kFreeRidge = 1e-11;  // for redundant rows of joints

void apply(const double (&V)[kMaxCone][kMaxCone], const double* x, int n, double* product) {
  for (int i = 0; i < n; ++i) {
    product[i] = 0.0;
    for (int j = 0; j < n; ++j) product[i] += V[i][j] * x[j];
  }
}

// Applies the derivative of y - |y_T| e0 to a vector, with the second term damped.
void apply_damped(const double* y, int n, double damping, double* vector) {
  if (n == 1) return;
  const double t = tangent_norm(y, n);
  if (!(t > 0.0)) return;
  double along = 0.0;
  for (int i = 1; i < n; ++i) along += y[i] * vector[i];
  vector[0] -= damping * along / t;
}

}  // namespace

void InteriorPoint::reset(const ScaledProblem& problem, bool joins) {
  problem_ = &problem;
  const int num_blocks = problem.num_blocks();
  is_cone_.assign(num_blocks, 0);
  num_cones_ = 0;
  std::vector<int> sizes(num_blocks);
  for (int a = 0; a < num_blocks; ++a) {
    is_cone_[a] = problem.is_contact(a) ? 1 : 0;
    num_cones_ += is_cone_[a];
    sizes[a] = problem.is_contact(a) && problem.mu[a] == 0.0 ? 1 : problem.W.size(a);
  }
  Q_.row_begin = problem.W.row_begin;
  Q_.col = problem.W.col;
  Q_.diagonal = problem.W.diagonal;
  Q_.mirror = problem.W.mirror;
  Q_.set_sizes(sizes);
  make_matrix();
  may_join_.assign(is_cone_.size(), 0);
  if (joins) may_join_ = is_cone_;
  lu_.reset(Q_, may_join_);
  for (std::vector<double>* v : {&x_, &y_, &F_, &v_, &dx_, &dy_, &rhs_}) {
    v->assign(Q_.num_rows(), 0.0);
  }
  r_.assign(problem.num_rows(), 0.0);
  u_.assign(problem.num_rows(), 0.0);
  scaling_.resize(num_blocks);
}

void InteriorPoint::make_matrix() {
  weight_.assign(Q_.num_rows(), 1.0);
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    if (is_cone_[a] && Q_.size(a) > 1) weight_[Q_.first_row[a]] = 1.0 / problem_->mu[a];
  }
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    for (int e = Q_.row_begin[a]; e < Q_.row_begin[a + 1]; ++e) fill_entry(a, e);
  }
}

void InteriorPoint::fill_entry(int a, int e) {
  const int b = Q_.col[e];
  const int stride = problem_->W.size(a);
  const double* const from = problem_->W.entry(e);
  double* to = Q_.entry(e);
  for (int j = 0; j < Q_.size(b); ++j) {
    const double column_weight = weight_[Q_.first_row[b] + j];
    for (int i = 0; i < Q_.size(a); ++i) {
      *to++ = weight_[Q_.first_row[a] + i] * from[i + j * stride] * column_weight;
    }
  }
}

void InteriorPoint::start(const Pace& pace) {
  pace_ = pace;
  last_step_ = 0.0;
  merits_.clear();
  std::fill(x_.begin(), x_.end(), 0.0);
  std::fill(y_.begin(), y_.end(), 0.0);
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    if (is_cone_[a]) x_[Q_.first_row[a]] = y_[Q_.first_row[a]] = 1.0;
  }
  update_residual();
}

// Computes r, u, F, the gap and the merit from x and y.
void InteriorPoint::update_residual() {
  const BlockMatrix& W = problem_->W;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    for (int i = 0; i < Q_.size(a); ++i) {
      r_[W.first_row[a] + i] = weight_[Q_.first_row[a] + i] * x_[Q_.first_row[a] + i];
    }
  }
  multiply(W, r_, problem_->q, u_);
  gap_ = 0.0;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    for (int i = 0; i < Q_.size(a); ++i) {
      F_[first + i] = weight_[first + i] * u_[W.first_row[a] + i] - y_[first + i];
      gap_ += x_[first + i] * y_[first + i];
    }
    if (cone_size(a) > 1) F_[first] += tangent_norm(&y_[first], cone_size(a));
  }
  gap_ /= std::max(1, num_cones_);
  double square = 0.0;
  for (const double f : F_) square += f * f;
  merits_.push_back(gap_ + std::sqrt(square / std::max(1, num_cones_)));
}

// Q + G V^2.
bool InteriorPoint::factorize() {
  D_.clear();
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int n = Q_.size(a);
    const int first = Q_.first_row[a];
    if (is_cone_[a]) calc_scaling(&x_[first], &y_[first], n, &scaling_[a]);
    for (int j = 0; j < n; ++j) {
      const std::size_t begin = D_.size();
      D_.resize(begin + n, 0.0);
      if (!is_cone_[a]) {
        D_[begin + j] = kFreeRidge;
        continue;
      }
      double column[kMaxCone];
      for (int i = 0; i < n; ++i) column[i] = scaling_[a].V[i][j];
      apply(scaling_[a].V, column, n, &D_[begin]);
      apply_damped(&y_[first], n, pace_.damping, &D_[begin]);
    }
  }
  return lu_.factorize(D_);
}

// (Q + G V^2) dx = -F + G V v,   dy = V (v - V dx).
void InteriorPoint::solve_step(std::span<const double> v) {
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    double image[kMaxCone];
    apply(scaling_[a].V, &v[first], n, image);
    if (n > 0) apply_damped(&y_[first], n, pace_.damping, image);
    for (int i = 0; i < Q_.size(a); ++i) rhs_[first + i] = (i < n ? image[i] : 0.0) - F_[first + i];
  }
  dx_ = rhs_;
  lu_.solve(dx_);
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    double image[kMaxCone];
    apply(scaling_[a].V, &dx_[first], n, image);
    for (int i = 0; i < n; ++i) image[i] = v[first + i] - image[i];
    apply(scaling_[a].V, image, n, &dy_[first]);
  }
}

double InteriorPoint::calc_step_limit() const {
  constexpr double kLongest = 10.0;
  double step = kLongest;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    if (n == 0) continue;
    step = calc_step_to_boundary(&x_[first], &dx_[first], n, step);
    step = calc_step_to_boundary(&y_[first], &dy_[first], n, step);
  }
  return step;
}

double InteriorPoint::calc_gap_after(double step) const {
  double sum = 0.0;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    for (int i = Q_.first_row[a]; i < Q_.first_row[a] + cone_size(a); ++i) {
      sum += (x_[i] + step * dx_[i]) * (y_[i] + step * dy_[i]);
    }
  }
  return sum / std::max(1, num_cones_);
}

// v = lambda \ (target e - lambda o lambda - (V dx) o (V^-1 dy)).
void InteriorPoint::make_corrector(double target, bool second_order) {
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    if (n == 0) continue;
    const NesterovTodd& scaling = scaling_[a];
    double wanted[kMaxCone];
    multiply(scaling.lambda, scaling.lambda, n, wanted);
    for (int i = 0; i < n; ++i) wanted[i] = -wanted[i];
    wanted[0] += target;
    if (second_order) {
      double scaled_dx[kMaxCone];
      double scaled_dy[kMaxCone];
      double product[kMaxCone];
      apply(scaling.V, &dx_[first], n, scaled_dx);
      apply(scaling.V_inverse, &dy_[first], n, scaled_dy);
      multiply(scaled_dx, scaled_dy, n, product);
      for (int i = 0; i < n; ++i) wanted[i] -= product[i];
    }
    divide(wanted, scaling.lambda, n, &v_[first]);
  }
}

// Shortens the step until no pair is much closer to the boundary than the average.
double InteriorPoint::find_step(double largest) const {
  double step = largest;
  for (int k = 0; k < 12; ++k, step *= 0.8) {
    const double wanted = kMinCentrality * calc_gap_after(step);
    bool is_central = true;
    for (int a = 0; a < Q_.num_blocks() && is_central; ++a) {
      const int first = Q_.first_row[a];
      const int n = cone_size(a);
      if (n == 0) continue;
      double x[kMaxCone];
      double y[kMaxCone];
      for (int i = 0; i < n; ++i) {
        x[i] = x_[first + i] + step * dx_[first + i];
        y[i] = y_[first + i] + step * dy_[first + i];
      }
      is_central = calc_centrality(x, y, n) >= wanted;
    }
    if (is_central) break;
  }
  return step;
}

void InteriorPoint::advance(double step) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] += step * dx_[i];
    y_[i] += step * dy_[i];
  }
}

bool InteriorPoint::is_stuck() const {
  const std::size_t n = merits_.size();
  return !std::isfinite(merits_.back()) || gap_ < kSmallestGap ||
         (n > kPatience && merits_.back() > pace_.progress * merits_[n - 1 - kPatience]);
}

bool InteriorPoint::run(double pause, Search* search) {
  while (merits_.size() < kMaxInteriorSteps && !search->is_exhausted()) {
    ++search->effort.interior_point;
    if (!factorize()) return false;
    step();
    update_residual();
    const double error = search->offer(*problem_, Stage::kInteriorPoint, r_, u_);
    if (search->is_solved() || is_stuck()) return false;
    if (error <= pause) return true;
  }
  return false;
}

void InteriorPoint::step() {
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    for (int i = 0; i < cone_size(a); ++i) v_[Q_.first_row[a] + i] = -scaling_[a].lambda[i];
  }
  solve_step(v_);
  const double affine_step = std::min(1.0, calc_step_limit());
  const double ratio = std::max(0.0, calc_gap_after(affine_step) / gap_);
  const double exponent = std::max(1.0, 3.0 * affine_step * affine_step);
  // ratio^exponent for an exponent between 1 and 3, interpolated between integer powers.
  const double power = exponent < 2.0 ? ratio * (1.0 + (exponent - 1.0) * (ratio - 1.0))
                                      : ratio * ratio * (1.0 + (exponent - 2.0) * (ratio - 1.0));
  const double centring = std::max(1e-4, 0.998 * std::min(1.0, power));
  make_corrector(centring * gap_, centring < 0.9);
  solve_step(v_);
  const double largest = std::min(1.0, (0.9 + 0.09 * last_step_) * calc_step_limit());
  last_step_ = find_step(largest);
  advance(last_step_);
}

}  // namespace tenpin::complementarity::cone
