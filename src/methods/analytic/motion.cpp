#include "methods/analytic/motion.h"

#include <algorithm>

#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"
#include "dynamics/prescribed.h"

namespace tenpin::methods::analytic {

using contact::ContactVector;

namespace {

ContactVector to_contact_vector(const Vec3& x) {
  return {x[0], x[1], x[2], 0.0};
}

}  // namespace

Motion::Motion(const dynamics::Model& model, double slow)
    : model_(&model),
      slow_(slow),
      v_free_dot_(VecX::Zero(model.nv)),
      v_dot_(VecX::Zero(model.nv)),
      f_(VecX::Zero(model.nv)),
      zero_(VecX::Zero(model.nv)),
      wrenches_(model.bodies.size()),
      stands_(model.mechanisms.size()),
      grips_(model) {
  for (const dynamics::Body& body : model.bodies) {
    has_drives_ = has_drives_ || body.joint.type == dynamics::JointType::kPrescribed ||
                  body.joint.forces.motor.kind != dynamics::Motor::Kind::kNone ||
                  !body.applied.timed.empty();
  }
}

void Motion::set_touches(std::vector<Touch>* touches) {
  touches_ = touches;
  forces_.assign(touches->size(), Vec3::Zero());
  grips_.forget();
  is_cached_ = false;
  are_contacts_known_ = false;
}

int Motion::num_states() const {
  int n = model_->nq + model_->nv + kNumWorks;
  for (const Touch& touch : *touches_) n += carries(touch.grip) ? 4 : 0;
  return n;
}

// Adds gravity, applied forces, and the springs, damping and motors of joints, with their powers.
void Motion::add_smooth_forces(double t) {
  power_potential_ = power_applied_ = 0.0;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    for (const int i : mechanism.bodies) {
      const dynamics::Body& body = model_->bodies[i];
      const Vec3 weight = body.mass * model_->gravity;
      const dynamics::Wrench applied = calc_applied_wrench(body, V_WB_[i], t, 0.0);
      power_potential_ += weight.dot(V_WB_[i].v);
      power_applied_ += applied.force.dot(V_WB_[i].v) + applied.torque.dot(V_WB_[i].w);
      wrenches_[i].force += weight + applied.force;
      wrenches_[i].torque += applied.torque;
      for (int k = 0; k < num_velocities(body.joint.type) && has_joint_forces(body.joint); ++k) {
        const dynamics::JointLoad load = calc_joint_load(body.joint, k, q_, v_, t);
        const double rate = v_[body.joint.v_begin + k];
        power_potential_ += load.spring * rate;
        power_applied_ += load.other * rate;
        f_[body.joint.v_begin + k] += load.spring + load.other;
      }
    }
  }
}

void Motion::calc_free_acceleration(double t) {
  update_accelerations(*model_, {X_WB_, V_WB_, v_, zero_, t}, &A_WB_);
  f_.setZero(model_->nv);
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    for (const int i : mechanism.bodies) {
      const Mat3 I = calc_world_inertia(model_->bodies[i], X_WB_[i]);
      const Vec3& w = V_WB_[i].w;
      wrenches_[i] = {.force = -model_->bodies[i].mass * A_WB_[i].v,
                      .torque = -(I * A_WB_[i].w + w.cross(I * w))};
    }
  }
  add_smooth_forces(t);
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    add_generalized_forces(*model_, mechanism, X_WB_, &wrenches_, f_);
  }
  M_.update(*model_, X_WB_, q_, zero_);
  M_.solve(*model_, f_, v_free_dot_);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty()) continue;
    const dynamics::MechanismInverse& inverse = M_.inverse(m);
    inverse.loops().calc_accelerations(V_WB_, A_WB_, v_, zero_, &loop_accelerations_);
    inverse.close_rates(loop_accelerations_, v_free_dot_.segment(mechanism.v_begin, mechanism.nv));
  }
}

// Bodies that have not moved keep their contacts, as most of a long row of dominoes does.
void Motion::find_what_moved(ConstVecRef q, ConstVecRef v) {
  has_moved_.assign(model_->mechanisms.size(), true);
  if (!are_contacts_known_ || has_drives_) return;
  for (int k = 0; k < model_->num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model_->mechanisms[k];
    has_moved_[k] = q.segment(m.q_begin, m.nq) != q_.segment(m.q_begin, m.nq) ||
                    v.segment(m.v_begin, m.nv) != v_.segment(m.v_begin, m.nv);
  }
}

bool Motion::has_moved(const contact::Contact& contact) const {
  const int a = model_->bodies[contact.body_a].mechanism;
  const int b = model_->bodies[contact.body_b].mechanism;
  return has_drives_ || (a >= 0 && has_moved_[a]) || (b >= 0 && has_moved_[b]);
}

