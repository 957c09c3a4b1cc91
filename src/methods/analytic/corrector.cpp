#include "methods/analytic/corrector.h"

#include <algorithm>
#include <cmath>

#include "dynamics/flight.h"
#include "dynamics/joint_motion.h"

namespace tenpin::methods::analytic {

namespace {

constexpr double kClosedToRounding = 1e-14;  // m, m/s

// Along normal, t1, t2.
void add_impulse(const Touch& touch, const Vec3& p, Corrections* corrections) {
  const contact::Contact& c = touch.contact;
  if (is_dry_joint(touch)) {
    corrections->impulses.push_back({.key = c.key, .dry = p[1]});
    return;
  }
  corrections->impulses.push_back(
      {.key = c.key, .impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2], .normal = p[0]});
}

}  // namespace

void add_impulses(const std::vector<Touch>& touches, const std::vector<Vec3>& impulses,
                  Corrections* corrections) {
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    if (!impulses[i].isZero(0.0)) add_impulse(touches[i], impulses[i], corrections);
  }
}

std::vector<int> find_ending_slips(const Motion& motion, const ForceScale& scale,
                                   const std::vector<Touch>& touches, double event_tolerance) {
  constexpr double kPath = 0.1;  // -   of the event tolerance
  std::vector<int> ending;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const Touch& touch = touches[i];
    const bool turns = touch.grip == Grip::kSlide && !touch.contact.is_planar &&
                       !is_dry_joint(touch) && slips(motion, i, scale);
    if (!turns) continue;
    const Vec2 u = motion.velocity(i).tail<2>();
    const double braking = -motion.acceleration(i).tail<2>().dot(u) / u.norm();  // m/s^2
    if (u.squaredNorm() <= 2.0 * braking * kPath * event_tolerance) ending.push_back(i);
  }
  return ending;
}

Corrector::Corrector(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model), options_(options) {}

void Corrector::list_resting(const std::vector<Closed>& closed, const std::vector<Touch>& touches,
                             const Motion& motion) {
  rows_.clear();
  for (const Closed& c : closed) {
    const Touch& touch = touches[c.touch];
    const Vec3 u = motion.velocity(c.touch);
    const double a = motion.forces()[c.touch][0] * calc_mobility(motion, c.touch);
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
bool Corrector::solve_resting(const std::vector<Closed>& closed, const Motion& motion) {
  for (bool grows = true; grows;) {
    if (!row_solver_.solve(motion.jacobian(), rows_, model_->nv)) return false;
    grows = false;
    for (const Closed& c : closed) {
      const double v_n = motion.velocity(c.touch)[0];
      const double change = motion.jacobian().velocity_of_bodies(c.touch, row_solver_.change())[0];
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

void Corrector::rest_after(const std::vector<Closed>& closed, const std::vector<Touch>& touches,
                           const Motion& motion, StepEnd* end, Corrections* corrections) {
  list_resting(closed, touches, motion);
  if (!solve_resting(closed, motion)) return;
  const double before = calc_energies(*model_, end->t, end->q, end->v).total();
  end->v += row_solver_.change();
  add_row_impulses(touches, corrections);
  corrections->work += calc_energies(*model_, end->t, end->q, end->v).total() - before;
}

void Corrector::add_row_impulses(const std::vector<Touch>& touches,
                                 Corrections* corrections) const {
  for (int k = 0; k < static_cast<int>(rows_.size()); ++k) {
    add_impulse(touches[rows_[k].contact], Vec3::Unit(rows_[k].row) * row_solver_.impulse(k),
                corrections);
  }
}

// True if a gap that forces keep closed was not.
bool Corrector::close_gaps(const std::vector<Touch>& touches, Motion* motion, StepEnd* end) {
  rows_.clear();
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    if (!is_found(touches[i]) || is_dry_joint(touches[i])) continue;
    const double gap = touches[i].contact.gap;
    rows_.push_back({.contact = i, .row = contact::kNormalRow, .value = gap});
    worst = std::max(worst, std::fabs(gap));
  }
  if (worst <= kClosedToRounding || !row_solver_.solve(motion->jacobian(), rows_, model_->nv))
    return false;
  const VecX q = end->q;
  displace(*model_, q, row_solver_.change(), end->q);
  motion->update(end->t, end->q, end->v);
  return true;
}

// True if a velocity that forces keep at zero was not.
bool Corrector::close_velocities(const std::vector<Touch>& touches, const Motion& motion,
                                 StepEnd* end, Corrections* corrections) {
  rows_.clear();
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const Touch& touch = touches[i];
    if (!is_found(touch)) continue;
    const int count = touch.grip != Grip::kStick ? 1 : touch.contact.is_planar ? 2 : 3;
    for (int r = is_dry_joint(touch) ? 1 : 0; r < count; ++r) {
      const double u = motion.velocity(i)[r];
      rows_.push_back({.contact = i, .row = r, .value = u});
      worst = std::max(worst, std::fabs(u));
    }
  }
  if (worst <= kClosedToRounding || !row_solver_.solve(motion.jacobian(), rows_, model_->nv))
    return false;
  end->v += row_solver_.change();
  add_row_impulses(touches, corrections);
  return true;
}

void Corrector::project(const std::vector<Touch>& touches, Motion* motion, StepEnd* end,
                        Corrections* corrections) {
  const Energies before = calc_energies(*model_, end->t, end->q, end->v);
  end->potential = before.potential;
  bool has_moved = false;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    if (mechanism.loops.empty()) continue;
    corrections->loop_error =
        std::max(corrections->loop_error, close_loops(*model_, mechanism, end->t, &end->q));
    has_moved = true;
  }
  motion->update(end->t, end->q, end->v);
  has_moved = close_gaps(touches, motion, end) || has_moved;
  has_moved = close_velocities(touches, *motion, end, corrections) || has_moved;
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty()) continue;
    VecX rates;
    const dynamics::MechanismInverse& inverse = motion->mass_matrix().inverse(m);
    inverse.loops().calc_rates(motion->at().V_WB, end->v, &rates);
    inverse.close_rates(rates, end->v.segment(mechanism.v_begin, mechanism.nv));
  }
  if (!has_moved) return;
  corrections->work += calc_energies(*model_, end->t, end->q, end->v).total() - before.total();
}

}  // namespace tenpin::methods::analytic
