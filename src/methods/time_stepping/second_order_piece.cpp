// A smooth piece: half a drift, one kick in the middle, half a drift.
//
//   v-, v+   velocity in the middle, before and after the kick
//   q~, v~   where the drift alone would end
//
// The kick gives v+ = v- + M^-1 (h k + Jm'p), all at the middle. The law is wanted at the end,
// where the contact velocity is J1 v1 + b1. To the order that counts that is Jm v+ + offset with
// offset = J1 v~ + b1 - Jm v-: a shift of the right side, so W = Jm M^-1 Jm' stays symmetric.
#include <algorithm>
#include <cmath>

#include "dynamics/forces.h"
#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;

// To the end, with one solve: see whether the piece stands before it is refined.
bool SecondOrderStepper::move(StepReport* report) {
  constexpr int kMaxImpacts = 3;  // of one group at the start of its piece
  for (int i = 0;; ++i) {
    drift_freely();
    take_forces(true);
    find_held(at_far_, q_far_);
    collect_held({.motion = at_far_, .v = v_far_, .v_mid = v_mid_});
    if (i == kMaxImpacts || !mark_approaching()) break;
    if (!collide(report)) return false;
  }
  for (const int node : moving_) is_open_[node] = 1;
  turn_slip(problem_.v);  // a first guess
  return solve_piece(report);
}

// Half a piece of a mechanism. Loose bodies drift, and the kick holds their forces. Trees move
// under all their smooth forces, whose flow can be integrated to rounding: their kick is contact
// alone.
bool SecondOrderStepper::go(int m, const dynamics::Flight::Start& start, VecX* q, VecX* v,
                            dynamics::Flight::Work* work) {
  const double half = 0.5 * length(m);
  if (is_loose(m)) return flight_.drift(m, start, half, q, v);
  return fly(m, start, half, q, v, work);
}

bool SecondOrderStepper::fly(int m, const dynamics::Flight::Start& start, double h, VecX* q,
                             VecX* v, dynamics::Flight::Work* work) {
  return flight_.fly(m, start, h, q, v, work) || flight_.fly_past_kinks(m, start, h, q, v, work);
}

// Trees that nothing touches have no kick: they fly through.
void SecondOrderStepper::drift_freely() {
  dynamics::Flight::Work unused;
  mark_flying();
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    const dynamics::Flight::Start start{.q = q_begin_, .v = v_begin_, .t = time(m, 0.0)};
    if (is_flying_[m] != 0) {
      const dynamics::Mechanism& tree = model_->mechanisms[m];
      too_fast_ = !fly(m, start, length(m), &q_far_, &v_far_, &flown_[m]) || too_fast_;
      q_mid_.segment(tree.q_begin, tree.nq) = q_far_.segment(tree.q_begin, tree.nq);
      v_mid_.segment(tree.v_begin, tree.nv) = v_far_.segment(tree.v_begin, tree.nv);
      continue;
    }
    const bool done =
        go(m, start, &q_mid_, &v_mid_, &flown_[m]) &&
        go(m, {.q = q_mid_, .v = v_mid_, .t = time(m, 0.5)}, &q_far_, &v_far_, &unused);
    too_fast_ = too_fast_ || !done;
  }
  place(q_mid_, v_mid_, 0.5, &at_mid_);
  place(q_far_, v_far_, 1.0, &at_far_);
  if (!has_masses_) M_.update(*model_, at_mid_.X, q_mid_, zero_);
  for (const int m : moving_) {
    if (has_masses_ && m != driven_node_ && is_flying_[m] == 0) {
      M_.update(*model_, m, at_mid_.X, q_mid_, zero_);
    }
  }
  has_masses_ = true;
}

void SecondOrderStepper::mark_flying() {
  is_flying_.resize(is_moving_.size());
  for (const int m : moving_) is_flying_[m] = m != driven_node_ && !is_loose(m) ? 1 : 0;
  for (const Contact& c : held_) {
    for (const int body : {c.body_a, c.body_b}) {
      const int m = model_->bodies[body].mechanism;
      if (m >= 0 && is_moving_[m] != 0) is_flying_[m] = 0;
    }
  }
}

// Impulses of weight and of applied forces over the piece, and the velocities that they lead to.
// Forces that depend on velocity are those at the mean of v- and v+, as far as that is known: at
// first without contacts, then with the impulses found.
void SecondOrderStepper::take_forces(bool is_first) {
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    const int begin = model_->mechanisms[m].v_begin;
    const int nv = model_->mechanisms[m].nv;
    auto kick = kick_.segment(begin, nv);
    if (!is_loose(m)) {
      kick.setZero();
      applied_.segment(begin, nv).setZero();
      problem_.v.segment(begin, nv) = v_mid_.segment(begin, nv);
      continue;
    }
    const dynamics::Body& body = model_->bodies[model_->mechanisms[m].bodies.front()];
    gravity_.segment(begin, nv).setZero();
    dynamics::add_wrench(body, length(m) * body.mass * model_->gravity, Vec3::Zero(), gravity_);
    if (is_first) {
      M_.solve_block(m, gravity_.data() + begin, kick.data());
    } else {  // what all but the applied forces did
      M_.solve_block(m, applied_.data() + begin, kick.data());
      kick = v_kicked_.segment(begin, nv) - v_mid_.segment(begin, nv) - kick;
    }
    scratch_.segment(begin, nv) = v_mid_.segment(begin, nv) + 0.5 * kick;
    apply_forces(m);
    impulse_.segment(begin, nv) = gravity_.segment(begin, nv) + applied_.segment(begin, nv);
    M_.solve_block(m, impulse_.data() + begin, kick.data());
    problem_.v.segment(begin, nv) = v_mid_.segment(begin, nv) + kick;
  }
}