void Motion::calc_contacts(ConstVecRef q, double t) {
  const std::size_t n = touches_->size();
  const bool is_new = !are_contacts_known_;
  are_contacts_known_ = true;
  contacts_.resize(n);
  smooth_.resize(n);
  velocities_.resize(n);
  forces_.resize(n, Vec3::Zero());
  free_ = smooth_;
  if (n == 0) return;
  update_twists(*model_, X_WB_, zero_, t, &V_drive_);
  moved_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    Touch& touch = (*touches_)[i];
    if (is_new || has_moved(touch.contact)) {
      moved_.push_back(static_cast<int>(i));
      update_contact(*model_, touch.track, X_WB_, q, &touch.contact);
      contacts_[i] = touch.contact;
    } else {
      touch.contact = contacts_[i];
    }
  }
  if (is_new) J_.update(*model_, contacts_, X_WB_, V_drive_, M_, contact::FrictionPoint::kSurface);
  for (const int i : moved_) {
    if (!is_new) J_.update_one(*model_, i, contacts_[i], X_WB_, V_drive_, M_);
    velocities_[i] = J_.velocity(i, v_).head<3>();
    smooth_[i] = J_.velocity_of_bodies(i, v_free_dot_).head<3>() +
                 calc_bias((*touches_)[i].track, contacts_[i],
                           {.X_WB = X_WB_, .V_WB = V_WB_, .A_WB = A_WB_});
  }
  rub_joints();
}

void Motion::rub_joints() {
  free_ = smooth_;
  bool rubs = false;
  v_dot_change_.setZero(model_->nv);
  for (std::size_t i = 0; i < touches_->size(); ++i) {
    const Touch& touch = (*touches_)[i];
    if (!is_dry_joint(touch) || touch.grip != Grip::kSlide) continue;
    rubs = true;
    forces_[i] = {0.0, -touch.dry * touch.slip_dir.x(), 0.0};
    J_.add_velocity_change(static_cast<int>(i), to_contact_vector(forces_[i]), v_dot_change_);
  }
  for (std::size_t i = 0; rubs && i < free_.size(); ++i) {
    free_[i] += J_.velocity_of_bodies(static_cast<int>(i), v_dot_change_).head<3>();
  }
}

void Motion::update(double t, ConstVecRef q, ConstVecRef v) {
  is_cached_ = false;
  find_what_moved(q, v);
  q_ = q;
  v_ = v;
  update_poses(*model_, q_, t, &X_WB_);
  update_twists(*model_, X_WB_, v_, t, &V_WB_);
  calc_free_acceleration(t);
  calc_contacts(q_, t);
}

Vec3 Motion::slip_direction(int i) const {
  const contact::Contact& c = contacts_[i];
  const Vec3 slip = c.t1 * velocities_[i][1] + c.t2 * velocities_[i][2];
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
    rubbing_[i] = {friction.dot(contacts_[i].t1), friction.dot(contacts_[i].t2)};
  }
}

void Motion::solve_forces(GripSystem::Start start) {
  rub_joints();
  update_rubbing();
  for (int i = 0; i < static_cast<int>(touches_->size()); ++i) {
    const Touch& touch = (*touches_)[i];
    if (is_dry_joint(touch) && touch.grip == Grip::kSlide) continue;
    forces_[i] = touch.grip == Grip::kGiven ? touch.force : Vec3(Vec3::Zero());
  }
  if (has_drives_) grips_.forget();
  failed_ = !grips_.solve({.touches = *touches_, .J = J_, .free = free_, .rubbing = rubbing_},
                          start, q_, v_, &forces_);
  apply_forces();
}

bool Motion::calc_stop(VecX* change, std::vector<Vec3>* impulses) {
  std::vector<Touch> touches = *touches_;
  for (Touch& touch : touches) touch.force.setZero();
  update_rubbing();
  impulses->assign(touches.size(), Vec3::Zero());
  const bool found =
      grips_.solve({.touches = touches, .J = J_, .free = velocities_, .rubbing = rubbing_},
                   GripSystem::Start::kDecided, q_, v_, impulses);
  change->setZero(model_->nv);
  for (int i = 0; i < static_cast<int>(impulses->size()); ++i) {
    J_.add_velocity_change(i, to_contact_vector((*impulses)[i]), *change);
  }
  return found;
}

void Motion::apply_forces() {
  v_dot_change_.setZero(model_->nv);
  v_dot_gross_ = v_free_dot_.cwiseAbs();
  for (int i = 0; i < static_cast<int>(forces_.size()); ++i) {
    if (forces_[i].squaredNorm() == 0.0) continue;
    const ContactVector force = to_contact_vector(forces_[i]);
    J_.add_velocity_change(i, force, v_dot_change_);
    J_.add_velocity_change_sizes(i, force, v_dot_gross_);
  }
  v_dot_ = v_free_dot_ + v_dot_change_;
  stop_what_stands();
}

