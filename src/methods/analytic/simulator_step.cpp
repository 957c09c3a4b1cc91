// One step of the integrator, and the first event in it.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "dynamics/flight.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

constexpr double kNoEvent = 2.0;

// Sorts by pair of parts, joints before surfaces.
bool precedes(const Contact& a, const Contact& b) {
  return std::tie(a.key.part_a, a.key.part_b) < std::tie(b.key.part_a, b.key.part_b);
}

}  // namespace

// One step of the integrator, shortened to the first event in it.
void Simulator::advance_piece(StepReport* report) {
  if (!integrate()) {
    impact_without_collision(report);
    return;
  }
  if (divide_at_short_steps(report)) return;
  if (has_left_reach()) {
    // Contacts may have been missed: search farther away.
    reach_factor_ *= 4.0;
    find_contacts();
    motion_.set_touches(&touches_);
    motion_.update(t0_, q0_, v0_);
    set_scale();
    if (solve_forces(report)) advance_piece(report);
    return;
  }
  const double event = find_event();
  if (divide_at_events(event, report)) return;
  ++statistics_.steps;
  finish_step(event);
}

// The impulses of single contacts are integrated without error control: where they are not unique,
// their distribution is not a smooth function of time.
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

// A slip may turn to a direction for which no finite force exists: forces become infinite within a
// finite time. An impulse then takes over, as where no finite force existed from the start.
void Simulator::impact_without_collision(StepReport* report) {
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
  resolve_painleve(jammed, report);
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
  // If nothing moves, nothing changes.
  const int n = model_->nq + model_->nv;
  const bool stands = integrator_->end().head(n) == y_start_.head(n);
  if (stands && !motion_.has_drives()) return kNoEvent;
  const StepView view{.integrator = *integrator_, .t = t0_};
  double first = event_finder_.find_first(view, scale_, &motion_, &touches_);
  first = std::min(first, approach_.find_first(view, apart_, std::min(first, 1.0)));
  first = std::min(first, find_change(std::min(first, 1.0)));
  return first < 1.0 ? event_finder_.find_earlier(view, first, &motion_, touches_) : first;
}

// True if the points of support have changed: a contact that still touches has moved, or a point
// touches that did not at the start. Both lists are sorted by pair.
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

// The fraction of the step after which bodies no longer touch at the same points; 2 if they always
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

// Integrates to the event after a fraction of the step, or to an earlier event that appears then: a
// shorter step is more accurate than the one in which the event was found.
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

// Accepts the end of the step, or integrates again to exactly the time of the event.
void Simulator::finish_step(double theta) {
  const double h = integrator_->h();
  has_event_ = theta < 1.0;
  if (has_event_) {
    ++statistics_.events;
    const bool good = integrate_until(theta * h);
    t1_ = good ? t0_ + integrator_->h() : t0_;  // an event at the start: too early for a step
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

}  // namespace tenpin::methods::analytic
