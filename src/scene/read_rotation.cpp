#include "scene/read_rotation.h"

#include <cmath>

#include "base/text.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "scene/check.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

Quat read_components(const Node& node, const std::string& path, ProblemList* problems) {
  Quat q(to_number(node.items[0]), to_number(node.items[1]), to_number(node.items[2]),
         to_number(node.items[3]));
  const double norm = std::sqrt(q.w() * q.w() + q.x() * q.x() + q.y() * q.y() + q.z() * q.z());
  if (std::abs(norm - 1.0) > kRotationTolerance) {
    problems->add(node.place, path,
                  "not a unit quaternion, got length " + to_text(norm) + ", want 1 within 1e-6");
    return Quat::Identity();
  }
  if (std::abs(norm - 1.0) > kUnitSlack) {
    q.coeffs() /= norm;
  }
  return q;
}

Quat read_axis_and_angle(const Node& node, const std::string& path, ProblemList* problems) {
  const Node* axis = node.find("axis");
  if (axis == nullptr) {
    problems->add(node.place, path + ".axis",
                  "missing, got nothing, want the direction that the angle turns about");
    return Quat::Identity();
  }
  const Vec3 direction = read_direction(*axis, path + ".axis", problems);
  double angle = 0.0;
  take(node, "degrees", &angle);
  angle *= kPi / 180.0;
  take(node, "radians", &angle);
  return exp_map(direction * angle);
}

// Gram-Schmidt by columns; the third column is the cross product of the others.
Mat3 orthonormalise(const Mat3& R) {
  Mat3 result;
  result.col(0) = R.col(0) / R.col(0).norm();
  const Vec3 y = R.col(1) - result.col(0) * result.col(0).dot(R.col(1));
  result.col(1) = y / y.norm();
  result.col(2) = result.col(0).cross(result.col(1));
  return result;
}

Mat3 read_matrix(const Node& node, const std::string& path, ProblemList* problems) {
  const Mat3 R = to_rows(node);
  const double error = (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (error > kRotationTolerance) {
    problems->add(node.place, path,
                  "not orthonormal, got an error of " + to_text(error) + ", want at most 1e-6");
    return Mat3::Identity();
  }
  const double determinant = R.col(0).cross(R.col(1)).dot(R.col(2));
  if (determinant < 0.0) {
    problems->add(node.place, path,
                  "a mirror image, got determinant " + to_text(determinant) + ", want +1");
    return Mat3::Identity();
  }
  return error > kUnitSlack ? orthonormalise(R) : R;
}

}  // namespace

Vec3 read_direction(const Node& node, const std::string& path, ProblemList* problems) {
  const Vec3 v = to_vector(node);
  const double norm = v.norm();
  if (norm < 1e-12) {
    problems->add(
        node.place, path,
        "not a direction, got length " + to_text(norm) + ", want a vector that is not zero");
    return Vec3::UnitZ();
  }
  return std::abs(norm - 1.0) > kUnitSlack ? Vec3(v / norm) : v;
}

Quat read_quaternion(const Node& node, const std::string& path, ProblemList* problems) {
  if (node.is_list()) {
    return read_components(node, path, problems);
  }
  if (const Node* matrix = node.find("matrix")) {
    return to_quaternion(read_matrix(*matrix, path + ".matrix", problems));
  }
  return read_axis_and_angle(node, path, problems);
}

Mat3 read_rotation(const Node& node, const std::string& path, ProblemList* problems) {
  if (const Node* matrix = node.find("matrix")) {
    return read_matrix(*matrix, path + ".matrix", problems);
  }
  return to_matrix(read_quaternion(node, path, problems));
}

}  // namespace tenpin::scene
