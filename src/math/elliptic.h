// Elliptic integrals and functions with the same bits on every machine: they use only square roots
// and our own trigonometry.
#pragma once

namespace tenpin {

// Carlson's symmetric integrals by duplication, to about 1e-15.   [C95, §2]
// R_F(x, y, z) = 1/2 int_0^oo dt / sqrt((t+x)(t+y)(t+z)); no argument negative, at most one zero.
[[nodiscard]] double carlson_rf(double x, double y, double z);
// R_J(x, y, z, p) = 3/2 int_0^oo dt / ((t+p) sqrt((t+x)(t+y)(t+z))); p at least x, y and z.
[[nodiscard]] double carlson_rj(double x, double y, double z, double p);

// A modulus given by both of its squares, k^2 + k'^2 = 1 with k'^2 > 0: near 0 and near 1,
// computing one from the other loses digits.
struct Modulus {
  double k2 = 0.0;
  double k2_other = 1.0;  // k'^2
};

// K(k): a quarter of the period of Jacobi's functions.
[[nodiscard]] double calc_quarter_period(const Modulus& modulus);

// Sine and cosine of an amplitude phi, |phi| <= pi/2: Jacobi's sn and cn.
struct Amplitude {
  double sin = 0.0;  // sn
  double cos = 1.0;  // cn, not negative
};

// The amplitude with F(phi, k) = u, for |u| <= K. Relative error of each component about 1e-15.
[[nodiscard]] Amplitude calc_amplitude(double u, const Modulus& modulus);

}  // namespace tenpin
