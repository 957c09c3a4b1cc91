#include "methods/analytic/motion.h"

#include <algorithm>

#include "dynamics/prescribed.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using contact::ContactVector;

namespace {

ContactVector to_contact_vector(const Vec3& x) {
  return {x[0], x[1], x[2], 0.0};
}

// Treats the friction of slipping joints as given.
void rub(const dynamics::Model& model, const Instant& at, const std::vector<Touch>& touches,
         ContactForces* result) {
  result->free = at.accelerations;
  bool rubs = false;
  result->v_dot_change.setZero(model.nv);
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i];
    if (!is_dry_joint(touch) || touch.grip != Grip::kSlide) continue;
    rubs = true;
    result->forces[i] = {0.0, -touch.dry * touch.slip_dir.x(), 0.0};
    at.J.add_velocity_change(static_cast<int>(i), to_contact_vector(result->forces[i]),
                             result->v_dot_change);
  }
  for (std::size_t i = 0; rubs && i < touches.size(); ++i) {
    result->free[i] += at.J.velocity_of_bodies(static_cast<int>(i), result->v_dot_change).head<3>();
  }
}

// For each mechanism, the largest sum of magnitudes that cancels in its accelerations, or in those
// of mechanisms that push on it, because contacts compare the accelerations of both.
std::vector<double> calc_gross(const dynamics::Model& model, const Instant& at,
                               const ContactForces& result) {
  std::vector<double> gross;  // m/s^2
  for (const dynamics::Mechanism& m : model.mechanisms) {
    gross.push_back(result.v_dot_sizes.segment(m.v_begin, m.nv).maxCoeff());
  }
  for (bool spreads = true; spreads;) {
    spreads = false;
    for (int i = 0; i < static_cast<int>(result.forces.size()); ++i) {
      const int a = at.J.side(i, 0).mechanism;
      const int b = at.J.side(i, 1).mechanism;
      if (result.forces[i][0] == 0.0 || a < 0 || b < 0) continue;
      if (!(gross[a] < gross[b] || gross[b] < gross[a])) continue;  // also stops if not finite
      gross[a] = gross[b] = std::max(gross[a], gross[b]);
      spreads = true;
    }
  }
  return gross;
}

// A mechanism that does not move, and whose forces cancel up to rounding, stays at rest: rounding
// must not make it creep, and an unchanged state need not be computed again.
void stop_what_stands(const dynamics::Model& model, const Instant& at, ContactForces* result) {
  result->stands.resize(model.mechanisms.size());
  bool is_any = false;
  for (int k = 0; k < model.num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model.mechanisms[k];
    result->stands[k] = (at.v.segment(m.v_begin, m.nv).array().abs() <= kStandingSpeed).all();
    is_any = is_any || result->stands[k];
  }
  if (!is_any) return;
  const std::vector<double> gross = calc_gross(model, at, *result);
  for (int k = 0; k < model.num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model.mechanisms[k];
    auto v_dot = result->v_dot.segment(m.v_begin, m.nv);
    result->stands[k] = result->stands[k] && (v_dot.array().abs() <= kCancelling * gross[k]).all();
    if (result->stands[k]) v_dot.setZero();
  }
}

void apply_forces(const dynamics::Model& model, const Instant& at, ContactForces* result) {
  result->v_dot_change.setZero(model.nv);
  result->v_dot_sizes = at.v_dot.cwiseAbs();
  for (int i = 0; i < static_cast<int>(result->forces.size()); ++i) {
    if (result->forces[i].squaredNorm() == 0.0) continue;
    const ContactVector force = to_contact_vector(result->forces[i]);
    at.J.add_velocity_change(i, force, result->v_dot_change);
    at.J.add_velocity_change_sizes(i, force, result->v_dot_sizes);
  }
  result->v_dot = at.v_dot + result->v_dot_change;
  stop_what_stands(model, at, result);
}

// W   Power of prescribed motion on the mechanisms that hang from it, including contact forces.
double calc_driving_power(const dynamics::Model& model, const Instant& at, const VecX& v_dot) {
  std::vector<dynamics::Twist> V_drive, A_WB;
  double power = 0.0;
  for (const dynamics::Mechanism& mechanism : model.mechanisms) {
    if (!is_driven(model, mechanism)) continue;
    if (V_drive.empty()) {
      update_twists(model, at.X_WB, VecX::Zero(model.nv), at.t, &V_drive);
      update_accelerations(model, {at.X_WB, at.V_WB, at.v, v_dot, at.t}, &A_WB);
    }
    power += calc_prescribed_power(
        model, mechanism,
        {.X_WB = at.X_WB, .V_WB = at.V_WB, .A_WB = A_WB, .V_drive = V_drive, .t = at.t}, true);
  }
  return power;
}

}  // namespace

Motion::Motion(const dynamics::Model& model, double slow)
    : model_(&model), slow_(slow), update_(model), grips_(model) {
  result_.stands.resize(model.mechanisms.size());
  result_.v_dot = VecX::Zero(model.nv);
}

void Motion::set_touches(std::vector<Touch>* touches) {
  touches_ = touches;
  result_.forces.assign(touches->size(), Vec3::Zero());
  grips_.forget();
  is_cached_ = false;
  update_.forget_contacts();
}

int Motion::num_states() const {
  int n = model_->nq + model_->nv + kNumWorks;
  for (const Touch& touch : *touches_) n += carries(touch.grip) ? 4 : 0;
  return n;
}

