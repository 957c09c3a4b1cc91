#include "contact/friction_cone.h"

#include <algorithm>
#include <cmath>

#include "math/trig.h"

namespace tenpin::contact {

namespace {

double across_over_along(const Contact& contact) {
  return contact.mu > 0.0 ? contact.mu_across / contact.mu : 1.0;
}

using LimitKind = dynamics::LimitSurface::Kind;

bool has_limit(const Contact& contact, LimitKind kind) {
  return contact.limit != nullptr && contact.limit->kind == kind;
}

// Scales the impulse so that its friction ellipsoid becomes the unit ball.
Vec3 to_ball(const Contact& contact, const Vec3& impulse) {
  if (has_limit(contact, LimitKind::kEllipsoid)) return contact.limit->axes_inv * impulse;
  const double ratio = across_over_along(contact);
  return {impulse.x(), ratio > 0.0 ? impulse.y() / ratio : 0.0,
          contact.torsion > 0.0 ? impulse.z() / contact.torsion : 0.0};
}

}  // namespace

FrictionCone::FrictionCone(int num_directions, double phase) {
  for (int j = 0; j < num_directions; ++j) {
    const auto [s, c] = sin_cos(2.0 * kPi * (j + phase) / num_directions);
    directions_.emplace_back(c, s);
  }
}

bool has_friction(const Contact& contact) {
  return std::max(contact.mu, contact.mu_static) > 0.0;
}

int FrictionCone::count(const Contact& contact) const {
  if (!has_friction(contact)) return 0;
  if (has_limit(contact, LimitKind::kPolytope))
    return static_cast<int>(contact.limit->points.size());
  const int in_plane = contact.is_planar ? 2 : static_cast<int>(directions_.size());
  return in_plane + (contact.torsion > 0.0 && !contact.is_planar ? 2 : 0);
}

Generator FrictionCone::generator(const Contact& contact, int j) const {
  if (contact.is_planar) return {j == 0 ? 1.0 : -1.0, 0.0, 0.0};
  if (has_limit(contact, LimitKind::kPolytope)) return contact.limit->points[j];
  const int k = static_cast<int>(directions_.size());
  if (has_limit(contact, LimitKind::kEllipsoid)) {
    return j < k ? Vec3(contact.limit->axes.leftCols<2>() * directions_[j])
                 : Vec3((j == k ? 1.0 : -1.0) * contact.limit->axes.col(2));
  }
  if (j >= k) return {0.0, 0.0, j == k ? contact.torsion : -contact.torsion};
  return {directions_[j].x(), across_over_along(contact) * directions_[j].y(), 0.0};
}

double FrictionCone::calc_gauge(const Contact& contact, const Vec3& impulse) const {
  if (contact.is_planar) return std::fabs(impulse.x());
  if (has_limit(contact, LimitKind::kPolytope))
    return dynamics::calc_gauge(*contact.limit, impulse);
  // The support of the polygon in the direction between two neighbours is the cosine of half the
  // angle between them. The gauge is the largest ratio of the impulse to that support, over all
  // edges.
  const int k = static_cast<int>(directions_.size());
  const Vec3 local = to_ball(contact, impulse);
  const Vec2 p = local.head<2>();
  double gauge = k == 0 ? p.norm() : 0.0;
  for (int j = 0; j < k; ++j) {
    const Vec2 edge_normal = directions_[j] + directions_[(j + 1) % k];
    gauge = std::max(gauge, edge_normal.dot(p) / edge_normal.dot(directions_[j]));
  }
  const double spin = std::fabs(local.z());
  return k == 0 ? std::sqrt(gauge * gauge + spin * spin) : gauge + spin;
}

double FrictionCone::calc_best_dissipation(const Contact& contact, const Vec3& velocity) const {
  const bool is_whole = has_limit(contact, LimitKind::kPolytope) ||
                        (has_limit(contact, LimitKind::kEllipsoid) && directions_.empty());
  if (is_whole) return dynamics::calc_best_dissipation(*contact.limit, velocity);
  if (directions_.empty() && !contact.is_planar && has_friction(contact)) {
    return Vec3(velocity.x(), across_over_along(contact) * velocity.y(),
                contact.torsion * velocity.z())
        .norm();
  }
  double best = 0.0;
  for (int j = 0; j < count(contact); ++j) {
    best = std::max(best, -generator(contact, j).dot(velocity));
  }
  return best;
}

}  // namespace tenpin::contact
