#include "methods/impulse/impacts.h"

#include <algorithm>
#include <cmath>

#include "methods/impulse/mobility.h"
#include "methods/impulse/slow_certificate.h"

namespace tenpin::methods::impulse {

using contact::Contact;

namespace {

impact::Law find_impact_law(scene::ImpulseOptions::Law law) {
  switch (law) {
    case scene::ImpulseOptions::Law::kEnergetic:
      return impact::Law::kEnergetic;
    case scene::ImpulseOptions::Law::kNewton:
      return impact::Law::kNewton;
    default:
      return impact::Law::kPoisson;
  }
}

// m/s   Upper bound: the speed of a fall from the refuge, by at most the envelope.
double calc_most_lift(const Thresholds& t, double gap) {
  const double height = t.refuge() - std::clamp(gap, -t.envelope, t.refuge());
  return std::sqrt(2.0 * t.fall * height);
}

// m/s^2   Acceleration of b relative to a in free fall, in the frame of the contact.
Vec3 calc_relative_fall(const FlyingBodies& bodies, const Contact& c) {
  const auto of = [&](int body) {
    return bodies.flights[body].is_resting ? Vec3(Vec3::Zero()) : bodies.flights[body].acceleration;
  };
  return CollisionMatrix::frame(c).transpose() * (of(c.body_b) - of(c.body_a));
}

// m/s^2   Acceleration in free fall of the bodies of a contact towards each other.
double calc_fall(const FlyingBodies& bodies, const Contact& c) {
  return std::max(0.0, -calc_relative_fall(bodies, c).z());
}

}  // namespace

// The target of a face impact.
struct Impacts::PatchGoal {
  bool lifts = false;
  bool is_limited = false;     // approached faster than it may leave
  double drift = 0.0;          // -   slope along which lifted bodies are thrown
  Vec3 middle = Vec3::Zero();  // m   of the face
};

Impacts::Impacts(const scene::ImpulseOptions& options, FlyingBodies* bodies)
    : options_(options),
      bodies_(bodies),
      matrix_(bodies),
      rule_(thresholds_, options.microcollisions) {}

void Impacts::begin(const Thresholds& thresholds) {
  thresholds_ = thresholds;
  rule_ = ImpactRule(thresholds, options_.microcollisions);
}

const Contact* Impacts::find_next(const Pair& pair) const {
  const Contact* next = nullptr;
  double fastest = 0.0;  // m/s
  for (const Contact& c : pair.contacts) {
    const double v_n = matrix_.velocity(c).z();
    if (!rule_.collides(c.gap, v_n, calc_fall(*bodies_, c))) continue;
    if (next != nullptr && !(v_n < fastest)) continue;
    next = &c;
    fastest = v_n;
  }
  return next;
}

ImpactProblem Impacts::make_problem(const Contact& c, bool is_corner) const {
  ImpactProblem x;
  x.W = matrix_.matrix();
  x.v = matrix_.velocity(c);
  x.gap = c.gap;
  x.fall = calc_fall(*bodies_, c);
  if (x.fall > 0.0) x.drift = calc_relative_fall(*bodies_, c).head<2>() / x.fall;
  x.surface = {.mu = c.mu,
               .mu_static = c.mu_static,
               .restitution = c.restitution,
               .law = find_impact_law(options_.law)};
  const auto is_round = [&](int body) {
    return bodies_->is(FlightKind::kBall, body) || !bodies_->model->bodies[body].is_mobile();
  };
  x.is_ball = is_round(c.body_a) && is_round(c.body_b);
  x.is_planar = c.is_planar;
  x.is_corner = is_corner;
  return x;
}

ContactImpact Impacts::resolve(const Contact& c, bool is_corner) {
  matrix_.update(c);
  const ImpactProblem problem = make_problem(c, is_corner);
  const ImpactAnswer answer = rule_.solve(problem);
  if (answer.status == impact::ImpactStatus::kUnbounded) return {.point = {}, .is_unbounded = true};
  matrix_.apply(c, answer.p);
  // The bodies must move as W predicts.
  const Vec3 after = matrix_.velocity(c);
  const Vec3 miss = after - problem.v - problem.W * answer.p;
  const double speed = std::max(problem.v.norm(), after.norm());
  double residual = std::max(answer.residual, speed > 0.0 ? miss.norm() / speed : 0.0);
  if (answer.kind != ImpactKind::kLaw) {
    SlowCertificate slow;
    const double mu = std::max(c.mu, c.mu_static);
    slow.add(problem.v, after, answer.p, mu);
    slow.allow_lift(calc_most_lift(thresholds_, c.gap), problem.drift.norm(), mu);
    residual = std::max(residual, slow.calc_residual(answer.kind));
  }
  return {.point = {.before = problem.v,
                    .after = after,
                    .drive = matrix_.drive(c),
                    .p = answer.p,
                    .kind = answer.kind,
                    .friction_work = answer.friction_work,
                    .residual = residual,
                    .cone_violation = answer.cone_violation},
          .is_guarded = answer.is_guarded};
}

// For a face that rests on another: writes patch_, the relative motion of the two bodies at the
// middle of the face and its target. False if the contacts do not form such a face.
bool Impacts::make_patch(const std::vector<Contact>& contacts, PatchGoal* goal) {
  const Contact& first = contacts.front();
  for (const int body : {first.body_a, first.body_b}) {
    if (bodies_->model->bodies[body].is_mobile() && !bodies_->turns_freely(body)) return false;
  }
  Vec3& middle = goal->middle;
  double gap = first.gap;
  for (const Contact& c : contacts) {
    if (!rule_.is_slow(matrix_.velocity(c).z())) return false;
    middle += CollisionMatrix::point(c) / static_cast<double>(contacts.size());
    gap = std::min(gap, c.gap);
  }
  const Mat3 R = CollisionMatrix::frame(first);
  patch_.points.clear();
  for (const Contact& c : contacts) {
    const Vec3 r = R.transpose() * (CollisionMatrix::point(c) - middle);
    patch_.points.emplace_back(r.head<2>());
  }
  patch_.mu = std::max(first.mu, first.mu_static);
  patch_.W.setZero();
  for (const int body : {first.body_a, first.body_b}) {
    add_spatial_mobility(*bodies_, body, middle, R, &patch_.W);
  }
  const dynamics::Twist& V_a = bodies_->twist(first.body_a);
  const dynamics::Twist& V_b = bodies_->twist(first.body_b);
  const Vec3 v = V_b.at(middle - bodies_->pose(first.body_b).p) -
                 V_a.at(middle - bodies_->pose(first.body_a).p);
  patch_.v << R.transpose() * v, R.transpose() * (V_b.w - V_a.w);
  const double speed = -patch_.v[2];
  const double fall = calc_fall(*bodies_, first);
  const double lift = rule_.calc_lift_speed(gap, fall);
  patch_.work_speed = 0.0;
  if (lift > speed) {
    // The body is thrown against its fall, so that it returns to its place.
    const Vec3 a = calc_relative_fall(*bodies_, first);
    goal->lifts = true;
    goal->drift = a.head<2>().norm() / fall;
    patch_.work_speed = patch_.mu * goal->drift * lift;
    patch_.wanted = Vec3(lift, 0.0, 0.0);
    patch_.slip = Vec3(-lift / fall * a.x(), -lift / fall * a.y(), 0.0);
    return true;
  }
  const double limit = rule_.calc_slow_limit(gap);
  const double kept = limit < speed ? limit / speed : 1.0;
  goal->is_limited = kept < 1.0;
  patch_.wanted = -kept * patch_.v.segment<3>(2);
  patch_.slip = -kept * Vec3(patch_.v[0], patch_.v[1], patch_.v[5]);
  return patch_.wanted[0] > 0.0;
}

bool Impacts::resolve_face(const std::vector<Contact>& contacts, FaceImpact* face) {
  PatchGoal goal;
  if (!make_patch(contacts, &goal)) return false;
  const PatchMode mode = patch_rule_.solve(patch_);
  if (mode == PatchMode::kNone) return false;
  const bool reverses = mode == PatchMode::kReversed && !goal.is_limited;
  face->kind = goal.lifts ? ImpactKind::kLift
               : reverses ? ImpactKind::kMicro
                          : ImpactKind::kSliding;
  const std::vector<Vec3>& impulses = patch_rule_.impulses();
  const Mat3 R = CollisionMatrix::frame(contacts.front());
  const auto at = [&](std::size_t i) {
    return Vec3(patch_.points[i].x(), patch_.points[i].y(), 0.0);
  };
  face->contacts = contacts;
  face->points.assign(contacts.size(), {});
  double speed = 0.0;
  double lowest = contacts.front().gap;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Contact& c = face->contacts[i];
    c.p_a = c.p_b = goal.middle + R * at(i);
    c.t1 = R.col(0);
    c.t2 = R.col(1);
    c.normal = R.col(2);
    face->points[i].before = matrix_.velocity(c);
    speed = std::max(speed, face->points[i].before.norm());
    lowest = std::min(lowest, c.gap);
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& c = face->contacts[i];
    apply(c.body_a, c.p_a, -(R * impulses[i]), bodies_);
    apply(c.body_b, c.p_b, R * impulses[i], bodies_);
  }
  SlowCertificate slow;
  slow.allow_lift(calc_most_lift(thresholds_, lowest), goal.drift, patch_.mu);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    PointImpact& point = face->points[i];
    point.after = matrix_.velocity(face->contacts[i]);
    point.drive = matrix_.drive(face->contacts[i]);
    point.p = impulses[i];
    point.kind = face->kind;
    point.is_unique = contacts.size() <= 3 && patch_.mu == 0.0;
    slow.add(point.before, point.after, point.p, patch_.mu);
  }
  const Vec6& after = patch_rule_.after();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    PointImpact& point = face->points[i];
    const Vec3 wanted = after.head<3>() + Vec3(after.tail<3>()).cross(at(i));
    const Vec3 miss = point.after - wanted;
    point.residual =
        std::max(slow.calc_residual(face->kind), miss.norm() / std::max(speed, wanted.norm()));
  }
  return true;
}

}  // namespace tenpin::methods::impulse
