// Instantaneous changes of velocity: collisions, coming to rest, and the removal of rounding
// errors.
#include <algorithm>
#include <cmath>

#include "dynamics/flight.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using contact::ContactVector;

namespace {

constexpr double kClosedToRounding = 1e-14;  // m, m/s

ContactVector widen(const Vec3& x) {
  return {x[0], x[1], x[2], 0.0};
}

}  // namespace

// Resolves the collisions of this instant, including points that would sink in afterwards.
void Simulator::collide(StepReport* report) {
  constexpr int kMaxRounds = 50;
  ++statistics_.collisions;
  for (int round = 0;; ++round) {
    close(0.0, {});
    if (!give_impulses(report)) {
      fail_without_impulses(report);
      return;
    }
    update_twists(*model_, X_, v1_, t0_, &V_);
    if (round == kMaxRounds || !append_sinking_rims()) break;
    motion_.set_touches(&touches_);
    motion_.update(t0_, q0_, v0_);
    set_scale();
  }
  settle();
}

// Resolves Painlevé's paradox: a contact has no finite force now, or soon will have none. All
// contacts that slip with it get an impulse, which grows until one of them sticks or separates. The
// smallest impulse above rounding depends on the slips.
void Simulator::resolve_painleve(int touch, StepReport* report) {
  constexpr double kLeast = 1e-12;
  constexpr double kMost = 1e-2;
  constexpr double kEnough = 0.1;  // -   of a slip that changes
  ++statistics_.defiances;
  bool found = false;
  for (double push = kLeast; push <= kMost; push *= 10.0) {
    close(push, find_island(touch));
    found = give_impulses(report);
    if (found && std::any_of(closed_.begin(), closed_.end(), [&](const Closed& c) {
          const double change = kicks_[c.touch].tail<2>().norm();
          return c.push > 0.0 && change > kEnough * v_before_[c.touch].tail<2>().norm();
        })) {
      break;
    }
  }
  if (found) {
    settle();
  } else {
    fail_without_impulses(report);
  }
}

// Marks the touches that act on this one.
std::vector<bool> Simulator::find_island(int touch) const {
  std::vector<int> closed;
  std::vector<contact::Contact> contacts;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (touches_[i].contact.gap > options_.event_tolerance || is_dry_joint(touches_[i])) continue;
    closed.push_back(i);
    contacts.push_back(touches_[i].contact);
  }
  contact::Islands islands;
  islands.update(*model_, contacts);
  std::vector<bool> acts(touches_.size(), false);
  for (int k = 0; k < islands.size(); ++k) {
    const std::span<const int> island = islands.contacts(k);
    const bool is_its = std::any_of(island.begin(), island.end(), [&](int c) {
      return closed[c] == touch;
    });
    for (const int c : island) acts[closed[c]] = is_its;
  }
  return acts;
}

// Lists the closed contacts, and those of `pushed` that slip.
void Simulator::close(double push, const std::vector<bool>& pushed) {
  is_collision_ = true;
  closed_.clear();
  v_before_.assign(touches_.size(), Vec3::Zero());
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    v_before_[i] = motion_.velocity(i);
    // The friction of joints is bounded, so it has no impulse.
    if (touches_[i].contact.gap > options_.event_tolerance || is_dry_joint(touches_[i])) continue;
    const bool is_pushed = !pushed.empty() && pushed[i] && slips(motion_, i, scale_);
    closed_.push_back({.touch = i, .push = is_pushed ? push : 0.0});
  }
}

void Simulator::fail_without_impulses(StepReport* report) const {
  fail(report, AdvanceStatus::kSolverFailed,
       "no impulses found at " + name_of(collision_report_.failed_touch));
}

// False if no impulses were found.
bool Simulator::give_impulses(StepReport* report) {
  collision_solver_.solve(motion_, touches_, closed_, &collision_report_);
  report->solver = collision_report_.status;
  report->solves += collision_report_.solves;
  report->pivots += collision_report_.pivots;
  report->guarded = collision_report_.guarded;
  report->problem_size = std::max(report->problem_size, collision_report_.largest);
  report->num_contacts = static_cast<int>(found_.size());
  report->num_active = static_cast<int>(closed_.size());
  if (collision_report_.status != complementarity::SolveStatus::kSolved) return false;
  q1_ = q0_;
  v1_ = v0_;
  impulses_ = collision_solver_.impulses();
  for (const Closed& c : closed_) {
    motion_.jacobian().add_velocity_change(c.touch, widen(impulses_[c.touch]), v1_);
  }
  kicks_.assign(touches_.size(), Vec3::Zero());
  const VecX change = v1_ - v0_;
  for (const Closed& c : closed_) {
    kicks_[c.touch] = motion_.jacobian().velocity_of_bodies(c.touch, change).head<3>();
  }
  integrator_->restart();
  return true;
}

