#include "complementarity/cone/interior_point.h"

#include <algorithm>
#include <cmath>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr std::size_t kMaxInteriorSteps = 100;
constexpr double kSmallestGap = 1e-17;
constexpr double kMinCentrality = 1e-3;
constexpr double kFreeRidge = 1e-11;  // added for redundant rows of joints

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
  for (std::vector<double>* v :
       {&now_.x, &now_.y, &now_.F, &v_, &direction_.x, &direction_.y, &rhs_}) {
    v->assign(Q_.num_rows(), 0.0);
  }
  now_.r.assign(problem.num_rows(), 0.0);
  now_.u.assign(problem.num_rows(), 0.0);
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
  std::fill(now_.x.begin(), now_.x.end(), 0.0);
  std::fill(now_.y.begin(), now_.y.end(), 0.0);
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    if (is_cone_[a]) now_.x[Q_.first_row[a]] = now_.y[Q_.first_row[a]] = 1.0;
  }
  update_residual();
}

// Computes r, u, F, the gap and the merit from x and y.
void InteriorPoint::update_residual() {
  const BlockMatrix& W = problem_->W;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    for (int i = 0; i < Q_.size(a); ++i) {
      now_.r[W.first_row[a] + i] = weight_[Q_.first_row[a] + i] * now_.x[Q_.first_row[a] + i];
    }
  }
  multiply(W, now_.r, problem_->q, now_.u);
  now_.gap = 0.0;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    for (int i = 0; i < Q_.size(a); ++i) {
      now_.F[first + i] = weight_[first + i] * now_.u[W.first_row[a] + i] - now_.y[first + i];
      now_.gap += now_.x[first + i] * now_.y[first + i];
    }
    if (cone_size(a) > 1) now_.F[first] += tangent_norm(&now_.y[first], cone_size(a));
  }
  now_.gap /= std::max(1, num_cones_);
  double square = 0.0;
  for (const double f : now_.F) square += f * f;
  merits_.push_back(now_.gap + std::sqrt(square / std::max(1, num_cones_)));
}

// Factorises Q + G V^2.
bool InteriorPoint::factorize() {
  D_.clear();
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int n = Q_.size(a);
    const int first = Q_.first_row[a];
    if (is_cone_[a]) calc_scaling(&now_.x[first], &now_.y[first], n, &scaling_[a]);
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
      apply_damped(&now_.y[first], n, pace_.damping, &D_[begin]);
    }
  }
  return lu_.factorize(D_);
}

// Solves (Q + G V^2) dx = -F + G V v,   dy = V (v - V dx).
void InteriorPoint::solve_step(std::span<const double> v) {
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    double image[kMaxCone];
    apply(scaling_[a].V, &v[first], n, image);
    if (n > 0) apply_damped(&now_.y[first], n, pace_.damping, image);
    for (int i = 0; i < Q_.size(a); ++i)
      rhs_[first + i] = (i < n ? image[i] : 0.0) - now_.F[first + i];
  }
  direction_.x = rhs_;
  lu_.solve(direction_.x);
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    double image[kMaxCone];
    apply(scaling_[a].V, &direction_.x[first], n, image);
    for (int i = 0; i < n; ++i) image[i] = v[first + i] - image[i];
    apply(scaling_[a].V, image, n, &direction_.y[first]);
  }
}

double InteriorPoint::calc_step_limit() const {
  double step = kLongestInteriorStep;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    const int first = Q_.first_row[a];
    const int n = cone_size(a);
    if (n == 0) continue;
    step = calc_step_to_boundary(&now_.x[first], &direction_.x[first], n, step);
    step = calc_step_to_boundary(&now_.y[first], &direction_.y[first], n, step);
  }
  return step;
}

double InteriorPoint::calc_gap_after(double step) const {
  double sum = 0.0;
  for (int a = 0; a < Q_.num_blocks(); ++a) {
    for (int i = Q_.first_row[a]; i < Q_.first_row[a] + cone_size(a); ++i) {
      sum += (now_.x[i] + step * direction_.x[i]) * (now_.y[i] + step * direction_.y[i]);
    }
  }
  return sum / std::max(1, num_cones_);
}

// Computes v = lambda \ (target e - lambda o lambda - (V dx) o (V^-1 dy)).
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
      apply(scaling.V, &direction_.x[first], n, scaled_dx);
      apply(scaling.V_inverse, &direction_.y[first], n, scaled_dy);
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
        x[i] = now_.x[first + i] + step * direction_.x[first + i];
        y[i] = now_.y[first + i] + step * direction_.y[first + i];
      }
      is_central = calc_centrality(x, y, n) >= wanted;
    }
    if (is_central) break;
  }
  return step;
}

void InteriorPoint::advance(double step) {
  for (std::size_t i = 0; i < now_.x.size(); ++i) {
    now_.x[i] += step * direction_.x[i];
    now_.y[i] += step * direction_.y[i];
  }
}

bool InteriorPoint::is_stuck() const {
  const std::size_t n = merits_.size();
  return !std::isfinite(merits_.back()) || now_.gap < kSmallestGap ||
         (n > kInteriorPatience &&
          merits_.back() > pace_.progress * merits_[n - 1 - kInteriorPatience]);
}

bool InteriorPoint::run(double pause, Search* search) {
  while (merits_.size() < kMaxInteriorSteps && !search->is_exhausted()) {
    ++search->effort.interior_point;
    if (!factorize()) return false;
    step();
    update_residual();
    const double error = search->offer(*problem_, Stage::kInteriorPoint, now_.r, now_.u);
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
  const double ratio = std::max(0.0, calc_gap_after(affine_step) / now_.gap);
  const double exponent = std::max(1.0, 3.0 * affine_step * affine_step);
  // ratio^exponent for an exponent between 1 and 3, interpolated between integer powers.
  const double power = exponent < 2.0 ? ratio * (1.0 + (exponent - 1.0) * (ratio - 1.0))
                                      : ratio * ratio * (1.0 + (exponent - 2.0) * (ratio - 1.0));
  const double centring = std::max(1e-4, 0.998 * std::min(1.0, power));
  make_corrector(centring * now_.gap, centring < 0.9);
  solve_step(v_);
  const double largest = std::min(1.0, (0.9 + 0.09 * last_step_) * calc_step_limit());
  last_step_ = find_step(largest);
  advance(last_step_);
}

}  // namespace tenpin::complementarity::cone
