#include "lab/compare_motion.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace tenpin::lab {

namespace {

using record::BodyMotion;
using record::HeaderPart;
using record::ShapeKind;

// -   times count as equal up to the rounding of n h
constexpr double kSameTime = 1e-9;

BodyMotion interpolate(const BodyMotion& a, const BodyMotion& b, double span, double s) {
  const double s2 = s * s;
  const double s3 = s2 * s;
  BodyMotion result;
  result.position = (2.0 * s3 - 3.0 * s2 + 1.0) * a.position + (3.0 * s2 - 2.0 * s3) * b.position +
                    span * ((s3 - 2.0 * s2 + s) * a.velocity + (s3 - s2) * b.velocity);
  const double sign = a.orientation.dot(b.orientation) < 0.0 ? -1.0 : 1.0;
  result.orientation.coeffs() =
      (1.0 - s) * a.orientation.coeffs() + sign * s * b.orientation.coeffs();
  result.orientation.normalize();
  result.velocity = (1.0 - s) * a.velocity + s * b.velocity;
  result.angular_velocity = (1.0 - s) * a.angular_velocity + s * b.angular_velocity;
  return result;
}

// m   Farthest point of a part from the body's origin.
double calc_part_radius(const HeaderPart& part) {
  const auto& [x, y, z] = part.parameters;
  const Vec3 c = -part.R_OS.transpose() * part.p_OS;  // the origin in the shape's frame
  switch (part.kind) {
    case ShapeKind::kSphere:
      return c.norm() + x;
    case ShapeKind::kEllipsoid:
      return c.norm() + std::max({x, y, z});  // an upper bound for the farthest point
    case ShapeKind::kBox:
      return (c.cwiseAbs() + Vec3(x, y, z)).norm();
    case ShapeKind::kCapsule:
      return Vec3(c.x(), c.y(), std::fabs(c.z()) + y).norm() + x;
    case ShapeKind::kCylinder:
      return Vec3(std::sqrt(c.x() * c.x() + c.y() * c.y()) + x, 0.0, std::fabs(c.z()) + y).norm();
    case ShapeKind::kCone:
      return std::max(Vec3(std::sqrt(c.x() * c.x() + c.y() * c.y()) + x, 0.0, c.z() + y).norm(),
                      (c - Vec3(0.0, 0.0, y)).norm());
    case ShapeKind::kPlane:
    case ShapeKind::kBowl:
      return 0.0;
    case ShapeKind::kPolyhedron: {
      double radius = 0.0;
      for (const Vec3& p : part.vertices) radius = std::max(radius, (p - c).norm());
      return radius;
    }
  }
  return 0.0;
}

}  // namespace

MotionSampler::MotionSampler(const record::RunReader& run) : run_(run) {
  TENPIN_REQUIRE(run.num_frames() > 0, run.path() + ": has no frame to compare");
  before_ = after_ = run.read_frame(0);
  end_time_ = run.read_frame(run.num_frames() - 1).t;
}

const std::vector<BodyMotion>& MotionSampler::sample(double t) {
  const double slack = kSameTime * std::max(1.0, std::fabs(t));
  while (after_.t <= t + slack) {
    before_ = after_;
    if (next_ + 1 >= run_.num_frames()) break;
    after_ = run_.read_frame(++next_);
  }
  bodies_ = before_.bodies;
  const double span = after_.t - before_.t;
  if (t <= before_.t + slack || span <= 0.0) return bodies_;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i] = interpolate(before_.bodies[i], after_.bodies[i], span, (t - before_.t) / span);
  }
  return bodies_;
}

std::vector<double> calc_body_radii(const record::RunHeader& header) {
  std::vector<double> radii(header.bodies.size(), 0.0);
  for (const HeaderPart& part : header.parts) {
    double& radius = radii[part.body];
    radius = std::max(radius, calc_part_radius(part));
  }
  return radii;
}

double calc_distance(const BodyMotion& a, const BodyMotion& b, double radius) {
  const auto& p = a.orientation.coeffs();
  const auto& q = b.orientation.coeffs();
  // Sine of a quarter of the angle, from the difference of the quaternions: exact for equal ones.
  const double quarter = std::min(0.5 * std::min((p - q).norm(), (p + q).norm()), 1.0);
  const double half = 2.0 * quarter * std::sqrt(1.0 - quarter * quarter);
  return (a.position - b.position).norm() + 2.0 * radius * half;
}

BodyDistance find_farthest(const std::vector<BodyMotion>& a, const std::vector<BodyMotion>& b,
                           const std::vector<double>& radii) {
  BodyDistance farthest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double distance = calc_distance(a[i], b[i], radii[i]);
    if (farthest.body < 0 || distance > farthest.distance) {
      farthest = {.body = static_cast<int>(i), .distance = distance};
    }
  }
  return farthest;
}

double calc_largest_distance(const record::RunReader& a, const record::RunReader& b, double t) {
  const std::vector<double> radii = calc_body_radii(a.header());
  MotionSampler in_a(a);
  MotionSampler in_b(b);
  double largest = 0.0;
  for (const double at : a.read_frame_times()) {
    if (at > std::min(t, in_b.end_time()) * (1.0 + kSameTime)) break;
    largest = std::max(largest, find_farthest(in_a.sample(at), in_b.sample(at), radii).distance);
  }
  return largest;
}

}  // namespace tenpin::lab