// Applied forces on a loose body whose mean velocity without them is in scratch_. Resistance is
// taken where it has itself acted for half the piece, so that none is too large for the step.
void SecondOrderStepper::apply_forces(int m) {
  const int i = model_->mechanisms[m].bodies.front();
  const int begin = model_->mechanisms[m].v_begin;
  const int nv = model_->mechanisms[m].nv;
  const dynamics::Body& body = model_->bodies[i];
  const double h = length(m);
  const auto apply = [&](double softened) {
    update_twist(*model_, i, at_mid_.X, scratch_, time(m, 0.5), &V_scratch_);
    const dynamics::Wrench F = calc_applied_wrench(body, V_scratch_[i], softened);
    applied_.segment(begin, nv).setZero();
    dynamics::add_wrench(body, h * F.force, h * F.torque, applied_);
  };
  apply(0.5 * h);
  if (!resists_) return;
  M_.solve_block(m, applied_.data() + begin, impulse_.data() + begin);
  scratch_.segment(begin, nv) += 0.5 * impulse_.segment(begin, nv);
  apply(0.0);
}

// In shown_: the contacts of the pairs of which all that moves holds one.
void SecondOrderStepper::find_held(const BodyMotion& motion, const VecX& q) {
  pairs_.clear();
  for (const Contact& c : held_) {
    if (is_moving_[node_of(c)] == 0 || c.kind != contact::ContactKind::kSurface) continue;
    const collide::Pair pair{.first = c.key.part_a, .second = c.key.part_b};
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
  }
  find_known(motion, q, reach_);
}

// Of shown_, the contact that a held one becomes with bodies at `motion`; none if it is gone.
const Contact* SecondOrderStepper::find_shown(const Contact& held, const BodyMotion& motion) const {
  const Contact* shown = contact::find_contact(shown_, held.key);
  const bool is_same =
      shown != nullptr &&
      is_same_place(
          *model_, {.first = held, .X_first = at_begin_.X, .second = *shown, .X_second = motion.X});
  return is_same ? shown : nullptr;
}

// The held contacts of all that moves, halfway between where they are at the start and where they
// are ahead, which is in shown_.
void SecondOrderStepper::collect_held(const Ahead& ahead) {
  problem_.contacts.clear();
  found_.clear();
  far_.clear();
  for (const Contact& c : held_) {
    if (is_moving_[node_of(c)] == 0) continue;
    found_.push_back(c);
    const Contact* shown = find_shown(c, ahead.motion);
    far_.push_back(shown != nullptr ? *shown : carry(c, at_begin_.X, ahead.motion.X));
    Contact& end = far_.back();
    problem_.contacts.push_back(
        calc_middle({.first = c, .X_first = at_begin_.X, .second = end, .X_second = ahead.motion.X},
                    at_mid_.X));
    align_tangents(problem_.contacts.back(), &end);
  }
  problem_.J.update(*model_, problem_.contacts, at_mid_.X, V_zero_, M_,
                    contact::FrictionPoint::kSurface);
  resize_problem();
  speed_ = body_speed_;
  for (int i = 0; i < problem_.size(); ++i) set_law(i, ahead);
  problem_.speed = speed_;
}

void SecondOrderStepper::set_law(int i, const Ahead& ahead) {
  const Contact& c = problem_.contacts[i];
  u0_[i] = calc_velocity(found_[i], at_begin_, v_begin_);
  offset_[i] =
      calc_velocity(far_[i], ahead.motion, ahead.v) - problem_.J.velocity_of_bodies(i, ahead.v_mid);
  problem_.J.set_drive(i, offset_[i]);
  problem_.mu[i] = c.mu;
  problem_.required[i] = calc_required(c.key);
  problem_.given[i] = 0.0;
  problem_.softness[i].setZero();
  const ActiveSet& known = tried_.contains(c.key) ? tried_ : active_;
  problem_.guess[i] = length(node_of(c)) / h_ * known.impulse(c.key);
  const ContactVector freely = problem_.J.velocity(i, problem_.v);
  fall_[i] = freely[kNormalRow] - u0_[i][kNormalRow];
  turn_[i].setZero();
  speed_ = std::max({speed_, freely.head<3>().norm(), u0_[i].head<3>().norm()});
}

