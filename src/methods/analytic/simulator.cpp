#include "methods/analytic/simulator.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"
#include "dynamics/flight.h"
#include "shapes/bounds.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

constexpr double kFirstStep = 1e-3;  // s   tried when nothing is known
constexpr double kNoEvent = 2.0;
// s   for which forces that are not correct may act: soon after, the contacts that they push apart
// have parted.   [B89, §6.5]
constexpr double kFallbackStep = 1e-5;

// 1/s   times the event tolerance: slower is no slip. The direction of a slip that just begins
// turns within the time that friction takes to stop it, which the integrator would have to resolve.
constexpr double kSlow = 10.0;

constexpr double kLeastStep = 1e-7;  // s   so that time goes on whatever rounding says
// Slips that stop one after the other sooner than that are counted as slow, twice as fast ones
// after so many steps.
constexpr int kShortStepsPerDoubling = 4;
constexpr int kMaxDoublings = 10;
constexpr int kMaxShortSteps = 10'000;

// By pair of parts; joints come before surfaces.
bool precedes(const Contact& a, const Contact& b) {
  return std::tie(a.key.part_a, a.key.part_b) < std::tie(b.key.part_a, b.key.part_b);
}

double calc_body_radius(const dynamics::Model& model, const dynamics::Body& body) {
  double radius = 0.0;
  for (int i = body.parts_begin; i < body.parts_end; ++i) {
    const shapes::PlacedShape& part = model.parts[i].placed;
    if (shapes::is_boundless(part.shape)) continue;
    const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
    radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
  }
  return radius;
}

}  // namespace

Simulator::Simulator(const dynamics::Model& model, const Options& options)
    : model_(&model),
      options_(options),
      finder_(model),
      motion_(model, kSlow * options.event_tolerance),
      force_solver_(model, options),
      collision_solver_(model, options),
      event_finder_(model, options),
      approach_(model, options),
      integrator_(make_integrator(options.integrator)) {
  for (const dynamics::Body& body : model.bodies) {
    body_radius_.push_back(calc_body_radius(model, body));
  }
  for (const dynamics::Mechanism& m : model.mechanisms) {
    for (const int i : m.bases) {
      is_driven_ = is_driven_ || model.bodies[i].joint.type == dynamics::JointType::kPrescribed;
    }
  }
}

Statistics Simulator::statistics() const {
  Statistics s = statistics_;
  s.rejected = integrator_->num_rejected();
  s.evaluations = integrator_->num_evaluations();
  s.root_iterations = event_finder_.num_iterations() + approach_.num_iterations();
  s.distances = approach_.num_queries();
  return s;
}

void Simulator::step(double t_limit, dynamics::State* state, StepReport* report) {
  *report = {.step = state->step + 1, .t = state->t};
  report->iterations = 0;
  const Statistics before = statistics();
  t_limit_ = t_limit;
  reach_factor_ = 1.0;
  begin(*state, t_limit);
  if (is_overlapping(report) || is_stalled(report)) return;
  if (is_colliding()) {
    collide(report);
  } else if (solve_forces(report)) {
    go_on(report);
  } else if (report->status == AdvanceStatus::kReachedEnd) {
    defy(forces_report_.failed_touch, report);
  }
  if (report->status != AdvanceStatus::kReachedEnd) return;
  is_collision_ ? write_collision_records() : write_records();
  write_ledger(report);
  write_certificate(report);
  report->iterations = static_cast<int>(statistics().root_iterations - before.root_iterations);
  if (report->status == AdvanceStatus::kReachedEnd) commit(state);
}

void Simulator::begin(const dynamics::State& state, double t_limit) {
  t0_ = t1_ = state.t;
  q0_ = state.q;
  v0_ = state.v;
  memory_.load(state.memory);
  is_collision_ = false;
  has_event_ = true;
  projection_work_ = loop_error_ = 0.0;
  // Equal steps to the limit, so that none is a tiny rest.
  const double rest = t_limit - t0_;
  const double wish = std::min(memory_.h > 0.0 ? memory_.h : kFirstStep, options_.max_step);
  h_planned_ = h_next_ = rest / std::max(1.0, std::ceil(rest / wish));
  update_poses(*model_, q0_, t0_, &X_);
  update_twists(*model_, X_, v0_, t0_, &V_);
  potential0_ = calc_potential_energy(*model_, X_, q0_);
  energy0_ = calc_kinetic_energy(*model_, X_, V_, v0_) + potential0_;
  const int doublings = std::min(num_short_ / kShortStepsPerDoubling, kMaxDoublings);
  motion_.set_slow(std::ldexp(kSlow * options_.event_tolerance, doublings));
  find_contacts();
  motion_.set_touches(&touches_);
  motion_.update(t0_, q0_, v0_);
  set_scale();
}

