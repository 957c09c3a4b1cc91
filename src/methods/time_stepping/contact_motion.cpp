#include "methods/time_stepping/contact_motion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactVector;

namespace {

constexpr std::uint32_t kElsewhere = 1U << 27U;  // above all indices of features, below their kinds

}  // namespace

ContactVector calc_contact_velocity(const dynamics::Model& model, const Contact& c,
                                    const BodyMotion& motion, const VecX& v) {
  if (c.kind != contact::ContactKind::kSurface) {
    const dynamics::Joint& joint = model.bodies[c.body_b].joint;
    const int n = std::min(3, num_velocities(joint.type));
    return {c.direction.head(n).dot(v.segment(joint.v_begin, n)), 0.0, 0.0, 0.0};
  }
  const dynamics::Twist& a = motion.V[c.body_a];
  const dynamics::Twist& b = motion.V[c.body_b];
  const Vec3 u = b.at(c.p_b - motion.X[c.body_b].p) - a.at(c.p_a - motion.X[c.body_a].p);
  const ContactVector velocity = {c.normal.dot(u), c.t1.dot(u), c.t2.dot(u),
                                  c.normal.dot(b.w - a.w)};
  return c.has_belt ? ContactVector(velocity + contact::belt_velocity(c)) : velocity;
}

Contact carry(const Contact& c, const std::vector<Pose>& from, const std::vector<Pose>& to) {
  Contact moved = c;
  if (c.kind != contact::ContactKind::kSurface) return moved;
  moved.p_a = to[c.body_a] * (from[c.body_a].inverse() * c.p_a);
  moved.p_b = to[c.body_b] * (from[c.body_b].inverse() * c.p_b);
  moved.gap = c.normal.dot(moved.p_b - moved.p_a);
  return moved;
}

void align_tangents(const Contact& other, Contact* contact) {
  if (contact->kind != contact::ContactKind::kSurface || !is_isotropic(*contact)) return;
  const Vec3 t1 = other.t1 - contact->normal * contact->normal.dot(other.t1);
  const double length = t1.norm();
  constexpr double kTurned = 0.5;  // below this the two normals are unrelated
  if (length < kTurned) return;
  contact->t1 = t1 / length;
  contact->t2 = contact->normal.cross(contact->t1);
}

Contact calc_middle(const TwoTimes& times, const std::vector<Pose>& X) {
  const Contact& first = times.first;
  const Contact& second = times.second;
  Contact c = first;
  if (c.kind != contact::ContactKind::kSurface) {
    c.direction = (first.direction + second.direction).normalized();
    return c;
  }
  const Vec3 normal = first.normal + second.normal;
  const double length = normal.norm();
  if (length > 0.0) c.normal = normal / length;
  const auto place = [&](int body, const Vec3& p_first, const Vec3& p_second) -> Vec3 {
    return X[body].p +
           0.5 * ((p_first - times.X_first[body].p) + (p_second - times.X_second[body].p));
  };
  c.p_a = place(c.body_a, first.p_a, second.p_a);
  c.p_b = place(c.body_b, first.p_b, second.p_b);
  if (c.has_belt) c.belt = 0.5 * (first.belt + second.belt);
  if (is_isotropic(c)) {
    align_tangents(first, &c);
  } else {
    c.t1 = (first.t1 + second.t1).normalized();
    c.t1 = (c.t1 - c.normal * c.normal.dot(c.t1)).normalized();
    c.t2 = c.normal.cross(c.t1);
  }
  return c;
}

bool is_same_place(const dynamics::Model& model, const TwoTimes& times) {
  const Contact& first = times.first;
  const Contact& second = times.second;
  if (first.kind != contact::ContactKind::kSurface) return true;
  double turned = (second.normal - first.normal).norm();
  double moved = std::numeric_limits<double>::infinity();
  double arm = std::numeric_limits<double>::infinity();
  const auto look_from = [&](int body, const Vec3& p_first, const Vec3& p_second) {
    const Pose& X_first = times.X_first[body];
    const Pose& X_second = times.X_second[body];
    const Mat3 turn = X_second.R * X_first.R.transpose();
    turned = std::min(turned, (second.normal - turn * first.normal).norm());
    if (!model.bodies[body].is_mobile()) return;
    const Vec3 r0 = p_first - X_first.p;
    const Vec3 r1 = p_second - X_second.p;
    moved = std::min({moved, (r1 - r0).norm(), (r1 - turn * r0).norm()});
    arm = std::min(arm, std::max(r0.norm(), r1.norm()));
  };
  look_from(first.body_a, first.p_a, second.p_a);
  look_from(first.body_b, first.p_b, second.p_b);
  return turned <= kMostTurnOfContact && moved <= kMostTurnOfContact * arm;
}

Vec3 calc_mean_normal(const WeightedNormal& first, const WeightedNormal& later) {
  const Vec3 sum =
      std::max(first.impulse, 0.0) * first.normal + std::max(later.impulse, 0.0) * later.normal;
  const double length = sum.norm();
  return length > 0.0 ? Vec3(sum / length) : later.normal;
}

contact::ContactKey make_elsewhere_key(contact::ContactKey key) {
  key.feature_a |= kElsewhere;
  return key;
}

contact::ContactKey strip_elsewhere(contact::ContactKey key) {
  key.feature_a &= ~kElsewhere;
  return key;
}

Crossing calc_crossing(const GapSamples& gap, double h) {
  const double c = (gap.g1 - gap.g0 - gap.u0 * h) / (h * h);
  const double root = std::sqrt(std::max(0.0, gap.u0 * gap.u0 - 4.0 * c * gap.g0));
  // The smaller root, without cancellation whichever way the gap moves.
  double s = 0.0;
  if (gap.u0 <= 0.0) {
    s = root > gap.u0 ? 2.0 * gap.g0 / (root - gap.u0) : 0.0;
  } else if (c < 0.0) {
    s = (-gap.u0 - root) / (2.0 * c);
  }
  s = std::clamp(s, 0.0, h);
  return {.s = s, .speed = gap.u0 + 2.0 * c * s, .bend = 2.0 * c};
}

}  // namespace tenpin::methods::time_stepping
