#include "methods/analytic/approach.h"

#include <cmath>
#include <limits>

#include "shapes/bounds.h"

namespace tenpin::methods::analytic {

namespace {

// Turning moves the core of a rounded shape; the rounding itself looks the same from all sides.
double calc_core_radius(const shapes::PlacedShape& placed) {
  if (shapes::is_boundless(placed.shape)) {
    return std::numeric_limits<double>::infinity();
  }
  const Vec3 center = placed.X_BS.inverse() * Vec3(Vec3::Zero());
  const double radius = shapes::calc_bounding_radius(placed.shape, center);
  if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
    return radius - sphere->radius;
  }
  if (const auto* capsule = std::get_if<shapes::Capsule>(&placed.shape)) {
    return radius - capsule->radius;
  }
  return radius;
}

}  // namespace

Approach::Approach(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model),
      goal_{.search = options.events, .value = 1e-4 * options.event_tolerance, .width = 1e-15},
      tolerance_(options.event_tolerance),
      bounds_(model.bodies.size()) {
  for (const dynamics::Part& part : model.parts) radius_.push_back(calc_core_radius(part.placed));
}

const Approach::Placement& Approach::place_at(const StepView& step, double theta) {
  Placement& placement = theta == 0.0 ? start_ : theta == 1.0 ? end_ : between_;
  if (theta == placement.theta) return placement;
  placement.theta = theta;
  step.integrator.interpolate(theta, &y_);
  const double t = step.t + theta * step.integrator.h();
  update_poses(*model_, y_.head(model_->nq), t, &placement.X_WB);
  update_twists(*model_, placement.X_WB, y_.segment(model_->nq, model_->nv), t, &placement.V_WB);
  return placement;
}

// The step resolves the motion to many digits, so that accelerations change little in it: twice
// their mean is a bound.
void Approach::update_bounds(const StepView& step) {
  constexpr double kSafety = 2.0;
  for (Placement* placement : {&start_, &end_, &between_}) placement->theta = -1.0;
  const Placement& first = place_at(step, 0.0);
  const Placement& last = place_at(step, 1.0);
  const double h = step.integrator.h();
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const dynamics::Twist& V_first = first.V_WB[i];
    const dynamics::Twist& V_last = last.V_WB[i];
    bounds_[i] = {.w = 1.1 * std::max(V_first.w.norm(), V_last.w.norm()),
                  .a = kSafety * (V_last.v - V_first.v).norm() / h,
                  .alpha = kSafety * (V_last.w - V_first.w).norm() / h};
  }
}

collide::Distance Approach::calc_distance(const PartPair& pair, const Placement& placement) {
  ++num_queries_;
  const dynamics::Part& a = model_->parts[pair.part_a];
  const dynamics::Part& b = model_->parts[pair.part_b];
  const Pose X_a = placement.X_WB[a.body] * a.placed.X_BS;
  const Pose X_b = placement.X_WB[b.body] * b.placed.X_BS;
  return narrow_phase_.calc_distance(
      {.A = a.placed.shape, .X_WA = X_a, .B = b.placed.shape, .X_WB = X_b});
}

// Along the normal the distance is at least  d + g s - A s^2 / 2  after s seconds, with g the least
// rate at which any point may close in now and A the most that it may accelerate.
double Approach::calc_stride(const PartPair& pair, const Placement& placement,
                             const collide::Distance& distance) const {
  for (const int part : {pair.part_a, pair.part_b}) {
    const bool is_bowl = std::holds_alternative<shapes::Bowl>(model_->parts[part].placed.shape);
    if (!is_bowl) continue;
    const int other = pair.part_a + pair.part_b - part;
    return calc_stride_in_bowl(placement, part, other, distance.gap);
  }
  double g = 0.0;
  double A = 0.0;
  double sign = -1.0;
  for (const int part : {pair.part_a, pair.part_b}) {
    const int body = model_->parts[part].body;
    const dynamics::Twist& V = placement.V_WB[body];
    const Bound& bound = bounds_[body];
    g += sign * distance.normal.dot(V.v);
    A += bound.a;
    // Of a plane, what is near: it may turn about its normal as it likes.
    const Vec3& p = sign < 0.0 ? distance.p_A : distance.p_B;
    const double radius =
        std::isinf(radius_[part]) ? 1.0 + 2.0 * (p - placement.X_WB[body].p).norm() : radius_[part];
    const double tilt = V.w.cross(distance.normal).norm();
    const bool turns_only = std::isinf(radius_[part]) && tilt == 0.0;
    g -= radius * tilt;
    if (!turns_only) A += radius * (bound.w * bound.w + bound.alpha);
    sign = 1.0;
  }
  return calc_safe_time({.gap = distance.gap, .rate = g, .acceleration = A});
}

// A wall that curves towards what moves along it: any velocity from its centre may close the gap.
double Approach::calc_stride_in_bowl(const Placement& placement, int bowl, int part,
                                     double gap) const {
  const int holder = model_->parts[bowl].body;
  const int body = model_->parts[part].body;
  const Bound& still = bounds_[holder];
  const Bound& bound = bounds_[body];
  const Vec3 centre = placement.X_WB[holder].R * model_->parts[bowl].placed.X_BS.p;
  const double speed = (placement.V_WB[body].v - placement.V_WB[holder].at(centre)).norm();
  const double A = bound.a + still.a + radius_[part] * (bound.w * bound.w + bound.alpha) +
                   centre.norm() * (still.w * still.w + still.alpha);
  return calc_safe_time({.gap = gap,
                         .rate = -speed - radius_[part] * placement.V_WB[body].w.norm(),
                         .acceleration = A});
}

// s   that gap + rate s - acceleration s^2 / 2 stays positive.
double Approach::calc_safe_time(const Closing& closing) const {
  const double g = closing.rate;
  const double A = closing.acceleration;
  const double d = std::max(closing.gap, 0.0);
  const double safe = g < 0.0 ? 2.0 * d / (-g + std::sqrt(g * g + 2.0 * A * d))
                              : (g + std::sqrt(g * g + 2.0 * A * d)) / A;
  // Within a shorter stride no dip is deeper than a quarter of the tolerance.
  const double least = std::sqrt(2.0 * tolerance_ / A);
  return std::isnan(safe) ? least : std::max(safe, least);
}

double Approach::find_contact(const StepView& step, const PartPair& pair, double until) {
  constexpr double kNever = 2.0;
  const double h = step.integrator.h();
  double theta = 0.0;
  collide::Distance distance = calc_distance(pair, place_at(step, theta));
  while (theta < until) {
    const double stride = calc_stride(pair, place_at(step, theta), distance);
    const double next = std::min(theta + stride / h, until);
    const collide::Distance ahead = calc_distance(pair, place_at(step, next));
    if (ahead.gap < goal_.value) {
      Bracket bracket{.low = theta,
                      .high = next,
                      .value_low = std::max(distance.gap, 0.0),
                      .value_high = ahead.gap};
      if (ahead.gap >= 0.0) return next;
      num_iterations_ += shrink_bracket(
          [&](double x) {
            return calc_distance(pair, place_at(step, x)).gap;
          },
          goal_, &bracket);
      return bracket.high;
    }
    theta = next;
    distance = ahead;
  }
  return kNever;
}

double Approach::find_first(const StepView& step, const std::vector<PartPair>& pairs,
                            double until) {
  double first = 2.0;
  if (pairs.empty()) return first;
  update_bounds(step);
  for (const PartPair& pair : pairs) {
    first = std::min(first, find_contact(step, pair, std::min(first, until)));
  }
  return first;
}

}  // namespace tenpin::methods::analytic