// Bounces would decay forever. A contact comes to rest as soon as its next hop, of height
// v^2 / (2 a), would stay below the event tolerance; a is the acceleration that the contact force
// prevents once the contact rests. A slip that friction would stop within that tolerance ends, too:
// where friction tips a body, the body falls back and slips again, which would also go on forever.
void Simulator::settle() {
  const VecX v_kicked = v1_;
  motion_.update(t0_, q1_, v1_);
  const double hop = std::sqrt(2.0 * options_.event_tolerance * 1e3 * scale_.acceleration);
  const double slow = std::sqrt(2.0 * options_.event_tolerance * scale_.acceleration);
  bool moves = false;
  for (const Closed& c : closed_) {
    const Vec3 u = motion_.velocity(c.touch);
    Touch& touch = touches_[c.touch];
    touch.is_touching = u[0] <= hop;
    touch.grip = Grip::kApart;
    moves = moves || (touch.is_touching && std::fabs(u[0]) > 0.0);
  }
  if (!moves) return;
  if (!solve_settled({.acceleration = scale_.acceleration, .slip = std::max(slow, scale_.slip)}) &&
      !solve_settled(scale_)) {
    return;
  }
  list_settled();
  if (!rest_rows()) return;
  v1_ += row_solver_.change();
  enter_row_impulses();
  const double before = calc_energy(t0_, q1_, v_kicked);
  projection_work_ += calc_energy(t0_, q1_, v1_) - before;
}

// Finds the forces that would act if all slips below the speed of the scale were zero.
bool Simulator::solve_settled(const ForceScale& scale) {
  motion_.set_slow(scale.slip);
  force_solver_.solve(scale, &motion_, &touches_, &forces_report_);
  motion_.set_slow(scale_.slip);
  return forces_report_.status == complementarity::SolveStatus::kSolved;
}

void Simulator::list_settled() {
  rows_.clear();
  for (const Closed& c : closed_) {
    const Touch& touch = touches_[c.touch];
    const Vec3 u = motion_.velocity(c.touch);
    const double a = motion_.forces()[c.touch][0] * calc_mobility(motion_, c.touch);
    const double v_squared = 2.0 * options_.event_tolerance * a;
    if (!touch.is_touching || a <= 0.0 || u[0] * u[0] >= v_squared) continue;
    rows_.push_back({.contact = c.touch, .row = contact::kNormalRow, .value = u[0]});
    if (touch.grip != Grip::kStick || u.tail<2>().squaredNorm() >= touch.mu * v_squared) continue;
    rows_.push_back({.contact = c.touch, .row = contact::kT1Row, .value = u[1]});
    if (touch.contact.is_planar) continue;
    rows_.push_back({.contact = c.touch, .row = contact::kT2Row, .value = u[2]});
  }
}

// Brings the contacts of the rows to rest, and also contacts that would then approach.
bool Simulator::rest_rows() {
  for (bool grows = true; grows;) {
    if (!row_solver_.solve(motion_.jacobian(), rows_, model_->nv)) return false;
    grows = false;
    for (const Closed& c : closed_) {
      const double v_n = motion_.velocity(c.touch)[0];
      const double change = motion_.jacobian().velocity_of_bodies(c.touch, row_solver_.change())[0];
      const bool rests = std::any_of(rows_.begin(), rows_.end(), [&](const ContactRowValue& row) {
        return row.contact == c.touch;
      });
      if (rests || v_n + change >= -0.5 * options_.event_tolerance) continue;
      rows_.push_back({.contact = c.touch, .row = contact::kNormalRow, .value = v_n});
      grows = true;
    }
  }
  return true;
}

// True if a gap that forces keep closed was not.
bool Simulator::close_gaps() {
  rows_.clear();
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (!is_found(touches_[i]) || is_dry_joint(touches_[i])) continue;
    const double gap = touches_[i].contact.gap;
    rows_.push_back({.contact = i, .row = contact::kNormalRow, .value = gap});
    worst = std::max(worst, std::fabs(gap));
  }
  if (worst <= kClosedToRounding || !row_solver_.solve(motion_.jacobian(), rows_, model_->nv))
    return false;
  const VecX q = q1_;
  displace(*model_, q, row_solver_.change(), q1_);
  motion_.update(t1_, q1_, v1_);
  return true;
}

// True if a velocity that forces keep at zero was not.
bool Simulator::close_velocities() {
  rows_.clear();
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    if (!is_found(touch)) continue;
    const int count = touch.grip != Grip::kStick ? 1 : touch.contact.is_planar ? 2 : 3;
    for (int r = is_dry_joint(touch) ? 1 : 0; r < count; ++r) {
      const double u = motion_.velocity(i)[r];
      rows_.push_back({.contact = i, .row = r, .value = u});
      worst = std::max(worst, std::fabs(u));
    }
  }
  if (worst <= kClosedToRounding || !row_solver_.solve(motion_.jacobian(), rows_, model_->nv))
    return false;
  v1_ += row_solver_.change();
  enter_row_impulses();
  return true;
}

