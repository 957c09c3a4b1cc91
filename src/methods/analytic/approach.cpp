#include "methods/analytic/approach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/analytic/tolerances.h"
#include "shapes/bounds.h"

namespace tenpin::methods::analytic {

namespace {

// Rotation moves the core of a rounded shape. The rounding itself is a ball, which rotation does
// not change.
double calc_core_radius(const shapes::PlacedShape& placed) {
  if (shapes::is_boundless(placed.shape)) {
    return std::numeric_limits<double>::infinity();
  }
  const Vec3 center = placed.X_BS.inverse() * Vec3(Vec3::Zero());
  return shapes::calc_bounding_radius(placed.shape, center) - shapes::calc_rounding(placed.shape);
}

}  // namespace

Approach::Approach(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model),
      goal_{.search = options.events, .value = 1e-4 * options.event_tolerance, .width = 1e-15},
      allowed_(0.25 * options.event_tolerance),
      bounds_(model.bodies.size()) {
  for (const dynamics::Part& part : model.parts) {
    const shapes::Shape& shape = part.placed.shape;
    const bool has_core =
        !shapes::is_boundless(shape) && !std::holds_alternative<shapes::Bowl>(shape);
    radius_.push_back(calc_core_radius(part.placed));
    cores_.push_back(has_core ? std::make_unique<const collide::Core>(shape) : nullptr);
  }
}

bool Approach::is_bowl(int part) const {
  return std::holds_alternative<shapes::Bowl>(model_->parts[part].placed.shape);
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

// The integrator resolves the motion to many digits, so accelerations change little within a step:
// twice the larger mean of the two halves of the step is a bound.
void Approach::update_bounds(const StepView& step) {
  for (Placement* placement : {&start_, &end_, &between_}) placement->theta = -1.0;
  const Placement& first = place_at(step, 0.0);
  const Placement& middle = place_at(step, 0.5);
  const Placement& last = place_at(step, 1.0);
  const double half = 0.5 * step.integrator.h();
  const auto calc_mean = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    return std::max((b - a).norm(), (c - b).norm()) / half;
  };
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const dynamics::Twist& V_first = first.V_WB[i];
    const dynamics::Twist& V_middle = middle.V_WB[i];
    const dynamics::Twist& V_last = last.V_WB[i];
    bounds_[i] = {.w = 1.1 * std::max(V_first.w.norm(), V_last.w.norm()),
                  .a = kAccelerationMargin * calc_mean(V_first.v, V_middle.v, V_last.v),
                  .alpha = kAccelerationMargin * calc_mean(V_first.w, V_middle.w, V_last.w)};
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

// m   Extent of the part along a direction; a plane is infinite except along its own normal.
double Approach::calc_extent(int part, const Placement& placement, const Vec3& n) const {
  const dynamics::Part& of = model_->parts[part];
  const Pose X = placement.X_WB[of.body] * of.placed.X_BS;
  if (cores_[part] == nullptr) {
    const bool is_normal = (X.R.col(2) - n).norm() <= kSameDirection;
    return is_normal ? n.dot(X.p) : std::numeric_limits<double>::infinity();
  }
  const Vec3 top = X * cores_[part]->support(X.R.transpose() * n, 0).point;
  return n.dot(top) + cores_[part]->rounding();
}

// m   Separation of the parts along a direction: a lower bound of their distance.
double Approach::calc_separation(const PartPair& pair, const Placement& placement,
                                 const Vec3& n) const {
  return -calc_extent(pair.part_b, placement, -n) - calc_extent(pair.part_a, placement, n);
}

// Bounds how fast the distance shrinks along its normal: after s seconds it is at least
// gap + rate s - acceleration s^2 / 2, for any pair of points.
Approach::Closing Approach::calc_closing(const PartPair& pair, const Placement& placement,
                                         const collide::Distance& distance) const {
  if (is_bowl(pair.part_a)) {
    return calc_closing_in_bowl(placement, pair.part_a, pair.part_b, distance.gap);
  }
  if (is_bowl(pair.part_b)) {
    return calc_closing_in_bowl(placement, pair.part_b, pair.part_a, distance.gap);
  }
  Closing closing{.gap = distance.gap};
  double sign = -1.0;
  for (const int part : {pair.part_a, pair.part_b}) {
    const int body = model_->parts[part].body;
    const dynamics::Twist& V = placement.V_WB[body];
    const Bound& bound = bounds_[body];
    closing.rate += sign * distance.normal.dot(V.v);
    closing.acceleration += bound.a;
    // Of a plane, only the near part counts; rotation about its normal has no effect.
    const Vec3& p = sign < 0.0 ? distance.p_A : distance.p_B;
    const double radius =
        std::isinf(radius_[part]) ? 1.0 + 2.0 * (p - placement.X_WB[body].p).norm() : radius_[part];
    const double tilt = V.w.cross(distance.normal).norm();
    const bool turns_only = std::isinf(radius_[part]) && tilt == 0.0;
    closing.rate -= radius * tilt;
    if (!turns_only) closing.acceleration += radius * (bound.w * bound.w + bound.alpha);
    sign = 1.0;
  }
  return closing;
}

// The wall of a bowl curves towards a body that moves along it, so any velocity away from the
// centre may close the gap.
Approach::Closing Approach::calc_closing_in_bowl(const Placement& placement, int bowl, int part,
                                                 double gap) const {
  const int holder = model_->parts[bowl].body;
  const int body = model_->parts[part].body;
  const Bound& still = bounds_[holder];
  const Bound& bound = bounds_[body];
  const Vec3 centre = placement.X_WB[holder].R * model_->parts[bowl].placed.X_BS.p;
  const double speed = (placement.V_WB[body].v - placement.V_WB[holder].at(centre)).norm();
  return {.gap = gap,
          .rate = -speed - radius_[part] * placement.V_WB[body].w.norm(),
          .acceleration = bound.a + still.a + radius_[part] * (bound.w * bound.w + bound.alpha) +
                          centre.norm() * (still.w * still.w + still.alpha)};
}

// s   Time for which gap + rate s - acceleration s^2 / 2 stays above the allowed value; infinite if
// it always does.
double Approach::calc_safe_time(const Closing& closing) const {
  const double g = closing.rate;
  const double A = closing.acceleration;
  const double d = std::max(closing.gap, 0.0) + allowed_;
  const double root = std::sqrt(g * g + 2.0 * A * d);
  const double safe = g < 0.0 ? 2.0 * d / (root - g) : (g + root) / A;
  return std::isnan(safe) ? std::numeric_limits<double>::infinity() : safe;
}

// The longest safe stride among those tried. Along a fixed direction, no point is farther below the
// chord between its ends than A s^2 / 8. The shortest stride is safe by bounds on speeds alone.
Approach::Stride Approach::find_stride(const StepView& step, const PartPair& pair, double from,
                                       double until, const collide::Distance& distance) {
  constexpr double kUnknownSeparation = -1.0;
  constexpr double kLeastPart = 1e-14;  // -   guarantees that the search ends
  const double h = step.integrator.h();
  const Closing closing = calc_closing(pair, place_at(step, from), distance);
  const double least = std::max(calc_safe_time(closing) / h, kLeastPart);
  const double gap = std::max(distance.gap, 0.0);
  const double longest = std::sqrt(8.0 * (gap + allowed_) / closing.acceleration) / h;
  double end = from + longest < until ? from + longest : until;
  while (!is_bowl(pair.part_a) && !is_bowl(pair.part_b)) {
    const double s = (end - from) * h;
    const double sag = closing.acceleration * s * s / 8.0;
    const double ahead = calc_separation(pair, place_at(step, end), distance.normal);
    if (std::min(gap, ahead) + allowed_ >= sag) return {.end = end, .separation = ahead};
    if (end - from <= least) break;
    const double part =
        ahead < 0.0 ? gap / (gap - ahead) : std::sqrt((std::min(gap, ahead) + allowed_) / sag);
    end = from + (end - from) * std::clamp(part, 0.1, 0.9);
  }
  return {.end = std::min(from + least, until), .separation = kUnknownSeparation};
}

double Approach::find_contact(const StepView& step, const PartPair& pair, double until) {
  double theta = 0.0;
  collide::Distance distance = pair.start;
  if (is_bowl(pair.part_a) || is_bowl(pair.part_b)) {
    distance = calc_distance(pair, place_at(step, theta));
  } else {
    distance.gap = calc_separation(pair, place_at(step, theta), distance.normal);
    if (distance.gap <= goal_.value) distance = calc_distance(pair, place_at(step, theta));
  }
  while (theta < until) {
    const Stride stride = find_stride(step, pair, theta, until, distance);
    if (stride.end == until && stride.separation > goal_.value) return kNoEvent;
    const collide::Distance ahead = calc_distance(pair, place_at(step, stride.end));
    if (ahead.gap < goal_.value) {
      Bracket bracket{.low = theta,
                      .high = stride.end,
                      .value_low = std::max(distance.gap, 0.0),
                      .value_high = ahead.gap};
      if (ahead.gap >= 0.0) return stride.end;
      num_iterations_ += shrink_bracket(
          [&](double x) {
            return calc_distance(pair, place_at(step, x)).gap;
          },
          goal_, &bracket);
      return bracket.high;
    }
    theta = stride.end;
    distance = ahead;
  }
  return kNoEvent;
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

std::vector<double> Approach::find_each(const StepView& step, const std::vector<PartPair>& pairs) {
  update_bounds(step);
  std::vector<double> all;
  all.reserve(pairs.size());
  for (const PartPair& pair : pairs) all.push_back(find_contact(step, pair, 0.5));
  return all;
}

}  // namespace tenpin::methods::analytic
