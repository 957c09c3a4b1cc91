#include "methods/impulse/group_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounded.h"
#include "base/text.h"
#include "methods/impulse/slow_certificate.h"
#include "methods/impulse/tolerances.h"

namespace tenpin::methods::impulse {

using contact::Contact;
using contact::ContactRecord;
using contact::Ledger;

namespace {

// The record of an impact at a stop, in the units of its joint, at the place of the joint. `after`
// is the velocity at the lever.
ContactRecord make_stop_record(const FlyingBodies& bodies, const Contact& c, double lever,
                               const PointImpact& impact) {
  const dynamics::Joint& joint = bodies.model->bodies[c.body_b].joint;
  const Pose X_WM = bodies.pose(c.body_b) * joint.X_MB.inverse();
  ContactRecord r;
  r.key = c.key;
  r.body_a = r.body_b = c.body_b;
  r.position = X_WM.p;
  r.normal =
      joint.type == dynamics::JointType::kBall ? Vec3(X_WM.R * c.direction) : Vec3(X_WM.R.col(2));
  r.gap = c.gap;
  r.normal_impulse = lever * impact.p.z();
  r.normal_velocity = impact.after.z() / lever;
  r.mode = contact::Mode::kResting;
  r.normal_work = 0.5 * impact.p.z() * (impact.before.z() + impact.after.z());
  r.residual = impact.residual;
  return r;
}

std::string tell_where(const dynamics::Model& model, const Contact& c, double t) {
  if (c.kind != contact::ContactKind::kSurface) {
    return "at the stop of " + model.bodies[c.body_b].name + " at t = " + to_rounded_time(t) + " s";
  }
  return "of " + model.bodies[c.body_a].name + " and " + model.bodies[c.body_b].name +
         " at t = " + to_rounded_time(t) + " s";
}

}  // namespace

std::int64_t calc_most_events(const scene::ImpulseOptions& options) {
  return 1000 + 4 * static_cast<std::int64_t>(options.cap);
}

std::string tell_too_many_events(const scene::ImpulseOptions& options, double t_end) {
  return "bodies are looked at more than " + std::to_string(calc_most_events(options)) +
         " times in the interval that ends at t = " + to_rounded_time(t_end) + " s";
}

std::string tell_too_many_impacts(const scene::ImpulseOptions& options, double t_end) {
  return "more than " + std::to_string(options.cap) +
         " impacts in the interval that ends at t = " + to_rounded_time(t_end) + " s";
}

GroupRun::GroupRun(const scene::ImpulseOptions& options, const World& world)
    : options_(options),
      world_(world),
      mover_(*world.bodies->model),
      stops_(world.bodies),
      impacts_(options, world.bodies) {}

void GroupRun::begin() {
  impacts_.begin(world_.interval->thresholds);
  now_ = world_.interval->t_start;
  item_ = 0;
  has_failed_ = is_lost_ = false;
}

void GroupRun::run(const Group& group, std::span<const int> group_of, const Patience& patience) {
  group_of_ = group_of;
  now_ = world_.interval->t_start;
  has_failed_ = is_lost_ = false;
  heap_.clear();
  const int first_added_pair = world_.pairs->size();
  run_events(group, patience);
  if (!has_failed_) end(group, first_added_pair);
  world_.pairs->end_group();
}

// The top of the heap is the earliest time at which anything can happen.   [MC95, §Prioritizing
// collisions]
void GroupRun::run_events(const Group& group, const Patience& patience) {
  EventCounts& counts = world_.journal->counts;
  const std::int64_t operations = heap_.num_operations();
  const std::int64_t queries = search_.num_queries();
  const std::int64_t steps = search_.num_steps();
  const std::int64_t looks = world_.pairs->num_looks();
  for (const int stop : group.stops) {
    item_ = stop;
    heap_.set(item_, calc_next_stop_time(stop));
  }
  for (const int pair : group.pairs) {
    item_ = stops_.size() + pair;
    heap_.set(item_, calc_next_time(&(*world_.pairs)[pair]));
  }
  for (std::int64_t events = 0;
       !has_failed_ && heap_.top_time() < world_.interval->t_end && may_go_on(events, patience);
       ++events) {
    item_ = heap_.top_pair();
    now_ = heap_.top_time();
    ++counts.events;
    const int index = item_;
    const bool is_stop = index < stops_.size();
    Pair* pair = is_stop ? nullptr : &(*world_.pairs)[index - stops_.size()];
    const double next = is_stop ? calc_next_stop_time(index) : calc_next_time(pair);
    if (next > now_) {
      heap_.set(index, next);
    } else if (is_stop) {
      hit_stop(index);
    } else {
      collide(*pair);
    }
    fail_unless_followed();
  }
  counts.heap_operations += heap_.num_operations() - operations;
  counts.distance_queries += search_.num_queries() - queries;
  counts.feature_steps += search_.num_steps() - steps;
  counts.hash_looks += world_.pairs->num_looks() - looks;
}

// The work of an interval is bounded, and the observer may end it.
bool GroupRun::may_go_on(std::int64_t events, const Patience& patience) {
  constexpr std::int64_t kAskEvery = 256;  // events: a millisecond
  const std::int64_t most = calc_most_events(options_);
  if (events >= most || world_.journal->counts.events > most) {
    fail(AdvanceStatus::kSolverFailed, tell_too_many_events(options_, world_.interval->t_end),
         complementarity::SolveStatus::kIterationLimit);
    return false;
  }
  if (events % kAskEvery != 0) return true;
  if (patience.observer != nullptr && patience.observer->is_stopped()) {
    *patience.is_stopped = true;
  }
  if (patience.is_stopped == nullptr || !*patience.is_stopped) return true;
  fail(AdvanceStatus::kStopped, "");
  return false;
}

// Moves all bodies of the group to the end of the interval.
void GroupRun::end(const Group& group, int first_added_pair) {
  const dynamics::Model& model = *world_.bodies->model;
  now_ = world_.interval->t_end;
  const int number = group_of_[group.mechanisms.front()];
  for (const RestingGroup* resting : world_.resting->all()) {
    if (group_of_[model.bodies[resting->bodies.front()].mechanism] != number) continue;
    record_rest(*resting, world_.interval->t_start, now_, world_.bodies, world_.journal);
  }
  for (const int m : group.mechanisms) {
    for (const int i : model.mechanisms[m].bodies) mover_.move_to_end(i, now_, world_.bodies);
  }
  fail_unless_followed();
  if (!world_.bodies->is_followed) return;
  look_at_near_pairs(group, first_added_pair);
  look_at_mechanisms(group);
}

// Overlaps at the end of the interval are reported with it, not with the next one.
void GroupRun::look_at_near_pairs(const Group& group, int first_added_pair) {
  const dynamics::Model& model = *world_.bodies->model;
  const auto look_again = [&](int index) {
    Pair& pair = (*world_.pairs)[index];
    const bool stands = world_.bodies->stands(model.parts[pair.part_a].body) &&
                        world_.bodies->stands(model.parts[pair.part_b].body);
    if (stands || pair.contacts.empty() || pair.t == now_) return;
    item_ = stops_.size() + index;
    move_pair(pair);
    look(&pair);
  };
  for (const int index : group.pairs) look_again(index);
  for (int index = first_added_pair; index < world_.pairs->size(); ++index) look_again(index);
}

// The end of the interval shows whether an estimate of motion was wrong: mechanisms must be inside
// the boxes under which they were filed, and apart.
void GroupRun::look_at_mechanisms(const Group& group) {
  const dynamics::Model& model = *world_.bodies->model;
  for (const int stop : group.stops) {
    item_ = stop;
    (void)calc_next_stop_time(stop);
  }
  for (const int m : group.mechanisms) {
    const dynamics::Mechanism& mechanism = model.mechanisms[m];
    if (!world_.bodies->is_integrated(mechanism)) continue;
    for (const int body : mechanism.bodies) look_at_parts(model.bodies[body]);
  }
}

// Examines the parts of an articulated body at the end of an interval.
void GroupRun::look_at_parts(const dynamics::Body& body) {
  for (int i = body.parts_begin; i < body.parts_end && !has_failed_; ++i) {
    for (const int index : world_.pairs->pairs_of(i)) {
      Pair& pair = (*world_.pairs)[index];
      item_ = stops_.size() + index;
      move_pair(pair);
      if (pair.t != now_) look(&pair);
    }
    if (world_.pairs->is_inside(i, *world_.bodies) || has_failed_) continue;
    world_.journal->certificate.passed = false;
    is_lost_ = true;
    item_ = std::numeric_limits<int>::max();
    fail(AdvanceStatus::kCertificateFailed, body.name +
                                                " moved farther than was estimated before t = " +
                                                to_rounded_time(world_.interval->t_end) + " s");
  }
}

void GroupRun::move_pair(const Pair& pair) {
  const dynamics::Model& model = *world_.bodies->model;
  mover_.move(model.parts[pair.part_a].body, now_, world_.bodies);
  mover_.move(model.parts[pair.part_b].body, now_, world_.bodies);
}

void GroupRun::look(Pair* pair) {
  search_.look(*world_.bodies, *world_.shapes, world_.interval->thresholds, now_, pair);
  if (!note_overlap(pair->gap)) return;
  const dynamics::Model& model = *world_.bodies->model;
  fail_overlap(pair->gap, model.bodies[model.parts[pair->part_a].body].name + " and " +
                              model.bodies[model.parts[pair->part_b].body].name);
}

double GroupRun::calc_next_time(Pair* pair) {
  const FlyingBodies& bodies = *world_.bodies;
  const Interval& interval = *world_.interval;
  if (bodies.stands(bodies.model->parts[pair->part_a].body) &&
      bodies.stands(bodies.model->parts[pair->part_b].body)) {
    return CollisionHeap::kNever;
  }
  move_pair(*pair);
  // The plane that separated the parts last may still separate them far enough.
  if (pair->t >= 0.0 && pair->t < now_ && pair->gap > interval.thresholds.envelope) {
    const double gap = calc_separation(bodies, *world_.shapes, *pair);
    ++world_.journal->counts.plane_checks;
    if (gap > interval.thresholds.envelope) {
      const double next = calc_next_look(bodies, *world_.shapes, *pair,
                                         {.normal = pair->normal, .gap = gap}, interval, now_);
      if (next == CollisionHeap::kNever) return next;
    }
  }
  if (pair->t != now_) look(pair);
  if (impacts_.find_next(*pair) != nullptr) return now_;
  return calc_next_look(bodies, *world_.shapes, *pair, {.normal = pair->normal, .gap = pair->gap},
                        interval, now_);
}

double GroupRun::calc_next_stop_time(int stop) {
  const Interval& interval = *world_.interval;
  mover_.move(stops_.body(stop), now_, world_.bodies);
  const Contact c = stops_.calc_contact(stop);
  const double gap = stops_.lever(stop) * c.gap;
  const double v_n = stops_.calc_velocity(c, stop);
  if (note_overlap(gap)) {
    const std::string& body = world_.bodies->model->bodies[stops_.body(stop)].name;
    fail_overlap(gap, "the joint of " + body + " and its stop");
  }
  if (impacts_.rule().collides(gap, v_n, 0.0)) return now_;
  const double closing = collide::calc_closing_time(gap - calc_goal(interval.thresholds, gap), v_n,
                                                    stops_.calc_unsteadiness(stop));
  return calc_heap_time(interval, now_, closing, interval.looks.slice);
}

// Resolves the points of a pair one after the other, the fastest first, until none of them
// collides. Then updates everything that depends on the two bodies.
void GroupRun::collide(const Pair& pair) {
  const dynamics::Model& model = *world_.bodies->model;
  const int body_a = model.parts[pair.part_a].body;
  const int body_b = model.parts[pair.part_b].body;
  wake(body_a);
  wake(body_b);
  if (pair.is_face && options_.microcollisions && !resolve_face(pair.contacts)) return;
  if (has_failed_) return;
  for (int round = 0; round < kMaxImpactsOfPair; ++round) {
    const Contact* next = impacts_.find_next(pair);
    if (next == nullptr) break;
    if (!resolve(*next, pair.is_face)) return;
  }
  for (const int body : {body_a, body_b}) {
    if (model.bodies[body].is_mobile()) update_pairs_of(body);
  }
}

// False if its impact is not accepted.
bool GroupRun::resolve_face(const std::vector<Contact>& contacts) {
  if (!impacts_.resolve_face(contacts, &face_)) return true;
  Journal* journal = world_.journal;
  count(face_.kind, &journal->counts);
  double worst = 0.0;
  for (std::size_t i = 0; i < face_.points.size(); ++i) {
    add_impact(face_.contacts[i], face_.points[i], now_, options_.tolerance, journal);
    if (!(face_.points[i].residual <= worst)) worst = face_.points[i].residual;
  }
  return accept(face_.contacts.front(), worst);
}

bool GroupRun::resolve(const Contact& c, bool is_corner) {
  const ContactImpact impact = impacts_.resolve(c, is_corner);
  if (impact.is_unbounded) {
    fail(AdvanceStatus::kSolverFailed,
         "no finite impulse ends the impact " + tell_where(*world_.bodies->model, c, now_),
         complementarity::SolveStatus::kRayTermination);
    return false;
  }
  count(impact.point.kind, &world_.journal->counts);
  world_.journal->guarded += impact.is_guarded ? 1 : 0;
  add_impact(c, impact.point, now_, options_.tolerance, world_.journal);
  return accept(c, impact.point.residual);
}

void GroupRun::hit_stop(int stop) {
  const Thresholds& thresholds = world_.interval->thresholds;
  const Contact c = stops_.calc_contact(stop);
  const double v_n = stops_.calc_velocity(c, stop);
  const double W = stops_.update(c, stop);
  const ImpactAnswer answer = impacts_.rule().solve_stop(W, stops_.lever(stop) * c.gap, v_n);
  const double p_n = answer.p.z();
  stops_.apply(stop, p_n);
  const double after = stops_.calc_velocity(c, stop);
  const double speed = std::max(std::fabs(v_n), std::fabs(after));
  const double left = answer.kind == ImpactKind::kLaw ? std::fabs(after) : 0.0;
  const Vec3 v_before(0.0, 0.0, v_n);
  const Vec3 v_after(0.0, 0.0, after);
  SlowCertificate slow;
  slow.add(v_before, v_after, answer.p, 0.0);
  const double height = thresholds.refuge() - stops_.lever(stop) * c.gap;
  slow.allow_lift(std::sqrt(2.0 * thresholds.fall * std::max(0.0, height)), 0.0, 0.0);
  const double residual =
      std::max({std::fabs(after - v_n - W * p_n) / speed, left / speed,
                answer.kind == ImpactKind::kLaw ? 0.0 : slow.calc_residual(answer.kind)});
  Journal* journal = world_.journal;
  count(answer.kind, &journal->counts);
  add(make_stop_record(*world_.bodies, c, stops_.lever(stop),
                       {.before = v_before, .after = v_after, .p = answer.p, .residual = residual}),
      now_, journal);
  ++journal->num_impact_records;
  journal->certificate.residual = std::max(journal->certificate.residual, residual);
  const bool lifts = answer.kind == ImpactKind::kLift;
  book(lifts ? Ledger::kProjection : Ledger::kNormal, 0.5 * p_n * (v_n + after), journal);
  if (accept(c, residual)) update_pairs_of(c.body_b);
}

// All bodies of a resting group wake together.
void GroupRun::wake(int body) {
  const RestingGroup* group = world_.resting->group_of(body);
  if (group == nullptr) return;
  record_rest(*group, world_.interval->t_start, now_, world_.bodies, world_.journal);
  world_.resting->wake(*group, now_, world_.bodies);
  for (const int i : group->bodies) update_pairs_of(i);
}

// Updates the pairs of all bodies of the mechanism, because all of them have changed their motion.
void GroupRun::update_pairs_of(int body) {
  const dynamics::Model& model = *world_.bodies->model;
  for (const int i : model.mechanisms[model.bodies[body].mechanism].bodies) {
    world_.pairs->refile(i, now_, *world_.bodies, *world_.interval, group_of_);
    for (int stop = stops_.begin(i); stop < stops_.end(i); ++stop) {
      heap_.set(stop, calc_next_stop_time(stop));
    }
    const dynamics::Body& b = model.bodies[i];
    for (int part = b.parts_begin; part < b.parts_end; ++part) {
      for (const int pair : world_.pairs->pairs_of(part)) {
        heap_.set(stops_.size() + pair, calc_next_time(&(*world_.pairs)[pair]));
      }
    }
  }
}

// Checks the residual of the last recorded impact and the number of impacts. The run ends if either
// is too large.
bool GroupRun::accept(const Contact& c, double residual) {
  Journal* journal = world_.journal;
  if (!(residual <= options_.tolerance)) {
    journal->certificate.passed = false;
    fail(AdvanceStatus::kCertificateFailed, "certified residual " + to_rounded(residual) +
                                                " of the impact " +
                                                tell_where(*world_.bodies->model, c, now_));
    return false;
  }
  if (journal->records.back().excess_work > 0.0) {
    journal->certificate.passed = false;
    fail(AdvanceStatus::kCertificateFailed,
         "the impact gains " + to_rounded(journal->records.back().excess_work) +
             " J more than its law allows, that " + tell_where(*world_.bodies->model, c, now_));
    return false;
  }
  if (journal->num_impact_records > options_.cap) {
    fail(AdvanceStatus::kSolverFailed, tell_too_many_impacts(options_, world_.interval->t_end),
         complementarity::SolveStatus::kIterationLimit);
  }
  return !has_failed_;
}

bool GroupRun::note_overlap(double gap) {
  if (!(gap < 0.0)) return false;
  double& penetration = world_.journal->certificate.penetration;
  penetration = std::max(penetration, -gap);
  return gap < -world_.interval->thresholds.envelope && !has_failed_;
}

void GroupRun::fail_overlap(double gap, const std::string& what) {
  world_.journal->certificate.passed = false;
  is_lost_ = now_ > world_.interval->t_start && world_.bodies->has_integrated();
  fail(AdvanceStatus::kCertificateFailed,
       what + " overlap by " + to_rounded(-gap) + " m at t = " + to_rounded_time(now_) +
           " s, more than the envelope of " + to_text(world_.interval->thresholds.envelope) + " m");
}

void GroupRun::fail_unless_followed() {
  if (world_.bodies->is_followed) return;
  fail(AdvanceStatus::kNonfinite, "a mechanism moves too fast to be followed");
}

void GroupRun::fail(AdvanceStatus status, const std::string& message,
                    complementarity::SolveStatus solver) {
  has_failed_ = true;
  note({.t = now_,
        .index = item_,
        .status = status,
        .solver = solver,
        .message = message,
        .is_lost = is_lost_},
       world_.journal);
}

}  // namespace tenpin::methods::impulse