// Records impulses without duration, too, so that the records account for all momentum. Their work
// is booked as projection.
void Simulator::enter_rest_impulse(int touch, const Vec3& p) {
  const contact::Contact& c = touches_[touch].contact;
  if (is_dry_joint(touches_[touch])) {
    rest_impulses_.push_back({.key = c.key, .dry = p[1]});
    return;
  }
  rest_impulses_.push_back(
      {.key = c.key, .impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2], .normal = p[0]});
}

void Simulator::enter_rest_impulses(const std::vector<Vec3>& impulses) {
  for (int i = 0; i < static_cast<int>(impulses.size()); ++i) {
    if (!impulses[i].isZero(0.0)) enter_rest_impulse(i, impulses[i]);
  }
}

void Simulator::enter_row_impulses() {
  for (int k = 0; k < static_cast<int>(rows_.size()); ++k) {
    enter_rest_impulse(rows_[k].contact, Vec3::Unit(rows_[k].row) * row_solver_.impulse(k));
  }
}

// Brings sticking contacts to rest before their forces act. Removing these velocities later would
// change the directions of slips that are as slow. True if something moved.
bool Simulator::rest_sticking() {
  constexpr double kResting = 1e-12;  // m/s
  const auto moves = [&](const Touch& touch) {
    const auto i = static_cast<int>(&touch - touches_.data());
    return touch.grip == Grip::kStick && motion_.velocity(i).tail<2>().norm() > kResting;
  };
  if (std::none_of(touches_.begin(), touches_.end(), moves)) return false;
  VecX change;
  std::vector<Vec3> impulses;
  if (!motion_.calc_stop(&change, &impulses)) return false;
  enter_rest_impulses(impulses);
  const double before = calc_energy(t0_, q0_, v0_);
  v0_ += change;
  projection_work_ += calc_energy(t0_, q0_, v0_) - before;
  motion_.update(t0_, q0_, v0_);
  return true;
}

// The slips that friction stops within a negligible distance.
std::vector<int> Simulator::find_ending_slips() const {
  constexpr double kPath = 0.1;  // -   of the event tolerance
  std::vector<int> ending;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    const bool turns = touch.grip == Grip::kSlide && !touch.contact.is_planar &&
                       !is_dry_joint(touch) && slips(motion_, i, scale_);
    if (!turns) continue;
    const Vec2 u = motion_.velocity(i).tail<2>();
    const double braking = -motion_.acceleration(i).tail<2>().dot(u) / u.norm();  // m/s^2
    if (u.squaredNorm() <= 2.0 * braking * kPath * options_.event_tolerance) ending.push_back(i);
  }
  return ending;
}

// The direction of a slip turns faster and faster as it ends. Its last part, over a negligible
// distance, ends at once by the impulse that friction would give, if the contact then sticks.
void Simulator::stop_slips() {
  for (std::vector<int> ending = find_ending_slips(); !ending.empty();) {
    const std::vector<Touch> touches = touches_;
    const VecX v = v0_;
    const ForceReport report = forces_report_;
    const std::size_t count = ending.size();
    std::vector<Vec3> impulses;
    const bool found = stop_at_once(ending, &impulses);
    std::erase_if(ending, [&](int i) {
      return touches_[i].grip != Grip::kStick;
    });
    if (found && ending.size() == count) {
      const double before = calc_energy(t0_, q0_, v);
      projection_work_ += calc_energy(t0_, q0_, v0_) - before;
      enter_rest_impulses(impulses);
      return;
    }
    if (!found) ending.clear();
    touches_ = touches;
    v0_ = v;
    forces_report_ = report;
    motion_.update(t0_, q0_, v0_);
    motion_.solve_forces();
  }
}

// False if no forces exist afterwards.
bool Simulator::stop_at_once(const std::vector<int>& ending, std::vector<Vec3>* impulses) {
  for (const int i : ending) touches_[i].grip = Grip::kStick;
  VecX change;
  if (!motion_.calc_stop(&change, impulses)) return false;
  v0_ += change;
  motion_.update(t0_, q0_, v0_);
  force_solver_.solve(scale_, &motion_, &touches_, &forces_report_);
  return forces_report_.status == complementarity::SolveStatus::kSolved;
}

// Removes integration errors from gaps that forces keep closed, from velocities along them, and
// from loops.
void Simulator::project() {
  const double before = calc_energy(t1_, q1_, v1_);
  potential1_ = calc_potential_energy(*model_, X_, q1_);
  bool has_moved = false;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    if (mechanism.loops.empty()) continue;
    loop_error_ = std::max(loop_error_, close_loops(*model_, mechanism, t1_, &q1_));
    has_moved = true;
  }
  motion_.update(t1_, q1_, v1_);
  has_moved = close_gaps() || has_moved;
  has_moved = close_velocities() || has_moved;
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty()) continue;
    VecX rates;
    motion_.mass_matrix().inverse(m).loops().calc_rates(motion_.twists(), v1_, &rates);
    motion_.mass_matrix().inverse(m).close_rates(rates,
                                                 v1_.segment(mechanism.v_begin, mechanism.nv));
  }
  if (has_moved) projection_work_ += calc_energy(t1_, q1_, v1_) - before;
}

}  // namespace tenpin::methods::analytic
