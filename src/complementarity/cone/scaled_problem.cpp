#include "complementarity/cone/scaled_problem.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

void project_on_cone(double mu, double* w) {
  const double t = std::sqrt(w[1] * w[1] + w[2] * w[2]);
  if (mu * t <= -w[0]) {  // first: without friction and slip both tests hold below zero
    w[0] = w[1] = w[2] = 0.0;
    return;
  }
  if (t <= mu * w[0]) return;
  w[0] = (mu * t + w[0]) / (mu * mu + 1.0);
  const double shrink = mu * w[0] / t;
  w[1] *= shrink;
  w[2] *= shrink;
}

// What is cut off a cone below r_N = 0 leaves a disk there.
void project(double mu, double given, double* w) {
  const double t1 = w[1];
  const double t2 = w[2];
  w[0] += given;
  project_on_cone(mu, w);
  w[0] -= given;
  if (w[0] >= 0.0) return;
  const double t = std::sqrt(t1 * t1 + t2 * t2);
  const double shrink = t > mu * given ? mu * given / t : 1.0;
  w[0] = 0.0;
  w[1] = shrink * t1;
  w[2] = shrink * t2;
}

struct LawOfBlock {
  double mu = 0.0;
  double given = 0.0;
};

// |r - P_K(r - ratio uhat)|^2.
double calc_square_residual(const double* r, const double* u, const LawOfBlock& law, double ratio) {
  const double slip = std::sqrt(u[1] * u[1] + u[2] * u[2]);
  double w[3] = {r[0] - ratio * (u[0] + law.mu * slip), r[1] - ratio * u[1], r[2] - ratio * u[2]};
  project(law.mu, law.given, w);
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += (r[i] - w[i]) * (r[i] - w[i]);
  return sum;
}

double square(const double* v, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sum;
}

}  // namespace

bool ScaledProblem::reset(const ConeProblem& problem, Measure measure) {
  W = problem.W;
  q = problem.q;
  kind = problem.kind;
  mu = problem.mu;
  given = problem.given;
  measure_ = measure;
  block_scale_.assign(num_blocks(), 1.0);
  double q_square = 0.0;
  for (int a = 0; a < num_blocks(); ++a) {
    const int n = W.size(a);
    double trace = 0.0;
    for (int i = 0; i < n; ++i) trace += W.entry(W.diagonal[a])[i + i * n];
    if (trace > 0.0) block_scale_[a] = 1.0 / std::sqrt(trace / n);
    const double d = block_scale_[a];
    for (int i = W.first_row[a]; i < W.first_row[a + 1]; ++i) {
      q_square += q[i] * q[i];
      q[i] *= d;
    }
  }
  const double scaled_square = square(q.data(), num_rows());
  unit_ = scaled_square > 0.0 ? std::sqrt(scaled_square / num_blocks()) : 1.0;
  for (double& x : q) x /= unit_;
  reference_ = std::sqrt(measure == Measure::kErrQ ? q_square : scaled_square);
  if (!(reference_ > 0.0)) reference_ = 1.0;
  double sum = q_square + scaled_square;
  for (const double x : mu) sum += x;
  has_given = false;
  for (int a = 0; a < num_blocks(); ++a) {
    given[a] /= block_scale_[a] * unit_;
    sum += given[a];
    has_given = has_given || given[a] > 0.0;
  }
  for (int a = 0; a < num_blocks(); ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
      const double factor = block_scale_[a] * block_scale_[W.col[e]];
      for (int k = W.value_begin[e]; k < W.value_begin[e + 1]; ++k) {
        W.values[k] *= factor;
        sum += std::fabs(W.values[k]);
      }
    }
  }
  return std::isfinite(sum);
}

double ScaledProblem::calc_error(std::span<const double> r, std::span<const double> u) const {
  double sum = 0.0;
  for (int a = 0; a < num_blocks(); ++a) {
    const int i = W.first_row[a];
    const double d = block_scale_[a];
    const LawOfBlock law = {.mu = mu[a], .given = given[a]};
    if (measure_ == Measure::kErrQ) {
      // r - P(r - uhat) in original units: r = d s r', u = s / d u'.
      sum += is_contact(a) ? d * d * calc_square_residual(&r[i], &u[i], law, 1.0 / (d * d))
                           : square(&u[i], W.size(a)) / (d * d);
    } else {
      // w = 1 / d^2 turns w |r - P(r - uhat / w)|^2 into the scaled residual itself.
      sum +=
          is_contact(a) ? calc_square_residual(&r[i], &u[i], law, 1.0) : square(&u[i], W.size(a));
    }
  }
  return unit_ * std::sqrt(sum) / reference_;
}

double ScaledProblem::calc_natural_residual(std::span<const double> r,
                                            std::span<const double> u) const {
  double sum = 0.0;
  for (int a = 0; a < num_blocks(); ++a) {
    const int i = W.first_row[a];
    const LawOfBlock law = {.mu = mu[a], .given = given[a]};
    sum += is_contact(a) ? calc_square_residual(&r[i], &u[i], law, 1.0) : square(&u[i], W.size(a));
  }
  return std::sqrt(sum / std::max(1, num_blocks()));
}

void ScaledProblem::to_scaled(std::span<const double> original, std::vector<double>* r) const {
  r->resize(num_rows());
  for (int a = 0; a < num_blocks(); ++a) {
    const double factor = 1.0 / (block_scale_[a] * unit_);
    for (int i = W.first_row[a]; i < W.first_row[a + 1]; ++i) (*r)[i] = factor * original[i];
  }
}

void ScaledProblem::to_original(std::span<const double> r, std::vector<double>* original) const {
  original->resize(num_rows());
  for (int a = 0; a < num_blocks(); ++a) {
    const double factor = block_scale_[a] * unit_;
    for (int i = W.first_row[a]; i < W.first_row[a + 1]; ++i) (*original)[i] = factor * r[i];
  }
}

void project_on_cones(const ScaledProblem& problem, std::span<double> r) {
  for (int a = 0; a < problem.num_blocks(); ++a) {
    if (!problem.is_contact(a)) continue;
    project(problem.mu[a], problem.given[a], &r[problem.W.first_row[a]]);
  }
}

}  // namespace tenpin::complementarity::cone