bool Simulator::is_overlapping(StepReport* report) const {
  for (const Contact& c : found_) {
    if (c.gap >= -2.0 * options_.event_tolerance - calc_slack(c)) continue;
    fail(report, AdvanceStatus::kCertificateFailed,
         model_->bodies[c.body_a].name + " and " + model_->bodies[c.body_b].name + " overlap by " +
             to_text(-c.gap) + " m, want at most the event tolerance " +
             to_text(options_.event_tolerance));
    return true;
  }
  return false;
}

// Many bodies may collide within a moment, but not for ever.
bool Simulator::is_stalled(StepReport* report) const {
  if (num_short_ < kMaxShortSteps) return false;
  std::string where;
  for (int i = 0; i < static_cast<int>(touches_.size()) && where.empty(); ++i) {
    if (motion_.velocity(i)[0] != 0.0) where = ", the last at " + name_of(i);
  }
  fail(report, AdvanceStatus::kSolverFailed,
       "time does not go on: " + std::to_string(num_short_) + " events in a row within " +
           to_text(kLeastStep) + " s of each other" + where);
  return true;
}

bool Simulator::is_colliding() const {
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (touches_[i].contact.gap <= options_.event_tolerance &&
        motion_.velocity(i)[0] < -options_.event_tolerance) {
      return true;
    }
  }
  return false;
}

// What is found to stick is brought to rest, which may change the forces.
void Simulator::find_forces() {
  constexpr int kMaxRounds = 4;
  for (int round = 0;; ++round) {
    force_solver_.solve(scale_, &motion_, &touches_, &forces_report_);
    if (forces_report_.status != complementarity::SolveStatus::kSolved) return;
    if (round == kMaxRounds || !rest_sticking()) return;
  }
}

bool Simulator::solve_forces(StepReport* report) {
  find_forces();
  report->solves = forces_report_.solves;
  report->pivots = forces_report_.pivots;
  report->problem_size = forces_report_.largest;
  report->num_contacts = static_cast<int>(found_.size());
  if (forces_report_.status == complementarity::SolveStatus::kSolved) {
    test_existence();
    report->existence = existence_;
    report->branches = forces_report_.branches;
    if (report->branches.fallback > 0) h_planned_ = std::min(h_planned_, kFallbackStep);
    checks_.assign(touches_.size(), {});
    for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
      Touch& touch = touches_[i];
      if (touch.is_touching) {
        checks_[i] = certify_forces(motion_, touches_, scale_, i, Moment::kStart);
      }
      if (touch.grip == Grip::kSlide) {
        touch.slip_dir = motion_.slip_direction(i);
        touch.begins_to_slip = !touch.contact.is_planar && !slips(motion_, i, scale_);
      }
      report->num_active += carries(touch.grip) ? 1 : 0;
    }
    for (int m = 0; m < model_->num_mechanisms(); ++m) {
      const dynamics::Mechanism& mechanism = model_->mechanisms[m];
      if (motion_.stands(m)) v0_.segment(mechanism.v_begin, mechanism.nv).setZero();
    }
    return true;
  }
  report->solver = forces_report_.status;
  if (options_.friction == Options::Friction::kNone) {
    fail(report, AdvanceStatus::kSolverFailed,
         "no contact forces found at " + name_of(forces_report_.failed_touch));
  }
  return false;
}

// Whether the forces are unique: the same contacts need no new test.
void Simulator::test_existence() {
  std::vector<int> touching;
  std::vector<contact::ContactKey> keys;
  std::vector<Contact> contacts;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (!touches_[i].is_touching) continue;
    touching.push_back(i);
    keys.push_back(touches_[i].contact.key);
    contacts.push_back(touches_[i].contact);
  }
  if (keys == existence_of_) return;
  existence_of_ = keys;
  existence_ = {};
  contact::Islands islands;
  islands.update(*model_, contacts);
  for (int k = 0; k < islands.size(); ++k) {
    std::vector<int> island;
    for (const int c : islands.contacts(k)) island.push_back(touching[c]);
    const contact::Existence one = existence_test_.test(
        *model_, motion_.mass_matrix(), motion_.jacobian(), motion_.contacts(), island);
    existence_.normals_independent = existence_.normals_independent && one.normals_independent;
    existence_.spans_disjoint = existence_.spans_disjoint && one.spans_disjoint;
  }
}

