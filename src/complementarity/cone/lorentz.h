// The algebra of the second-order (Lorentz) cone x_0 >= |(x_1, x_2)|, and of the half-line: vectors
// of three or of one number.   [AG03]
#pragma once

namespace tenpin::complementarity::cone {

// A symmetric block that maps x and y to one point: V x = V^-1 y = lambda (Nesterov and Todd).
struct NesterovTodd {
  double V[3][3] = {};
  double V_inverse[3][3] = {};
  double lambda[3] = {};
};

// x and y inside the cone. n is 3 or 1.
void calc_scaling(const double* x, const double* y, int n, NesterovTodd* scaling);

// Jordan product x o y, and z with x o z = y.
void multiply(const double* x, const double* y, int n, double* product);
void divide(const double* y, const double* x, int n, double* quotient);

// |x_T| of three numbers.
[[nodiscard]] double tangent_norm(const double* x);

// x_0^2 - |x_T|^2, without cancellation; x itself for n = 1.
[[nodiscard]] double calc_determinant(const double* x, int n);

// The largest t <= limit with x + t dx in the cone.
[[nodiscard]] double calc_step_to_boundary(const double* x, const double* dx, int n, double limit);

// The smaller squared eigenvalue of lambda: how far the pair is from the boundary.
[[nodiscard]] double calc_centrality(const double* x, const double* y, int n);

}  // namespace tenpin::complementarity::cone