// m/s   Of the velocity at the end.
double SecondOrderStepper::calc_required(const contact::ContactKey& key) const {
  const auto place = std::lower_bound(near_.begin(), near_.end(), Near{.key = key});
  return place != near_.end() && place->key == key ? place->required : 0.0;
}

// Held contacts that close faster than a piece without contact would make them: they collide first.
// Late ones that do not bounce need not, as the piece itself stops them.
bool SecondOrderStepper::mark_approaching() {
  constexpr double kSlack = 1.01;
  constexpr double kRounding = 1e-9;  // of the step's velocities
  impacts_.assign(is_moving_.size(), 0);
  bool any = false;
  for (int i = 0; i < problem_.size(); ++i) {
    const double bound = std::max(kSlack * std::fabs(fall_[i]), model_->gravity.norm() * h_);
    if (u0_[i][kNormalRow] >= -bound - kRounding * speed_) continue;
    if (!any) make_groups();
    any = true;
    ++impacts_[groups_.root(node_of(problem_.contacts[i]))];
  }
  if (!any) return false;
  const bool is_plastic = *options_.restitution == Options::Restitution::kNone;
  if (is_plastic) {
    clusters_ = groups_;
    choose_late();
  }
  any = false;
  for (int root = 0; root <= driven_node_; ++root) {
    if (impacts_[root] == 0 || (is_plastic && is_late_[root] != 0)) continue;
    marked_[root] = 1;
    any = true;
  }
  return any;
}

// m/s   Where slip turns, friction along its direction at the end would be late by half the turn.
// The law looks at the slip turned back to the bisector of start and end: again a shift of the
// right side. Slip that friction can turn round within the piece has no direction worth that: the
// bisector would pass errors on from step to step without damping, and contacts that share a load
// would play them to each other. There the law looks at the end, as it does for rest.
Vec2 SecondOrderStepper::calc_turn(const Contact& c, const Vec2& before, const Vec2& after,
                                   double change) const {
  constexpr double kFirm = 0.9;  // cosine of a turn that is still one
  // Times what friction changes in the piece, mu times the change of the normal velocity. The
  // direction is taken from the solve before, which settles if half of that change is less than the
  // slip; 3.5 times more is what a ball turns by.
  constexpr double kFast = 4.0;
  if (!by_cone_ || c.is_planar || c.mu == 0.0 || is_late_[node_of(c)] != 0) return Vec2::Zero();
  const double slow = std::max(1e-6 * calc_speed(c), kFast * c.mu * change);
  if (before.norm() <= slow || after.norm() <= slow ||
      before.dot(after) <= kFirm * before.norm() * after.norm()) {
    return Vec2::Zero();
  }
  const Vec2 bisector = (before.normalized() + after.normalized()).normalized();
  return after - after.norm() * bisector;
}

void SecondOrderStepper::turn_slip(const VecX& v_plus) {
  for (int i = 0; i < problem_.size(); ++i) {
    const Vec2 after = problem_.J.velocity(i, v_plus).segment<2>(1);
    const double pressed =
        problem_.J.own_delassus(i)(kNormalRow, kNormalRow) * problem_.guess[i].x();
    turn_[i] = calc_turn(problem_.contacts[i], u0_[i].segment<2>(1), after,
                         std::max(std::fabs(fall_[i]), pressed));
    ContactVector drive = offset_[i];
    drive.segment<2>(1) -= turn_[i];
    problem_.J.set_drive(i, drive);
  }
}

bool SecondOrderStepper::solve_piece(StepReport* report) {
  if (!solve(report)) return false;
  drift_on();
  for (int i = 0; i < problem_.size(); ++i) {
    const Contact& c = problem_.contacts[i];
    const double part = length(node_of(c)) / h_;
    if (part > 0.0) tried_.replace(c.key, impulses_[i].head<3>() / part);
  }
  test_existence(report);
  report->num_active = std::max(report->num_active, problem_.size());
  book_piece();
  return true;
}

// The second half of the drift, with the velocities that the kick gave.
void SecondOrderStepper::drift_on() {
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    v_kicked_.segment(mechanism.v_begin, mechanism.nv) =
        answer_.v.segment(mechanism.v_begin, mechanism.nv);
    if (is_flying_[m] != 0) {
      q_end_.segment(mechanism.q_begin, mechanism.nq) =
          q_far_.segment(mechanism.q_begin, mechanism.nq);
      v_end_.segment(mechanism.v_begin, mechanism.nv) =
          v_far_.segment(mechanism.v_begin, mechanism.nv);
      flown_end_[m] = {};
      continue;
    }
    dynamics::Flight::Work work;
    const dynamics::Flight::Start start{.q = q_mid_, .v = v_kicked_, .t = time(m, 0.5)};
    too_fast_ = !go(m, start, &q_end_, &v_end_, &work) || too_fast_;
    flown_end_[m] = work;
  }
  place(q_end_, v_end_, 1.0, &at_end_);
}

}  // namespace tenpin::methods::time_stepping
