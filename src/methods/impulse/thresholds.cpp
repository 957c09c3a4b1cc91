#include "methods/impulse/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/impulse/tolerances.h"
#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

namespace {

constexpr double kEnvelopePart = 0.01;

}  // namespace

double calc_least_half_width(const dynamics::Model& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const dynamics::Part& part : model.parts) {
    if (!model.bodies[part.body].is_mobile()) continue;
    const shapes::Aabb box = shapes::calc_bounds(part.placed.shape, {});
    least = std::min(least, 0.5 * (box.upper - box.lower).minCoeff());
  }
  if (std::isfinite(least)) return least;
  // Nothing but stops of joints can collide.
  for (const dynamics::Body& body : model.bodies) {
    const double radius = calc_gyration_radius(body);
    if (body.is_mobile() && radius > 0.0) least = std::min(least, radius);
  }
  return std::isfinite(least) ? least : 1.0;
}

Thresholds calc_thresholds(const dynamics::Model& model, const std::vector<dynamics::Twist>& V_WB,
                           double width, double envelope) {
  Thresholds t;
  t.envelope = envelope > 0.0 ? envelope : kEnvelopePart * width;
  t.fall = model.gravity.norm();
  if (t.fall == 0.0) {
    double fastest = 0.0;
    for (const dynamics::Twist& V : V_WB) {
      fastest = std::max(fastest, V.v.norm() + V.w.norm() * width);
    }
    t.fall = 0.5 * kSlowShare * kSlowShare * fastest * fastest / width;
  }
  t.speed = std::sqrt(2.0 * t.fall * t.envelope);
  return t;
}

}  // namespace tenpin::methods::impulse
