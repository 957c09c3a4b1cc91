// The algebra of the Lorentz (second-order) cone x_0 >= |(x_1, x_2)|, of the same cone with one
// more dimension, and of the half-line: vectors of n = 3, 4 or 1 numbers.   [AG03]
#pragma once

namespace tenpin::complementarity::cone {

inline constexpr int kMaxCone = 4;

// A symmetric block that maps x and y to the same point: V x = V^-1 y = lambda (Nesterov-Todd
// scaling).
struct NesterovTodd {
  double V[kMaxCone][kMaxCone] = {};
  double V_inverse[kMaxCone][kMaxCone] = {};
  double lambda[kMaxCone] = {};
};

// Computes the scaling. x and y must lie inside the cone.
void calc_scaling(const double* x, const double* y, int n, NesterovTodd* scaling);

// multiply() computes the Jordan product x o y, and the next function computes z with x o z = y.
void multiply(const double* x, const double* y, int n, double* product);
void divide(const double* y, const double* x, int n, double* quotient);

// |x_T|.
[[nodiscard]] double tangent_norm(const double* x, int n);

// x_0^2 - |x_T|^2, without cancellation; x itself for n = 1.
[[nodiscard]] double calc_determinant(const double* x, int n);

// The largest t <= limit with x + t dx in the cone.
[[nodiscard]] double calc_step_to_boundary(const double* x, const double* dx, int n, double limit);

// The smaller squared eigenvalue of lambda, which measures the distance of the pair from the
// boundary.
[[nodiscard]] double calc_centrality(const double* x, const double* y, int n);

}  // namespace tenpin::complementarity::cone
