// Trigonometry whose bits depend neither on the C library nor on the processor.
#pragma once

namespace tenpin {

struct SinCos {
  double sin = 0.0;
  double cos = 1.0;
};

// Sine and cosine together; error below 0.85 ulp for every finite angle, NaN for others.
[[nodiscard]] SinCos sin_cos(double angle);

// The angle of the vector (x, y) in (-pi, pi], to 0.85 ulp; 0 for (0, 0), NaN for NaN.
[[nodiscard]] double arc_tangent(double y, double x);

inline constexpr double kPi = 3.14159265358979323846;

}  // namespace tenpin
