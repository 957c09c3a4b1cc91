// Resolves collisions: impulses, their work, their certificate, and the pairs that they affect.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/rounded.h"
#include "base/text.h"
#include "contact/energy_law.h"
#include "methods/impulse/simulator.h"
#include "methods/impulse/slow_certificate.h"

namespace tenpin::methods::impulse {

using contact::Contact;
using contact::ContactRecord;
using contact::Ledger;
using contact::Mode;

namespace {

constexpr int kMaxRounds =
    200;  // impacts of one pair at one instant, before other pairs are examined

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

Mode find_mode(const Vec3& impulse, double slip, double speed) {
  constexpr double kRoundoff = 1e-10;
  if (!(impulse.z() > 0.0)) return Mode::kSeparating;
  if (slip > kRoundoff * speed) return Mode::kSliding;
  return impulse.head<2>().norm() > kRoundoff * impulse.z() ? Mode::kSticking : Mode::kResting;
}

}  // namespace

// Resolves the points of a pair one after the other, the fastest first, until none of them
// collides. Then updates everything that depends on the two bodies.
void Simulator::collide(int index) {
  const Pair& pair = pairs_[index];
  const int body_a = model_->parts[pair.part_a].body;
  const int body_b = model_->parts[pair.part_b].body;
  wake(body_a);
  wake(body_b);
  if (pair.is_face && options_.microcollisions) resolve_patch(pair.contacts);
  if (status_ != AdvanceStatus::kReachedEnd) return;
  for (int round = 0; round < kMaxRounds; ++round) {
    const Contact* next = find_next_contact(pair);
    if (next == nullptr) break;
    if (!resolve(*next, pair.is_face)) return;
  }
  for (const int body : {body_a, body_b}) {
    if (model_->bodies[body].is_mobile()) update_pairs_of(body);
  }
}

// Updates the pairs of all bodies of the mechanism, because all of them have changed their motion.
void Simulator::update_pairs_of(int body) {
  for (const int i : model_->mechanisms[model_->bodies[body].mechanism].bodies) {
    refile(i);
    for (int stop = stops_.begin(i); stop < stops_.end(i); ++stop) {
      heap_.set(stop, calc_next_stop_time(stop));
    }
    const dynamics::Body& b = model_->bodies[i];
    for (int part = b.parts_begin; part < b.parts_end; ++part) {
      const std::vector<int>& list = parts_[part].pairs;
      for (std::size_t k = 0; k < list.size(); ++k) {
        heap_.set(heap_index(list[k]), calc_next_time(list[k]));
      }
    }
  }
}

ImpactProblem Simulator::make_problem(const Contact& c, bool is_corner) const {
  ImpactProblem x;
  x.W = matrix_.matrix();
  x.v = matrix_.velocity(c);
  x.gap = c.gap;
  x.fall = calc_fall(c);
  if (x.fall > 0.0) x.drift = calc_relative_fall(c).head<2>() / x.fall;
  x.surface = {.mu = c.mu,
               .mu_static = c.mu_static,
               .restitution = c.restitution,
               .law = find_impact_law(options_.law)};
  const auto is_round = [&](int body) {
    return bodies_.is(FlightKind::kBall, body) || !model_->bodies[body].is_mobile();
  };
  x.is_ball = is_round(c.body_a) && is_round(c.body_b);
  x.is_planar = c.is_planar;
  x.is_corner = is_corner;
  return x;
}

std::string Simulator::tell_where(const Contact& c) const {
  if (c.kind != contact::ContactKind::kSurface) {
    return "at the stop of " + model_->bodies[c.body_b].name + " at t = " + to_rounded_time(now_) +
           " s";
  }
  return "of " + model_->bodies[c.body_a].name + " and " + model_->bodies[c.body_b].name +
         " at t = " + to_rounded_time(now_) + " s";
}

// Checks the residual of the last recorded impact and the number of impacts. The run ends if either
// is too large.
bool Simulator::accept(const Contact& c, double residual) {
  if (!(residual <= options_.tolerance)) {
    certificate_.passed = false;
    fail(AdvanceStatus::kCertificateFailed,
         "certified residual " + to_rounded(residual) + " of the impact " + tell_where(c));
    return false;
  }
  if (records_.back().excess_work > 0.0) {
    certificate_.passed = false;
    fail(AdvanceStatus::kCertificateFailed,
         "the impact gains " + to_rounded(records_.back().excess_work) +
             " J more than its law allows, that " + tell_where(c));
    return false;
  }
  if (num_impact_records_ > options_.cap) fail_impacts();
  return !has_failed();
}

bool Simulator::resolve(const Contact& c, bool is_corner) {
  matrix_.update(c);
  const ImpactProblem problem = make_problem(c, is_corner);
  const ImpactAnswer answer = rule_.solve(problem);
  if (answer.status == impact::ImpactStatus::kUnbounded) {
    solver_ = complementarity::SolveStatus::kRayTermination;
    fail(AdvanceStatus::kSolverFailed, "no finite impulse ends the impact " + tell_where(c));
    return false;
  }
  matrix_.apply(c, answer.p);
  // The bodies must move as W predicts.
  const Vec3 after = matrix_.velocity(c);
  const Vec3 miss = after - problem.v - problem.W * answer.p;
  count(answer.kind);
  guarded_ += answer.is_guarded ? 1 : 0;
  const double speed = std::max(problem.v.norm(), after.norm());
  double residual = std::max(answer.residual, speed > 0.0 ? miss.norm() / speed : 0.0);
  if (answer.kind != ImpactKind::kLaw) {
    SlowCertificate slow;
    const double mu = std::max(c.mu, c.mu_static);
    slow.add(problem.v, after, answer.p, mu);
    slow.allow_lift(calc_most_lift(thresholds_, c.gap), problem.drift.norm(), mu);
    residual = std::max(residual, slow.calc_residual(answer.kind));
  }
  record(c, {.v = problem.v,
             .p = answer.p,
             .kind = answer.kind,
             .friction_work = answer.friction_work,
             .residual = residual,
             .cone_violation = answer.cone_violation});
  return accept(c, records_.back().residual);
}

// For a face that rests on another: the relative motion of the two bodies at the middle of the
// face, and its goal. False if the contacts do not form such a face.
bool Simulator::make_patch(const std::vector<Contact>& contacts, PatchProblem* patch, Vec3* middle,
                           PatchGoal* goal) const {
  const Contact& first = contacts.front();
  for (const int body : {first.body_a, first.body_b}) {
    if (model_->bodies[body].is_mobile() && !bodies_.turns_freely(body)) return false;
  }
  middle->setZero();
  double gap = first.gap;
  for (const Contact& c : contacts) {
    if (!rule_.is_slow(matrix_.velocity(c).z())) return false;
    *middle += CollisionMatrix::point(c) / static_cast<double>(contacts.size());
    gap = std::min(gap, c.gap);
  }
  const Mat3 R = CollisionMatrix::frame(first);
  patch->points.clear();
  for (const Contact& c : contacts) {
    const Vec3 r = R.transpose() * (CollisionMatrix::point(c) - *middle);
    patch->points.emplace_back(r.head<2>());
  }
  patch->mu = std::max(first.mu, first.mu_static);
  patch->W.setZero();
  for (const int body : {first.body_a, first.body_b}) {
    add_spatial_mobility(bodies_, body, *middle, R, &patch->W);
  }
  const dynamics::Twist& V_a = bodies_.twist(first.body_a);
  const dynamics::Twist& V_b = bodies_.twist(first.body_b);
  const Vec3 v = V_b.at(*middle - bodies_.pose(first.body_b).p) -
                 V_a.at(*middle - bodies_.pose(first.body_a).p);
  patch->v << R.transpose() * v, R.transpose() * (V_b.w - V_a.w);
  const double speed = -patch->v[2];
  const double fall = calc_fall(first);
  const double lift = rule_.calc_lift_speed(gap, fall);
  patch->work_speed = 0.0;
  if (lift > speed) {
    // The body is thrown against its fall, so that it returns to its place.
    const Vec3 a = calc_relative_fall(first);
    *goal = {.lifts = true, .drift = a.head<2>().norm() / fall};
    patch->work_speed = patch->mu * goal->drift * lift;
    patch->wanted = Vec3(lift, 0.0, 0.0);
    patch->slip = Vec3(-lift / fall * a.x(), -lift / fall * a.y(), 0.0);
    return true;
  }
  const double limit = rule_.calc_slow_limit(gap);
  const double kept = limit < speed ? limit / speed : 1.0;
  *goal = {.is_limited = kept < 1.0};
  patch->wanted = -kept * patch->v.segment<3>(2);
  patch->slip = -kept * Vec3(patch->v[0], patch->v[1], patch->v[5]);
  return patch->wanted[0] > 0.0;
}

// Applies one impulse per point, all at once, in the plane of the middle.
void Simulator::resolve_patch(const std::vector<Contact>& contacts) {
  Vec3 middle;
  PatchGoal goal;
  if (!make_patch(contacts, &patch_, &middle, &goal)) return;
  const PatchMode mode = patch_rule_.solve(patch_);
  if (mode == PatchMode::kNone) return;
  const std::vector<Vec3>& impulses = patch_rule_.impulses();
  const Mat3 R = CollisionMatrix::frame(contacts.front());
  patch_contacts_ = contacts;
  patch_velocities_.clear();
  double speed = 0.0;
  for (std::size_t i = 0; i < patch_contacts_.size(); ++i) {
    Contact& c = patch_contacts_[i];
    c.p_a = c.p_b = middle + R * Vec3(patch_.points[i].x(), patch_.points[i].y(), 0.0);
    c.t1 = R.col(0);
    c.t2 = R.col(1);
    c.normal = R.col(2);
    patch_velocities_.push_back(matrix_.velocity(c));
    speed = std::max(speed, patch_velocities_.back().norm());
  }
  for (std::size_t i = 0; i < patch_contacts_.size(); ++i) {
    const Contact& c = patch_contacts_[i];
    impulse::apply(c.body_a, c.p_a, -(R * impulses[i]), &bodies_);
    impulse::apply(c.body_b, c.p_b, R * impulses[i], &bodies_);
  }
  const Vec6& after = patch_rule_.after();
  const bool reverses = mode == PatchMode::kReversed && !goal.is_limited;
  const ImpactKind kind = goal.lifts ? ImpactKind::kLift
                          : reverses ? ImpactKind::kMicro
                                     : ImpactKind::kSliding;
  count(kind);
  SlowCertificate slow;
  double lowest = contacts.front().gap;
  for (const Contact& c : contacts) lowest = std::min(lowest, c.gap);
  slow.allow_lift(calc_most_lift(thresholds_, lowest), goal.drift, patch_.mu);
  for (std::size_t i = 0; i < patch_contacts_.size(); ++i) {
    slow.add(patch_velocities_[i], matrix_.velocity(patch_contacts_[i]), impulses[i], patch_.mu);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < patch_contacts_.size(); ++i) {
    const Vec3 r(patch_.points[i].x(), patch_.points[i].y(), 0.0);
    const Vec3 wanted = after.head<3>() + Vec3(after.tail<3>()).cross(r);
    const Vec3 miss = matrix_.velocity(patch_contacts_[i]) - wanted;
    record(patch_contacts_[i],
           {.v = patch_velocities_[i],
            .p = impulses[i],
            .kind = kind,
            .is_unique = patch_contacts_.size() <= 3 && patch_.mu == 0.0,
            .residual =
                std::max(slow.calc_residual(kind), miss.norm() / std::max(speed, wanted.norm()))});
    if (!(records_.back().residual <= worst)) worst = records_.back().residual;
  }
  (void)accept(patch_contacts_.front(), worst);
}

// The work of an impulse is impulse times mean velocity, which is exact because velocities depend
// linearly on it. The work of friction is known where a law follows the path. Elsewhere the path
// counts as straight, with no positive work of friction.
void Simulator::record(const Contact& c, const Impact& impact) {
  const Vec3 after = matrix_.velocity(c);
  const Vec3 mean = 0.5 * (impact.v + after);
  ContactRecord r;
  r.key = c.key;
  r.body_a = c.body_a;
  r.body_b = c.body_b;
  r.position = CollisionMatrix::point(c);
  r.normal = c.normal;
  r.gap = c.gap;
  r.impulse = CollisionMatrix::frame(c) * impact.p;
  r.normal_impulse = impact.p.z();
  r.slip = c.t1 * after.x() + c.t2 * after.y();
  r.normal_velocity = after.z();
  r.mode = find_mode(impact.p, after.head<2>().norm(), std::max(impact.v.norm(), after.norm()));
  r.friction_work =
      impact.friction_work.value_or(std::min(impact.p.head<2>().dot(mean.head<2>()), 0.0));
  r.normal_work = impact.p.dot(mean) - r.friction_work;
  r.residual = impact.residual;
  r.force_unique = impact.is_unique;
  contact::WorkSample sample;
  sample.impulse << impact.p.z(), impact.p.x(), impact.p.y(), 0.0;
  sample.before << impact.v.z(), impact.v.x(), impact.v.y(), 0.0;
  sample.after << after.z(), after.x(), after.y(), 0.0;
  add_record(r, now_);
  ++num_impact_records_;

  const bool lifts = impact.kind == ImpactKind::kLift;
  constexpr std::array kItself = {0};
  if (!lifts && impact.is_unique) {
    const double speed = std::max(impact.v.norm(), after.norm());
    records_.back().excess_work =
        contact::calc_excess_work({&sample, 1}, kItself, speed, options_.tolerance);
  }
  certificate_.excess_work = std::max(certificate_.excess_work, records_.back().excess_work);
  certificate_.forces_unique = certificate_.forces_unique && impact.is_unique;
  certificate_.forces_least = certificate_.forces_least && impact.is_unique;
  book(lifts ? Ledger::kProjection : Ledger::kNormal, r.normal_work);
  const bool throws = lifts && r.friction_work > 0.0;  // against the fall of the bodies
  book(throws ? Ledger::kProjection : Ledger::kFriction, r.friction_work);
  book(Ledger::kPrescribed, -impact.p.dot(matrix_.drive(c)));
  certificate_.residual = std::max(certificate_.residual, r.residual);
  certificate_.cone_violation = std::max(certificate_.cone_violation, impact.cone_violation);
}

void Simulator::add_record(const ContactRecord& r, double t) {
  records_.push_back(r);
  bookings_.push_back({.t = t});
}

void Simulator::count(ImpactKind kind) {
  ++counts_.impacts;
  counts_.microcollisions += kind == ImpactKind::kMicro ? 1 : 0;
  counts_.sliding += kind == ImpactKind::kSliding ? 1 : 0;
  counts_.lifts += kind == ImpactKind::kLift ? 1 : 0;
}

}  // namespace tenpin::methods::impulse