// For each mechanism, the largest sum of magnitudes that cancels in its accelerations, or in those
// of mechanisms that push on it, because contacts compare the accelerations of both.
void Motion::update_gross() {
  gross_.resize(model_->mechanisms.size());
  for (int k = 0; k < model_->num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model_->mechanisms[k];
    gross_[k] = v_dot_gross_.segment(m.v_begin, m.nv).maxCoeff();
  }
  for (bool spreads = true; spreads;) {
    spreads = false;
    for (int i = 0; i < static_cast<int>(forces_.size()); ++i) {
      const int a = J_.side(i, 0).mechanism;
      const int b = J_.side(i, 1).mechanism;
      if (forces_[i][0] == 0.0 || a < 0 || b < 0) continue;
      if (!(gross_[a] < gross_[b] || gross_[b] < gross_[a])) continue;  // also stops if not finite
      gross_[a] = gross_[b] = std::max(gross_[a], gross_[b]);
      spreads = true;
    }
  }
}

// A mechanism that does not move, and whose forces cancel up to rounding, stays at rest: rounding
// must not make it creep, and an unchanged state need not be computed again.
void Motion::stop_what_stands() {
  constexpr double kStill = 1e-14;     // m/s, rad/s
  constexpr double kRounding = 1e-14;  // -   of the sum of all that cancels
  bool is_any = false;
  for (int k = 0; k < model_->num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model_->mechanisms[k];
    stands_[k] = (v_.segment(m.v_begin, m.nv).array().abs() <= kStill).all();
    is_any = is_any || stands_[k];
  }
  if (!is_any) return;
  update_gross();
  for (int k = 0; k < model_->num_mechanisms(); ++k) {
    const dynamics::Mechanism& m = model_->mechanisms[k];
    auto v_dot = v_dot_.segment(m.v_begin, m.nv);
    stands_[k] = stands_[k] && (v_dot.array().abs() <= kRounding * gross_[k]).all();
    if (stands_[k]) v_dot.setZero();
  }
}

Vec3 Motion::acceleration(int touch) const {
  return smooth_[touch] + J_.velocity_of_bodies(touch, v_dot_change_).head<3>();
}

// W   Power of prescribed motion on the mechanisms that hang from it, including contact forces.
double Motion::calc_driving_power(double t) {
  double power = 0.0;
  bool is_known = false;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    if (!has_drives_ || !is_driven(*model_, mechanism)) continue;
    if (!is_known) {
      update_twists(*model_, X_WB_, zero_, t, &V_drive_);
      update_accelerations(*model_, {X_WB_, V_WB_, v_, v_dot_, t}, &A_full_);
      is_known = true;
    }
    power += calc_prescribed_power(
        *model_, mechanism,
        {.X_WB = X_WB_, .V_WB = V_WB_, .A_WB = A_full_, .V_drive = V_drive_, .t = t}, true);
  }
  return power;
}

void Motion::write_rate(double t, VecX* rate) {
  const int nq = model_->nq;
  const int nv = model_->nv;
  rate->setZero(num_states());
  for (const dynamics::Body& body : model_->bodies) {
    if (num_velocities(body.joint.type) > 0) {
      calc_rates(body.joint, q_, v_, rate->head(nq));
    }
  }
  rate->segment(nq, nv) = v_dot_;
  auto works = rate->segment<kNumWorks>(nq + nv);
  works[kPotential] = power_potential_;
  works[kApplied] = power_applied_;
  works[kPrescribed] = calc_driving_power(t);
  int at = nq + nv + kNumWorks;
  for (std::size_t i = 0; i < touches_->size(); ++i) {
    if (!carries((*touches_)[i].grip)) continue;
    const contact::Contact& c = contacts_[i];
    const Vec3& f = forces_[i];
    const Vec3& u = velocities_[i];
    const double friction = f[1] * u[1] + f[2] * u[2];
    works[kNormal] += f[0] * u[0];
    works[kFriction] += friction;
    // Contact work uses relative velocities; prescribed motion does the remaining work.
    works[kPrescribed] -= f.dot(J_.drive(static_cast<int>(i)).head<3>());
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
  if (is_cached_ && !has_drives_ && y.head(n) == y_cached_) {
    *rate = rate_cached_;
    return;
  }
  update(t, y.head(model_->nq), y.segment(model_->nq, model_->nv));
  solve_forces();
  write_rate(t, rate);
  y_cached_ = y.head(n);
  rate_cached_ = *rate;
  is_cached_ = true;
}

double calc_mobility(const Motion& motion, int touch) {
  return motion.jacobian().own_delassus(touch)(contact::kNormalRow, contact::kNormalRow);
}

}  // namespace tenpin::methods::analytic
