// Velocities that change at once: collisions, coming to rest, and rounding taken out.
#include <algorithm>
#include <cmath>

#include "dynamics/flight.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using contact::ContactVector;

namespace {

ContactVector widen(const Vec3& x) {
  return {x[0], x[1], x[2], 0.0};
}

}  // namespace

// Resolves the collisions of this instant, or the force that one contact has none of.
void Simulator::collide(int defying, StepReport* report) {
  constexpr int kMaxInstants = 10'000;
  is_collision_ = true;
  if (++num_instants_ > kMaxInstants) {
    fail(report, AdvanceStatus::kSolverFailed, "collisions without end at one instant");
    return;
  }
  ++(defying < 0 ? statistics_.collisions : statistics_.defiances);
  closed_.clear();
  v_before_.assign(touches_.size(), Vec3::Zero());
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    v_before_[i] = motion_.velocity(i);
    if (touches_[i].contact.gap > options_.event_tolerance) continue;
    closed_.push_back({.touch = i, .defies = i == defying});
  }
  collision_solver_.solve(motion_, touches_, closed_, &collision_report_);
  report->solver = collision_report_.status;
  report->solves += collision_report_.solves;
  report->pivots += collision_report_.pivots;
  report->problem_size = std::max(report->problem_size, collision_report_.largest);
  report->num_contacts = static_cast<int>(found_.size());
  report->num_active = static_cast<int>(closed_.size());
  if (collision_report_.status != complementarity::SolveStatus::kSolved) {
    fail(report, AdvanceStatus::kSolverFailed,
         "no impulses found at " + name_of(collision_report_.failed_touch));
    return;
  }
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
  settle();
}

// Bounces decay for ever. A contact rests as soon as its next hop would stay below the event
// tolerance: its height is v^2 / (2 a), where a is what the contact force, once it rests, keeps
// from happening.
void Simulator::settle() {
  const VecX v_kicked = v1_;
  motion_.update(t0_, q1_, v1_);
  const double cap = std::sqrt(2.0 * options_.event_tolerance * 1e3 * scale_.acceleration);
  bool is_any = false;
  for (const Closed& c : closed_) {
    const double v_n = motion_.velocity(c.touch)[0];
    Touch& touch = touches_[c.touch];
    touch.is_touching = v_n <= cap;
    touch.grip = Grip::kApart;
    is_any = is_any || (touch.is_touching && std::fabs(v_n) > 0.0);
  }
  rows_.clear();
  if (is_any) {
    force_solver_.solve(scale_, &motion_, &touches_, &forces_report_);
    if (forces_report_.status != complementarity::SolveStatus::kSolved) return;
  }
  for (const Closed& c : closed_) {
    if (!is_any || !touches_[c.touch].is_touching) continue;
    contact::ContactBlock W = contact::ContactBlock::Zero();
    motion_.jacobian().add_delassus(c.touch, c.touch, &W);
    const double v_n = motion_.velocity(c.touch)[0];
    const double a = motion_.forces()[c.touch][0] * W(0, 0);
    if (a > 0.0 && v_n * v_n < 2.0 * options_.event_tolerance * a) {
      rows_.push_back({.touch = c.touch, .row = contact::kNormalRow, .value = v_n});
    }
  }
  if (rows_.empty() || !solve_rows()) return;
  v1_ += change_;
  const double before = calc_energy(t0_, q1_, v_kicked);
  projection_work_ += calc_energy(t0_, q1_, v1_) - before;
}

// The least velocity change in the mass metric that takes `value` from each of the rows.
bool Simulator::solve_rows() {
  constexpr double kRank = 1e-9;
  const auto n = static_cast<Eigen::Index>(rows_.size());
  W_.resize(n, n);
  VecX values(n);
  double largest = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    values[i] = -rows_[i].value;
    largest = std::max(largest, std::fabs(values[i]));
  }
  change_.setZero(model_->nv);
  if (largest == 0.0) return false;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      contact::ContactBlock W = contact::ContactBlock::Zero();
      motion_.jacobian().add_delassus(rows_[i].touch, rows_[j].touch, &W);
      W_(i, j) = W(rows_[i].row, rows_[j].row);
    }
  }
  least_norm_.factorize(W_, kRank);
  row_impulses_ = least_norm_.solve(values);
  for (Eigen::Index i = 0; i < n; ++i) {
    const ContactVector impulse = ContactVector::Unit(rows_[i].row) * row_impulses_[i];
    motion_.jacobian().add_velocity_change(rows_[i].touch, impulse, change_);
  }
  return change_.allFinite();
}

// Takes out what the integrator's errors have done to gaps that forces keep closed, to velocities
// along them, and to loops.
void Simulator::project() {
  constexpr double kClosed = 1e-14;  // m, m/s
  const double before = calc_energy(t1_, q1_, v1_);
  potential1_ = calc_potential_energy(*model_, X_, q1_);
  bool has_moved = false;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    if (mechanism.loops.empty()) continue;
    loop_error_ = std::max(loop_error_, close_loops(*model_, mechanism, t1_, &q1_));
    has_moved = true;
  }
  motion_.update(t1_, q1_, v1_);
  rows_.clear();
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (!is_found(touches_[i].grip)) continue;
    const double gap = touches_[i].contact.gap;
    rows_.push_back({.touch = i, .row = contact::kNormalRow, .value = gap});
    worst = std::max(worst, std::fabs(gap));
  }
  if (worst > kClosed && solve_rows()) {
    const VecX q = q1_;
    displace(*model_, q, change_, q1_);
    motion_.update(t1_, q1_, v1_);
    has_moved = true;
  }
  worst = 0.0;
  rows_.clear();
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    if (!is_found(touch.grip)) continue;
    const int count = touch.grip != Grip::kStick ? 1 : touch.contact.is_planar ? 2 : 3;
    for (int r = 0; r < count; ++r) {
      const double u = motion_.velocity(i)[r];
      rows_.push_back({.touch = i, .row = r, .value = u});
      worst = std::max(worst, std::fabs(u));
    }
  }
  if (worst > kClosed && solve_rows()) {
    v1_ += change_;
    has_moved = true;
  }
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
