#include "complementarity/cone/lorentz.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

double dot(const double* x, const double* y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

}  // namespace

double tangent_norm(const double* x) {
  return std::sqrt(x[1] * x[1] + x[2] * x[2]);
}

double calc_determinant(const double* x, int n) {
  if (n == 1) return x[0] * x[0];
  const double t = tangent_norm(x);
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
  const double det_x = calc_determinant(x, 3);
  const double det_y = calc_determinant(y, 3);
  const double root_x = std::sqrt(det_x);
  const double root_y = std::sqrt(det_y);
  // w is the unit point half way between J x and y.
  const double g = std::sqrt(0.5 * (1.0 + dot(x, y) / (root_x * root_y)));
  const double w1 = (y[1] / root_y - x[1] / root_x) / (2.0 * g);
  const double w2 = (y[2] / root_y - x[2] / root_x) / (2.0 * g);
  const double w0 = std::sqrt(1.0 + w1 * w1 + w2 * w2);
  const double eta = std::sqrt(root_y / root_x);
  const double f = 1.0 / (1.0 + w0);
  const double unit[3][3] = {
      {w0, w1, w2}, {w1, 1.0 + f * w1 * w1, f * w1 * w2}, {w2, f * w1 * w2, 1.0 + f * w2 * w2}};
  for (int i = 0; i < 3; ++i) {
    s.lambda[i] = 0.0;
    for (int j = 0; j < 3; ++j) {
      s.V[i][j] = eta * unit[i][j];
      // The inverse has w reflected: J V J / eta^2.
      s.V_inverse[i][j] = ((i == 0) == (j == 0) ? unit[i][j] : -unit[i][j]) / eta;
      s.lambda[i] += s.V[i][j] * x[j];
    }
  }
}

void multiply(const double* x, const double* y, int n, double* product) {
  if (n == 1) {
    product[0] = x[0] * y[0];
    return;
  }
  const double first = dot(x, y);
  for (int i = 1; i < 3; ++i) product[i] = x[0] * y[i] + y[0] * x[i];
  product[0] = first;
}

void divide(const double* y, const double* x, int n, double* quotient) {
  if (n == 1) {
    quotient[0] = y[0] / x[0];
    return;
  }
  const double det = calc_determinant(x, 3);
  const double first = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / det;
  for (int i = 1; i < 3; ++i) quotient[i] = (y[i] - first * x[i]) / x[0];
  quotient[0] = first;
}

double calc_step_to_boundary(const double* x, const double* dx, int n, double limit) {
  if (n == 1) return dx[0] < 0.0 ? std::min(limit, -x[0] / dx[0]) : limit;
  // Smallest positive root of a t^2 + 2 b t + c, c = det x > 0.
  const double a = calc_determinant(dx, 3);
  const double b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
  const double c = calc_determinant(x, 3);
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
  const double p = dot(x, y);
  const double product = calc_determinant(x, 3) * calc_determinant(y, 3);
  const double discriminant = std::sqrt(std::max(0.0, p * p - product));
  return product / (p + discriminant);
}

}  // namespace tenpin::complementarity::cone
