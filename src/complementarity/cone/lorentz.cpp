#include "complementarity/cone/lorentz.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

double dot(const double* x, const double* y, int n) {
  double sum = x[0] * y[0];
  for (int i = 1; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// x_0 y_0 - x_T y_T.
double dot_reflected(const double* x, const double* y, int n) {
  double sum = x[0] * y[0];
  for (int i = 1; i < n; ++i) sum -= x[i] * y[i];
  return sum;
}

}  // namespace

double tangent_norm(const double* x, int n) {
  double sum = 0.0;
  for (int i = 1; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

double calc_determinant(const double* x, int n) {
  if (n == 1) return x[0] * x[0];
  const double t = tangent_norm(x, n);
  return (x[0] - t) * (x[0] + t);
}

void calc_scaling(const double* x, const double* y, int n, NesterovTodd* scaling) {
  NesterovTodd& s = *scaling;
  if (n == 1) {
    s.V[0][0] = std::sqrt(y[0] / x[0]);
    s.V_inverse[0][0] = 1.0 / s.V[0][0];
    s.lambda[0] = std::sqrt(x[0] * y[0]);
    return;
  }
  const double root_x = std::sqrt(calc_determinant(x, n));
  const double root_y = std::sqrt(calc_determinant(y, n));
  // w is the unit point half way between J x and y.
  const double g = std::sqrt(0.5 * (1.0 + dot(x, y, n) / (root_x * root_y)));
  double w[kMaxCone] = {1.0};
  double sum = 1.0;
  for (int i = 1; i < n; ++i) {
    w[i] = (y[i] / root_y - x[i] / root_x) / (2.0 * g);
    sum += w[i] * w[i];
  }
  w[0] = std::sqrt(sum);
  const double eta = std::sqrt(root_y / root_x);
  const double f = 1.0 / (1.0 + w[0]);
  for (int i = 0; i < n; ++i) {
    s.lambda[i] = 0.0;
    for (int j = 0; j < n; ++j) {
      const bool is_edge = i == 0 || j == 0;
      const double unit = is_edge ? w[i + j] : (i == j ? 1.0 : 0.0) + f * w[i] * w[j];
      s.V[i][j] = eta * unit;
      // The inverse has w reflected: J V J / eta^2.
      s.V_inverse[i][j] = ((i == 0) == (j == 0) ? unit : -unit) / eta;
      s.lambda[i] += s.V[i][j] * x[j];
    }
  }
}

void multiply(const double* x, const double* y, int n, double* product) {
  if (n == 1) {
    product[0] = x[0] * y[0];
    return;
  }
  const double first = dot(x, y, n);
  for (int i = 1; i < n; ++i) product[i] = x[0] * y[i] + y[0] * x[i];
  product[0] = first;
}

void divide(const double* y, const double* x, int n, double* quotient) {
  if (n == 1) {
    quotient[0] = y[0] / x[0];
    return;
  }
  const double first = dot_reflected(x, y, n) / calc_determinant(x, n);
  for (int i = 1; i < n; ++i) quotient[i] = (y[i] - first * x[i]) / x[0];
  quotient[0] = first;
}

double calc_step_to_boundary(const double* x, const double* dx, int n, double limit) {
  if (n == 1) return dx[0] < 0.0 ? std::min(limit, -x[0] / dx[0]) : limit;
  // Smallest positive root of a t^2 + 2 b t + c, c = det x > 0.
  const double a = calc_determinant(dx, n);
  const double b = dot_reflected(x, dx, n);
  const double c = calc_determinant(x, n);
  const double discriminant = b * b - a * c;
  double step = limit;
  if (discriminant >= 0.0) {
    const double root = std::sqrt(discriminant);
    if (b < 0.0) {
      step = std::min(step, c / (root - b));
    } else if (a < 0.0) {
      step = std::min(step, (b + root) / -a);
    }
  }
  if (dx[0] < 0.0) step = std::min(step, -x[0] / dx[0]);
  return step;
}

double calc_centrality(const double* x, const double* y, int n) {
  if (n == 1) return x[0] * y[0];
  const double p = dot(x, y, n);
  const double product = calc_determinant(x, n) * calc_determinant(y, n);
  const double discriminant = std::sqrt(std::max(0.0, p * p - product));
  return product / (p + discriminant);
}

}  // namespace tenpin::complementarity::cone
