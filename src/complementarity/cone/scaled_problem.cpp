#include "complementarity/cone/scaled_problem.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

// The limits on the reaction of a contact with n rows.
struct Limit {
  int n = 3;
  double mu = 0.0;
  double given = 0.0;
};

double calc_tangent_norm(const double* v, int n) {
  double sum = v[1] * v[1] + v[2] * v[2];
  if (n > 3) sum += v[3] * v[3];
  return std::sqrt(sum);
}

void scale_tangents(double factor, int n, double* v) {
  for (int i = 1; i < n; ++i) v[i] *= factor;
}

void project_on_cone(const Limit& limit, double* w) {
  const double mu = limit.mu;
  const double t = calc_tangent_norm(w, limit.n);
  // tested first, because without friction and slip both tests hold below zero
  if (mu * t <= -w[0]) {
    std::fill_n(w, limit.n, 0.0);
    return;
  }
  if (t <= mu * w[0]) return;
  w[0] = (mu * t + w[0]) / (mu * mu + 1.0);
  scale_tangents(mu * w[0] / t, limit.n, w);
}

// Projects onto the limit. Cutting off the cone below r_N = 0 leaves a disk there.
void project(const Limit& limit, double* w) {
  if (limit.given == 0.0) {
    project_on_cone(limit, w);
    return;
  }
  double lifted[4] = {};
  std::copy_n(w, limit.n, lifted);
  lifted[0] += limit.given;
  project_on_cone(limit, lifted);
  if (lifted[0] >= limit.given) {
    std::copy_n(lifted, limit.n, w);
    w[0] -= limit.given;
    return;
  }
  const double t = calc_tangent_norm(w, limit.n);
  const double reach = limit.mu * limit.given;
  w[0] = 0.0;
  if (t > reach) scale_tangents(reach / t, limit.n, w);
}

// |r - P_K(r - ratio uhat)|^2.
double calc_square_residual(const double* r, const double* u, const Limit& limit, double ratio) {
  double d[4] = {};
  double w[4] = {};
  double p[4] = {};
  for (int i = 0; i < limit.n; ++i) d[i] = ratio * u[i];
  d[0] = ratio * (u[0] + limit.mu * calc_tangent_norm(u, limit.n));
  for (int i = 0; i < limit.n; ++i) p[i] = w[i] = r[i] - d[i];
  project(limit, p);
  double sum = 0.0;
  for (int i = 0; i < limit.n; ++i) {
    const double e =
        d[i] + (w[i] - p[i]);  // r - p, computed so that d is not lost in the rounding of r
    sum += e * e;
  }
  return sum;
}

double square(const double* v, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sum;
}

}  // namespace

double calc_square_residual(const Vec3& r, const Vec3& u, double mu, double w) {
  return calc_square_residual(r.data(), u.data(), {.mu = mu}, 1.0 / w);
}

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
    const Limit limit = {.n = W.size(a), .mu = mu[a], .given = given[a]};
    if (measure_ == Measure::kErrQ) {
      // The natural residual r - P(r - uhat) in original units: r = d s r', u = s / d u'.
      sum += is_contact(a) ? d * d * calc_square_residual(&r[i], &u[i], limit, 1.0 / (d * d))
                           : square(&u[i], W.size(a)) / (d * d);
    } else {
      // The weight w = 1 / d^2 turns w |r - P(r - uhat / w)|^2 into the scaled residual itself.
      sum +=
          is_contact(a) ? calc_square_residual(&r[i], &u[i], limit, 1.0) : square(&u[i], W.size(a));
    }
  }
  return unit_ * std::sqrt(sum) / reference_;
}

double ScaledProblem::calc_natural_residual(std::span<const double> r,
                                            std::span<const double> u) const {
  double sum = 0.0;
  for (int a = 0; a < num_blocks(); ++a) {
    const int i = W.first_row[a];
    const Limit limit = {.n = W.size(a), .mu = mu[a], .given = given[a]};
    sum +=
        is_contact(a) ? calc_square_residual(&r[i], &u[i], limit, 1.0) : square(&u[i], W.size(a));
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
    project({.n = problem.W.size(a), .mu = problem.mu[a], .given = problem.given[a]},
            &r[problem.W.first_row[a]]);
  }
}

}  // namespace tenpin::complementarity::cone