void Motion::update(double t, ConstVecRef q, ConstVecRef v) {
  is_cached_ = false;
  update_.move(t, q, v, touches_, &at_);
  result_.forces.resize(touches_->size(), Vec3::Zero());
  rub_joints();
}

void Motion::rub_joints() {
  rub(*model_, at_, *touches_, &result_);
}

Vec3 Motion::slip_direction(int i) const {
  const contact::Contact& c = at_.contacts[i];
  const Vec3 slip = c.t1 * at_.velocities[i][1] + c.t2 * at_.velocities[i][2];
  const double speed = slip.norm();
  const Vec3& began = (*touches_)[i].slip_dir;
  const bool is_held = (*touches_)[i].begins_to_slip || slip.dot(began) < 0.0;
  if (speed > slow_ && !is_held) return slip / speed;
  const Vec3 flat = began - c.normal * c.normal.dot(began);
  const double length = flat.norm();
  return length > 0.0 ? Vec3(flat / length) : Vec3(Vec3::Zero());
}

void Motion::update_rubbing() {
  rubbing_.assign(touches_->size(), Vec2::Zero());
  for (int i = 0; i < static_cast<int>(touches_->size()); ++i) {
    const Touch& touch = (*touches_)[i];
    if (is_dry_joint(touch) || touch.grip != Grip::kSlide) continue;
    const Vec3 friction = -touch.mu * slip_direction(i);
    rubbing_[i] = {friction.dot(at_.contacts[i].t1), friction.dot(at_.contacts[i].t2)};
  }
}

void Motion::solve_forces(GripSystem::Start start) {
  rub_joints();
  update_rubbing();
  for (int i = 0; i < static_cast<int>(touches_->size()); ++i) {
    const Touch& touch = (*touches_)[i];
    if (is_dry_joint(touch) && touch.grip == Grip::kSlide) continue;
    result_.forces[i] = touch.grip == Grip::kGiven ? touch.force : Vec3(Vec3::Zero());
  }
  if (has_drives()) grips_.forget();
  result_.failed =
      !grips_.solve({.touches = *touches_, .J = at_.J, .free = result_.free, .rubbing = rubbing_},
                    start, at_.q, at_.v, &result_.forces);
  apply_forces(*model_, at_, &result_);
}

bool Motion::calc_stop(VecX* change, std::vector<Vec3>* impulses) {
  std::vector<Touch> touches = *touches_;
  for (Touch& touch : touches) touch.force.setZero();
  update_rubbing();
  impulses->assign(touches.size(), Vec3::Zero());
  const bool found =
      grips_.solve({.touches = touches, .J = at_.J, .free = at_.velocities, .rubbing = rubbing_},
                   GripSystem::Start::kDecided, at_.q, at_.v, impulses);
  change->setZero(model_->nv);
  for (int i = 0; i < static_cast<int>(impulses->size()); ++i) {
    at_.J.add_velocity_change(i, to_contact_vector((*impulses)[i]), *change);
  }
  return found;
}

Vec3 Motion::acceleration(int touch) const {
  return at_.accelerations[touch] + at_.J.velocity_of_bodies(touch, result_.v_dot_change).head<3>();
}

void Motion::write_rate(VecX* rate) const {
  const int nq = model_->nq;
  const int nv = model_->nv;
  rate->setZero(num_states());
  for (const dynamics::Body& body : model_->bodies) {
    if (num_velocities(body.joint.type) > 0) {
      calc_rates(body.joint, at_.q, at_.v, rate->head(nq));
    }
  }
  rate->segment(nq, nv) = result_.v_dot;
  auto works = rate->segment<kNumWorks>(nq + nv);
  works[kPotential] = at_.power_potential;
  works[kApplied] = at_.power_applied;
  if (has_drives()) works[kPrescribed] = calc_driving_power(*model_, at_, result_.v_dot);
  int at = nq + nv + kNumWorks;
  for (std::size_t i = 0; i < touches_->size(); ++i) {
    if (!carries((*touches_)[i].grip)) continue;
    const contact::Contact& c = at_.contacts[i];
    const Vec3& f = result_.forces[i];
    const Vec3& u = at_.velocities[i];
    const double friction = f[1] * u[1] + f[2] * u[2];
    works[kNormal] += f[0] * u[0];
    works[kFriction] += friction;
    // Contact work uses relative velocities; prescribed motion does the remaining work.
    works[kPrescribed] -= f.dot(at_.J.drive(static_cast<int>(i)).head<3>());
    // A stop acts on the coordinate of its joint, so it has no direction in the world frame.
    rate->segment<3>(at) = c.kind == contact::ContactKind::kJointLimit
                               ? Vec3(f[0], 0.0, 0.0)
                               : Vec3(c.normal * f[0] + c.t1 * f[1] + c.t2 * f[2]);
    (*rate)[at + 3] = friction;
    at += 4;
  }
}

void Motion::calc_rate(double t, const VecX& y, VecX* rate) {
  const int n = model_->nq + model_->nv;
  if (is_cached_ && !has_drives() && y.head(n) == y_cached_) {
    *rate = rate_cached_;
    return;
  }
  update(t, y.head(model_->nq), y.segment(model_->nq, model_->nv));
  solve_forces();
  write_rate(rate);
  y_cached_ = y.head(n);
  rate_cached_ = *rate;
  is_cached_ = true;
}

double calc_mobility(const Motion& motion, int touch) {
  return motion.jacobian().own_delassus(touch)(contact::kNormalRow, contact::kNormalRow);
}

}  // namespace tenpin::methods::analytic
