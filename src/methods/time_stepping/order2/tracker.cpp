#include "methods/time_stepping/order2/tracker.h"

#include <algorithm>

#include "contact/joint_contacts.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;

// Sets the distance within which contacts are searched: a contact must be found although it opens a
// little. A body that comes to rest within the step was fast at its start, and its residuals are
// relative to that speed.
void ContactTracker::update_reach(const std::vector<dynamics::Twist>& V_WB, double h,
                                  double start_speed) {
  reach_.resize(setup_->model->bodies.size());
  wide_reach_.resize(setup_->model->bodies.size());
  const double fall = setup_->gravity() * h * h;
  const auto calc_speed = [&](int i) {
    return setup_->calc_speed(i, V_WB[i]);
  };
  body_speed_ = find_largest(setup_->workers, setup_->num_bodies(),
                             std::max(start_speed, setup_->gravity() * h), calc_speed);
  setup_->workers->split(setup_->num_bodies(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double speed = calc_speed(i);
      reach_[i] = 2e-3 * setup_->radius[i] + 2.0 * fall + 0.25 * h * speed;
      wide_reach_[i] = reach_[i] + 2.0 * h * speed;
    }
  });
}

void ContactTracker::find(const Instant& instant, double h, double start_speed, bool of_sleepers,
                          std::vector<Contact>* contacts) {
  update_reach(instant.motion.V, h, start_speed);
  contacts->clear();
  append_joint_limits(*setup_->model, instant.q, setup_->zero, h, contacts);
  if (sleepers_->size() == 0) {
    search_.finder.find(instant.motion.X, reach_, contacts);
    return;
  }
  const auto which = of_sleepers ? sleepers_->asleep() : sleepers_->awake();
  search_.finder.find_again(instant.motion.X, reach_, which, {}, contacts);
}

void ContactTracker::find_at_end(bool of_sleepers, StepProgress* step) {
  find(step->path.end, step->schedule.h, step->start.speed, of_sleepers, &step->end_contacts);
  restore_met(step);
}

void ContactTracker::find_at_end_again(const NodeSet& moved, StepProgress* step) {
  const double h = step->schedule.h;
  is_moved_.resize(setup_->model->bodies.size());
  for (int i = 0; i < setup_->num_bodies(); ++i) {
    const int mechanism = setup_->model->bodies[i].mechanism;
    is_moved_[i] = moved.has[mechanism >= 0 ? mechanism : step->schedule.driven_node()];
  }
  const Instant& end = step->path.end;
  update_reach(end.motion.V, h, step->start.speed);
  std::swap(before_, step->end_contacts);
  step->end_contacts.clear();
  append_joint_limits(*setup_->model, end.q, setup_->zero, h, &step->end_contacts);
  search_.finder.find_again(end.motion.X, reach_, is_moved_, before_, &step->end_contacts);
  restore_met(step);
}

// Adds the contacts of bodies that met on the way to the contacts at the end.
void ContactTracker::restore_met(StepProgress* step) {
  const Schedule& schedule = step->schedule;
  begun_.assign(setup_->model->bodies.size(), 0.0);
  for (int i = 0; i < setup_->num_bodies(); ++i) {
    const int mechanism = setup_->model->bodies[i].mechanism;
    if (mechanism >= 0) begun_[i] = schedule.nodes[mechanism].begin / schedule.h;
  }
  for (const int body : setup_->driven) {
    begun_[body] = schedule.nodes[schedule.driven_node()].begin / schedule.h;
  }
  const bool is_divided = std::any_of(begun_.begin(), begun_.end(), [](double s) {
    return s > 0.0;
  });
  (void)search_.passages.restore_met({.X_begin = step->path.begin.motion.X,
                                      .X_end = step->path.end.motion.X,
                                      .V = step->path.begin.motion.V,
                                      .h = schedule.h,
                                      .begin = is_divided ? begun_ : std::span<const double>()},
                                     &step->end_contacts);
}

std::span<const Contact> ContactTracker::find_pairs(const StepProgress& step,
                                                    const Instant& instant,
                                                    std::span<const collide::Pair> pairs,
                                                    std::span<const double> reach) {
  current_.clear();
  append_joint_limits(*setup_->model, instant.q, step.path.begin.v, step.schedule.h, &current_);
  search_.finder.find_pairs(pairs, instant.motion.X, reach, &current_);
  return current_;
}

std::span<const Contact> ContactTracker::find_active(const StepProgress& step, const NodeSet& nodes,
                                                     const Instant& instant) {
  pairs_.clear();
  for (const Contact& c : step.active.contacts) {
    const bool is_surface = c.kind == contact::ContactKind::kSurface;
    if (!is_surface || !nodes.contains(node_of(*setup_->model, c))) continue;
    const collide::Pair pair{.first = c.key.part_a, .second = c.key.part_b};
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
  }
  return find_pairs(step, instant, pairs_, reach_);
}

std::span<const Contact> ContactTracker::find_at_begin(const StepProgress& step,
                                                       std::span<const collide::Pair> pairs,
                                                       bool is_wide) {
  return find_pairs(step, step.path.begin, pairs, is_wide ? wide_reach_ : reach_);
}

const Contact* find_moved(const StepSetup& setup, const StepProgress& step, const Contact& active,
                          std::span<const Contact> current, const BodyMotion& motion) {
  const Contact* found = contact::find_contact(current, active.key);
  const bool is_same =
      found != nullptr && is_same_place(*setup.model, {.first = active,
                                                       .X_first = step.path.begin.motion.X,
                                                       .second = *found,
                                                       .X_second = motion.X});
  return is_same ? found : nullptr;
}

}  // namespace tenpin::methods::time_stepping::order2
