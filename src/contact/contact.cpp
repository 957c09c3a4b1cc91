#include "contact/contact.h"

#include <cmath>

namespace tenpin::contact {

Tangents calc_tangents(const Vec3& normal, const Vec3& axis) {
  constexpr double kNearlyParallel = 0.9;
  const bool usable =
      axis.squaredNorm() > 0.0 && std::fabs(axis.dot(normal)) < (1.0 - 1e-6) * axis.norm();
  const Vec3 seed = usable                                    ? axis
                    : std::fabs(normal.x()) < kNearlyParallel ? Vec3(Vec3::UnitX())
                                                              : Vec3(Vec3::UnitY());
  const Vec3 t1 = (seed - normal * normal.dot(seed)).normalized();
  return {.t1 = t1, .t2 = normal.cross(t1)};
}

}  // namespace tenpin::contact