// One step of the integrator, shortened to the first event in it.
void Simulator::go_on(StepReport* report) {
  if (!integrate()) {
    jam(report);
    return;
  }
  if (has_left_reach()) {
    // Contacts may have been passed over: look farther.
    reach_factor_ *= 4.0;
    find_contacts();
    motion_.set_touches(&touches_);
    motion_.update(t0_, q0_, v0_);
    set_scale();
    if (solve_forces(report)) go_on(report);
    return;
  }
  ++statistics_.steps;
  finish_step(find_event());
}

// Impulses of single contacts ride along: where they are not unique, how they are shared is no
// smooth function of time.
StepRange Simulator::make_range(double h) const {
  return {.h_max = h,
          .h_guess = h,
          .tolerance = options_.tolerance,
          .num_steering = model_->nq + model_->nv + Motion::kNumWorks};
}

bool Simulator::integrate() {
  y_start_.setZero(motion_.num_states());
  y_start_.head(model_->nq) = q0_;
  y_start_.segment(model_->nq, model_->nv) = v0_;
  if (integrator_->step(&motion_, t0_, y_start_, make_range(h_planned_))) {
    h_next_ = integrator_->h_next();
    return true;
  }
  return false;
}

// A slip may turn to where its friction has no finite force any more: forces grow beyond all
// bounds within a finite time. There, as where there never was one, an impulse takes over.
void Simulator::jam(StepReport* report) {
  motion_.update(t0_, q0_, v0_);
  motion_.solve_forces();
  int jammed = -1;
  double largest = 0.0;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const double a = motion_.forces()[i][0] * calc_mobility(motion_, i);
    if (touches_[i].grip != Grip::kSlide || is_dry_joint(touches_[i]) || a <= largest) continue;
    largest = a;
    jammed = i;
  }
  if (jammed < 0) {
    fail(report, AdvanceStatus::kNonfinite, "the motion cannot be followed: forces are too stiff");
    return;
  }
  defy(jammed, report);
}

bool Simulator::has_left_reach() const {
  const double h = integrator_->h();
  const VecX& y = integrator_->end();
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  update_poses(*model_, y.head(model_->nq), t0_ + h, &X);
  update_twists(*model_, X, y.segment(model_->nq, model_->nv), t0_ + h, &V);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double w = std::max(V_[i].w.norm(), V[i].w.norm());
    const double speed = std::max(V_[i].v.norm(), V[i].v.norm()) + w * body_radius_[i];
    if (speed * h > reach_[i] && model_->bodies[i].is_mobile()) return true;
  }
  return false;
}

double Simulator::find_event() {
  // Where nothing moves nothing changes.
  const int n = model_->nq + model_->nv;
  const bool stands = integrator_->end().head(n) == y_start_.head(n);
  if (stands && !motion_.has_drives()) return kNoEvent;
  const StepView view{.integrator = *integrator_, .t = t0_};
  double first = event_finder_.find_first(view, scale_, &motion_, &touches_);
  first = std::min(first, approach_.find_first(view, apart_, std::min(first, 1.0)));
  first = std::min(first, find_change(std::min(first, 1.0)));
  return first < 1.0 ? event_finder_.find_earlier(view, first, &motion_, touches_) : first;
}

// Whether contacts rest on the same points as at the start, as far as they still touch, and every
// point that touches is one of them. Both lists are sorted by pair.
bool Simulator::has_moved_support(std::span<const Contact> now) const {
  const double near = 10.0 * options_.event_tolerance;
  const auto is_same = [near](const Contact& a, const Contact& b) {
    return a.key == b.key || (a.p_b - b.p_b).norm() <= near;
  };
  for (const Touch& touch : touches_) {
    const bool is_followed = touch.track.is_exact || touch.normal_of == contact::NormalOf::kChoice;
    const bool counts =
        carries(touch.grip) && is_followed && touch.contact.kind == contact::ContactKind::kSurface;
    if (!counts) continue;
    const auto [begin, end] = std::equal_range(now.begin(), now.end(), touch.contact, precedes);
    const bool is_there = std::any_of(begin, end, [&](const Contact& c) {
      return is_same(touch.contact, c);
    });
    if (!is_there) return true;
  }
  for (const Contact& c : now) {
    if (c.gap < -0.7 * options_.event_tolerance) return true;
    if (c.gap > 0.5 * options_.event_tolerance) continue;
    const auto begin = std::partition_point(touches_.begin(), touches_.end(), [&](const Touch& t) {
      return precedes(t.contact, c);
    });
    bool pair_touches = false;
    bool is_there = false;
    for (auto touch = begin; touch != touches_.end() && !precedes(c, touch->contact); ++touch) {
      pair_touches = pair_touches || (touch->is_touching && touch->track.is_exact);
      is_there = is_there || !touch->track.is_exact || is_same(touch->contact, c);
    }
    if (pair_touches && !is_there) return true;
  }
  return false;
}

