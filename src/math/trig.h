// Trigonometry whose bits do not depend on the C library or on the processor it dispatches for.
#pragma once

namespace tenpin {

struct SinCos {
  double sin = 0.0;
  double cos = 1.0;
};

// Both at once; error below 0.85 ulp for every finite angle, NaN for others.
[[nodiscard]] SinCos sin_cos(double angle);

// The angle of the vector (x, y) in (-pi, pi], to 0.85 ulp; 0 for (0, 0), NaN for NaN.
[[nodiscard]] double arc_tangent(double y, double x);

inline constexpr double kPi = 3.14159265358979323846;

}  // namespace tenpin
