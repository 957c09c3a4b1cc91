// Pieces that stand, since nothing overlaps at their ends, are refined and put in place.
#include <algorithm>
#include <cmath>

#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactVector;

// Finishes the pieces of all that move.
bool SecondOrderStepper::finish(StepReport* report) {
  is_finishing_ = is_moving_;
  is_changed_.assign(is_moving_.size(), 0);
  const auto move_all = [this] {
    move_where([this](int node) {
      return is_finishing_[node] != 0;
    });
  };
  find_held(at_end_, q_end_);
  for (int pass = 1; mark_unsettled(pass); ++pass) {
    move_where([this](int node) {
      return is_finishing_[node] != 0 && marked_[groups_.root(node)] != 0;
    });
    if (!refine(report)) return false;
    move_all();
    find_held(at_end_, q_end_);
  }
  if (project()) is_changed_ = is_finishing_;
  for (const int node : moving_) is_open_[node] = 0;
  return true;
}

// Marks the groups that are worth another solve. Forces that resist are known only now.
bool SecondOrderStepper::mark_unsettled(int pass) {
  make_groups();
  bool any = false;
  if (pass == 1 && resists_) {
    for (const int node : moving_) marked_[groups_.root(node)] = 1;
    any = true;
  }
  for (const Entry& entry : entries_) {
    const int node = node_of(entry.contact);
    if (entry.is_final || is_moving_[node] == 0) continue;
    if (is_late_[node] != 0 || marked_[groups_.root(node)] != 0) continue;
    if (!is_unsettled(entry, pass)) continue;
    marked_[groups_.root(node)] = 1;
    any = true;
  }
  return any;
}

// Whether the contact ends with another velocity than the law was asked for, or its slip has turned
// by another angle. Not so for what rests or slides straight on.
bool SecondOrderStepper::is_unsettled(const Entry& entry, int pass) const {
  constexpr double kSame = 1e-7;  // of the bodies' velocities
  const Contact* begin = contact::find_contact(held_, entry.contact.key);
  const Contact* shown = begin != nullptr ? find_shown(*begin, at_end_) : nullptr;
  if (shown == nullptr) return false;
  Contact end = *shown;
  align_tangents(entry.contact, &end);
  const ContactVector u1 = calc_velocity(end, at_end_, v_end_);
  if (pass < count_passes(end) && (u1 - entry.after).head<3>().norm() > kSame * calc_speed(end)) {
    return true;
  }
  if (pass > 1) return false;
  const ContactVector u0 = calc_velocity(*begin, at_begin_, v_begin_);
  const Vec2 after = u1.segment<2>(1);
  const double change = std::max(std::fabs(entry.free_acceleration) * length(node_of(end)),
                                 entry.normal_mobility * entry.impulse[contact::kNormalRow]);
  const Vec2 turn = calc_turn(end, u0.segment<2>(1), after, change);
  const double speed = calc_speed(end);
  const double worth = turn.squaredNorm() / std::max(after.norm(), 1e-6 * speed);
  return (turn - entry.turn).norm() > std::max(worth, 1e-12 * speed);
}

// Trees have their forces in the flow, so that even at rest the two halves must cancel, to
// rounding.
int SecondOrderStepper::count_passes(const Contact& c) const {
  constexpr int kPassesOfTrees = 3;
  for (const int body : {c.body_a, c.body_b}) {
    const int m = model_->bodies[body].mechanism;
    if (m >= 0 && !is_loose(m)) return std::max(options_.passes, kPassesOfTrees);
  }
  return options_.passes;
}

// The same piece once more, with the end that it led to for the end of the drift: in the law's
// offset, in the slip's turn and in the middle's Jacobian.
bool SecondOrderStepper::refine(StepReport* report) {
  take_forces(false);
  collect_held({.motion = at_end_, .v = v_end_, .v_mid = v_kicked_});
  turn_slip(v_kicked_);
  if (!solve_piece(report)) return false;
  for (const int node : moving_) is_changed_[node] = 1;
  return true;
}

}  // namespace tenpin::methods::time_stepping