bool Simulator::has_changed(double theta) {
  integrator_->interpolate(theta, &y_);
  update_poses(*model_, y_.head(model_->nq), t0_ + theta * integrator_->h(), &X_);
  for (Touch& touch : touches_) {
    update_contact(*model_, touch.track, X_, y_.head(model_->nq), &touch.contact);
  }
  std::fill(reach_.begin(), reach_.end(), options_.event_tolerance);
  found_end_.clear();
  find_points(&found_end_);
  return has_moved_support(found_end_);
}

// The part of the step after which bodies do not touch any more where they did; 2 if they always
// do.
double Simulator::find_change(double until) {
  const bool touches = std::any_of(touches_.begin(), touches_.end(), [](const Touch& t) {
    return t.contact.kind == contact::ContactKind::kSurface;
  });
  if (!touches || !has_changed(until)) return kNoEvent;
  constexpr double kWidth = 1e-10;  // s
  const double h = integrator_->h();
  double low = 0.0;
  double high = until;
  while ((high - low) * h > kWidth) {
    const double middle = 0.5 * (low + high);
    (has_changed(middle) ? high : low) = middle;
  }
  const double change = std::max(high, kLeastStep / h);
  return std::min(change, until) >= 1.0 ? kNoEvent : change;
}

// To the event after a part of the step, or to what turns out to be before it: a shorter step is
// more exact than the one in which the event was found.
bool Simulator::integrate_until(double part) {
  constexpr int kMaxAttempts = 20;
  const StepView view{.integrator = *integrator_, .t = t0_};
  for (int k = 0; k < kMaxAttempts; ++k) {
    integrator_->restart();
    if (!integrator_->step(&motion_, t0_, y_start_, make_range(part))) return false;
    const double earlier = event_finder_.find_earlier(view, 1.0, &motion_, touches_);
    if (earlier >= 1.0) break;
    part = earlier * integrator_->h();
  }
  return true;
}

// Takes the end of the step, or integrates once more to exactly where the event is.
void Simulator::finish_step(double theta) {
  const double h = integrator_->h();
  has_event_ = theta < 1.0;
  if (has_event_) {
    ++statistics_.events;
    const bool good = integrate_until(theta * h);
    t1_ = good ? t0_ + integrator_->h() : t0_;  // an event at once: too soon for a step
    y_ = good ? integrator_->end() : y_start_;
    integrator_->restart();
  } else {
    t1_ = t0_ + h > t_limit_ - 1e-9 * h ? t_limit_ : t0_ + h;
    y_ = integrator_->end();
  }
  q1_ = y_.head(model_->nq);
  v1_ = y_.segment(model_->nq, model_->nv);
  for (const dynamics::Body& body : model_->bodies) {
    const int i = body.joint.q_begin;
    if (body.joint.type == dynamics::JointType::kFree) q1_.segment<4>(i + 3).normalize();
    if (body.joint.type == dynamics::JointType::kBall) q1_.segment<4>(i).normalize();
  }
  project();
}

void Simulator::commit(dynamics::State* state) {
  Memory memory;
  memory.h = h_next_;
  // What an event ends at once is to be decided anew.
  const bool goes_on = !is_collision_ && t1_ > t0_;
  for (const Touch& touch : touches_) {
    if (goes_on && touch.is_touching) memory.remember(touch);
  }
  memory.save(&state->memory);
  // A step that is short because motion is fast is no event.
  if (t1_ - t0_ > 1.5 * kLeastStep || t1_ >= t_limit_) {
    num_short_ = 0;
  } else if (has_event_) {
    ++num_short_;
  }
  state->q = q1_;
  state->v = v1_;
  state->t = t1_;
  ++state->step;
}

}  // namespace tenpin::methods::analytic
