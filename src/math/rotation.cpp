#include "math/rotation.h"

#include <cmath>

#include "math/trig.h"

namespace tenpin {

Mat3 skew(const Vec3& a) {
  Mat3 S;
  S << 0.0, -a.z(), a.y(),  //
      a.z(), 0.0, -a.x(),   //
      -a.y(), a.x(), 0.0;
  return S;
}

Quat exp_map(const Vec3& rotation) {
  const double squared = rotation.squaredNorm();
  // Below this the next term of each series, angle^4/384 and angle^4/3840, is under half an ulp.
  constexpr double kSmall = 1e-7;
  if (squared < kSmall) {
    const double ratio = 0.5 - squared / 48.0;  // sin(angle/2) / angle
    return {1.0 - squared / 8.0, ratio * rotation.x(), ratio * rotation.y(), ratio * rotation.z()};
  }
  const double angle = std::sqrt(squared);
  const SinCos half = sin_cos(0.5 * angle);
  const double ratio = half.sin / angle;
  return {half.cos, ratio * rotation.x(), ratio * rotation.y(), ratio * rotation.z()};
}

Vec3 log_map(const Quat& q) {
  const Vec3 axis = q.w() < 0.0 ? Vec3(-q.vec()) : Vec3(q.vec());
  const double w = std::fabs(q.w());
  const double sine = axis.norm();
  if (sine == 0.0) {
    return Vec3(2.0 * axis);  // zero, or too short to normalise
  }
  return Vec3(axis * (2.0 * arc_tangent(sine, w) / sine));
}

Mat3 to_matrix(const Quat& q) {
  const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
  const double s = 2.0 / ((w * w + x * x) + (y * y + z * z));
  Mat3 R;
  R << 1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y);
  return R;
}

Quat to_quaternion(const Mat3& R) {
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  int i = 0;  // the largest diagonal entry
  for (int k = 1; k < 3; ++k) {
    i = R(k, k) > R(i, i) ? k : i;
  }
  Quat q;
  if (trace >= R(i, i)) {
    q = Quat(1.0 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  } else {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    q.w() = R(k, j) - R(j, k);
    q.vec()[i] = 1.0 + 2.0 * R(i, i) - trace;
    q.vec()[j] = R(j, i) + R(i, j);
    q.vec()[k] = R(k, i) + R(i, k);
  }
  const double scale = (q.w() < 0.0 ? -1.0 : 1.0) /
                       std::sqrt((q.w() * q.w() + q.x() * q.x()) + (q.y() * q.y() + q.z() * q.z()));
  return {scale * q.w(), scale * q.x(), scale * q.y(), scale * q.z()};
}

}  // namespace tenpin
