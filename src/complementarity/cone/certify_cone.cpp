#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "complementarity/compensated.h"
#include "complementarity/cone/cone_problem.h"

namespace tenpin::complementarity::cone {
namespace {

// The rows of one contact; the last one is zero if the contact has no spin row.
using Four = std::array<double, 4>;

double square(const Four& v) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
}

double tangential(const Four& v) {
  return std::sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
}

Four read_contact(const double* rows, int n) {
  return {rows[0], rows[1], rows[2], n > 3 ? rows[3] : 0.0};
}

struct Law {
  double mu = 0.0;
  double given = 0.0;
};

// The nearest point of K, or of the cone whose tip is cut off by a given load.
Four project(const Four& w, const Law& law) {
  const double t = tangential(w);
  const double height = w[0] + law.given;  // above the tip
  double n = w[0];
  if (law.mu * t <= -height) {
    n = -law.given;
  } else if (t > law.mu * height) {
    n = (law.mu * t + height) / (law.mu * law.mu + 1.0) - law.given;
  }
  n = std::max(n, 0.0);
  const double reach = law.mu * (n + law.given);
  const double shrink = t > reach ? reach / t : 1.0;
  return {n, shrink * w[1], shrink * w[2], shrink * w[3]};
}

// r - P_K(r - d) with d = scale uhat. Computed as d + (w - P_K(w)), so that d is not lost when it
// is below the rounding of r.
Four calc_natural_map(const Four& r, const Four& u, const Law& law, double scale) {
  const Four d = {scale * (u[0] + law.mu * tangential(u)), scale * u[1], scale * u[2],
                  scale * u[3]};
  const Four w = {r[0] - d[0], r[1] - d[1], r[2] - d[2], r[3] - d[3]};
  const Four p = project(w, law);
  return {d[0] + (w[0] - p[0]), d[1] + (w[1] - p[1]), d[2] + (w[2] - p[2]), d[3] + (w[3] - p[3])};
}

// Row i of block a of W r + q, summed in double-double precision.
double calc_row(const ConeProblem& problem, int a, int i, std::span<const double> r) {
  const BlockMatrix& W = problem.W;
  double high = problem.q[W.first_row[a] + i];
  double low = 0.0;
  for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
    const int b = W.col[e];
    for (int j = 0; j < W.size(b); ++j) {
      const DoubleDouble product =
          two_product(W.entry(e)[i + j * W.size(a)], r[W.first_row[b] + j]);
      const DoubleDouble sum = two_sum(high, product.high);
      high = sum.high;
      low += sum.low + product.low;
    }
  }
  return high + low;
}

double calc_mean_diagonal(const BlockMatrix& W, int a) {
  double trace = 0.0;
  for (int i = 0; i < W.size(a); ++i) trace += W.entry(W.diagonal[a])[i + i * W.size(a)];
  return trace / W.size(a);
}

double norm(std::span<const double> v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

double max_abs(std::span<const double> v) {
  double largest = 0.0;
  for (const double x : v) largest = std::max(largest, std::fabs(x));
  return largest;
}

double ratio(double value, double scale) {
  return scale > 0.0 ? value / scale : value;
}

struct Sums {
  double velocity = 0.0;     // |u|^2
  double natural = 0.0;      // |e|^2
  double energy = 0.0;       // w |e|^2
  double q_energy = 0.0;     // |q|^2 / w
  double work = 0.0;         // uhat.(r + g)  without the normal work of g
  double gain = 0.0;         // max u_T.r_T
  double violation = 0.0;    // max |r_T| - mu (r_N + g)
  double normal = 0.0;       // max r_N + g
  double penetration = 0.0;  // max -u_N
  double free = 0.0;         // max |u| of free rows
};

void add_contact(const Four& r, const Four& u, const Law& law, double w, Sums* sums) {
  sums->natural += square(calc_natural_map(r, u, law, 1.0));
  if (w > 0.0) sums->energy += w * square(calc_natural_map(r, u, law, 1.0 / w));
  const double friction_power = u[1] * r[1] + u[2] * r[2] + u[3] * r[3];
  const double load = r[0] + law.given;
  sums->work += u[0] * r[0] + law.mu * tangential(u) * load + friction_power;
  sums->gain = std::max(sums->gain, friction_power);
  sums->violation = std::max(sums->violation, tangential(r) - law.mu * load);
  sums->normal = std::max(sums->normal, load);
  sums->penetration = std::max(sums->penetration, -u[0]);
}

void add_free(double u, double w, Sums* sums) {
  sums->natural += u * u;
  if (w > 0.0) sums->energy += u * u / w;
  sums->free = std::max(sums->free, std::fabs(u));
}

// Computes the sums block by block, without storing the rows of u = W r + q.
Sums sum_up(const ConeProblem& problem, std::span<const double> r) {
  Sums sums;
  const BlockMatrix& W = problem.W;
  for (int a = 0; a < W.num_blocks(); ++a) {
    const int first = W.first_row[a];
    const double w = calc_mean_diagonal(W, a);
    const bool is_contact = problem.kind[a] == BlockKind::kContact;
    Four of_contact = {};
    for (int i = 0; i < W.size(a); ++i) {
      const double u = calc_row(problem, a, i, r);
      sums.velocity += u * u;
      if (w > 0.0) sums.q_energy += problem.q[first + i] * problem.q[first + i] / w;
      if (is_contact) {
        of_contact[i] = u;
      } else {
        add_free(u, w, &sums);
      }
    }
    if (!is_contact) continue;
    add_contact(read_contact(&r[first], W.size(a)), of_contact,
                {.mu = problem.mu[a], .given = problem.given[a]}, w, &sums);
  }
  return sums;
}

}  // namespace

ConeResidual certify_cone(const ConeProblem& problem, std::span<const double> r) {
  TENPIN_DEMAND(r.size() == problem.q.size());
  const Sums sums = sum_up(problem, r);
  const double q_norm = norm(problem.q);
  const double r_norm = norm(r);
  const double u_norm = std::sqrt(sums.velocity);
  const double absolute = std::sqrt(sums.natural);
  ConeResidual residual;
  residual.err_sic = ratio(absolute, std::max({q_norm, r_norm, u_norm}));
  residual.err_q = ratio(absolute, q_norm);
  residual.energy = ratio(std::sqrt(sums.energy), std::sqrt(sums.q_energy));
  residual.cone_violation = ratio(sums.violation, sums.normal);
  residual.penetration = ratio(sums.penetration, max_abs(problem.q));
  residual.complementarity = ratio(std::fabs(sums.work), r_norm * u_norm);
  residual.friction_gain = ratio(sums.gain, r_norm * u_norm);
  residual.free_velocity = ratio(sums.free, max_abs(problem.q));
  residual.finite = std::isfinite(absolute) && std::isfinite(r_norm) && std::isfinite(u_norm);
  return residual;
}

}  // namespace tenpin::complementarity::cone
