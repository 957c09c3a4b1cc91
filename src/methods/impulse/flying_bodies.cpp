#include "methods/impulse/flying_bodies.h"

#include <algorithm>
#include <cmath>

#include "dynamics/forces.h"
#include "dynamics/free_flight.h"
#include "dynamics/prescribed.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::methods::impulse {

using dynamics::Body;
using dynamics::JointType;
using dynamics::Mechanism;
using dynamics::Twist;

namespace {

bool has_equal_moments(const Body& body) {
  return body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
}

// True if all parts are spheres about the centre of mass.
bool is_round(const dynamics::Model& model, const Body& body) {
  for (int i = body.parts_begin; i < body.parts_end; ++i) {
    const shapes::PlacedShape& part = model.parts[i].placed;
    const bool centered = part.X_BS.p.squaredNorm() == 0.0;
    if (!std::holds_alternative<shapes::Sphere>(part.shape) || !centered) return false;
  }
  return true;
}

Vec3 plane_axis(const Body& body) {
  return body.joint.X_PJ.R.col(2);
}

// J   Computed from the inertia tensor of the scene, not from the principal axes that the rotation
// uses.
double calc_spin_energy(const Body& body, const Mat3& R_WB, const Vec3& w) {
  const Vec3 w_B = R_WB.transpose() * w;
  return 0.5 * w_B.dot(body.inertia * w_B);
}

double plane_moment(const Body& body) {
  const Vec3 axis = body.joint.X_MB.R.transpose().col(2);
  return axis.dot(body.inertia * axis);
}

}  // namespace

FlyingBodies::FlyingBodies(const dynamics::Model& model) : model_(&model), flight_(model) {
  const auto count = model.bodies.size();
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    kind_.push_back(find_kind(i));
    turn_rate_.push_back(kind_[i] == Kind::kFree ? collide::calc_spin_rate_bound(body.moments, 1.0)
                                                 : 0.0);
  }
  a_.resize(count);
  center_.resize(count);
  plane_force_.resize(count);
  force_.resize(count, Vec3::Zero());
  has_timed_forces_ =
      std::any_of(model_->bodies.begin(), model_->bodies.end(), [](const Body& body) {
        return !body.applied.timed.empty();
      });
  model_changed();
  t_.resize(count);
  t_turned_.resize(count);
  X_WB_.resize(count);
  V_WB_.resize(count);
  q_WB_.resize(count, Quat::Identity());
  spin_bound_.resize(count);
  impulses_.resize(count);
  is_resting_.resize(count);
  unsteadiness_.resize(count);
  spin_rate_.resize(count);
  V_before_.resize(count);
  work_.resize(count);
}

void FlyingBodies::model_changed() {
  update_forces(t_forces_);
}

// Forces on loose bodies are constant from t to the end of the interval.
void FlyingBodies::update_forces(double t) {
  t_forces_ = t;
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const Body& body = model_->bodies[i];
    const bool flies = body.is_mobile() && body.mass > 0.0;
    force_[i] = calc_force_terms(body, t).force;
    a_[i] = flies ? Vec3(model_->gravity + force_[i] / body.mass) : Vec3(Vec3::Zero());
    center_[i] = kind_[i] == Kind::kPrescribed ? Vec3(body.joint.X_PJ.inverse() * body.motion.pivot)
                                               : Vec3(Vec3::Zero());
    plane_force_[i] = body.joint.X_PJ.R.transpose() * a_[i];
    if (kind_[i] == Kind::kPlanar) a_[i] -= plane_axis(body) * plane_axis(body).dot(a_[i]);
  }
}

FlyingBodies::Kind FlyingBodies::find_kind(int i) const {
  const Body& body = model_->bodies[i];
  if (!body.is_mobile()) {
    return dynamics::stands_still(*model_, i) ? Kind::kStill : Kind::kPrescribed;
  }
  if (!model_->mechanisms[body.mechanism].is_loose) return Kind::kArticulated;
  if (body.joint.type == JointType::kPlanar) return Kind::kPlanar;
  return has_equal_moments(body) && is_round(*model_, body) ? Kind::kBall : Kind::kFree;
}

void FlyingBodies::load(const dynamics::State& state) {
  if (has_timed_forces_ && t_forces_ != state.t) update_forces(state.t);
  q_ = state.q;
  v_ = state.v;
  std::fill(t_.begin(), t_.end(), state.t);
  std::fill(t_turned_.begin(), t_turned_.end(), state.t);
  update_poses(*model_, q_, state.t, &X_WB_);
  update_twists(*model_, X_WB_, v_, state.t, &V_WB_);
  std::fill(work_.begin(), work_.end(), Work{});
  rotation_error_ = 0.0;
  is_followed_ = true;
  std::fill(impulses_.begin(), impulses_.end(), dynamics::BodyImpulses{});
  std::fill(is_resting_.begin(), is_resting_.end(), 0);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    unsteadiness_[i] = 2.0 * model_->gravity.norm();
    spin_rate_[i] = V_WB_[i].w.squaredNorm();
    if (kind_[i] != Kind::kBall && kind_[i] != Kind::kFree) continue;
    const int iq = model_->bodies[i].joint.q_begin + 3;
    q_WB_[i] = Quat(q_[iq], q_[iq + 1], q_[iq + 2], q_[iq + 3]);
    update_spin_bound(i);
  }
}

void FlyingBodies::update_spin_bound(int i) {
  if (kind_[i] != Kind::kFree) return;
  const Body& body = model_->bodies[i];
  const Vec3 w_P = to_matrix(q_WB_[i] * body.q_BP).transpose() * V_WB_[i].w;
  spin_bound_[i] = dynamics::calc_largest_spin(body.moments, w_P);
}

void FlyingBodies::store(dynamics::State* state) const {
  state->q = q_;
  state->v = v_;
  for (int i = 0; i < model_->num_bodies(); ++i) {
    if (kind_[i] != Kind::kBall && kind_[i] != Kind::kFree) continue;
    const dynamics::Joint& joint = model_->bodies[i].joint;
    const Quat& q = q_WB_[i];
    state->q.segment<3>(joint.q_begin) = X_WB_[i].p;
    state->q.segment<4>(joint.q_begin + 3) << q.w(), q.x(), q.y(), q.z();
    state->v.segment<3>(joint.v_begin) = V_WB_[i].v;
    state->v.segment<3>(joint.v_begin + 3) = V_WB_[i].w;
  }
}

void FlyingBodies::take(const Mechanism& mechanism, const FlyingBodies& other) {
  for (const int i : mechanism.bodies) {
    t_[i] = other.t_[i];
    t_turned_[i] = other.t_turned_[i];
    X_WB_[i] = other.X_WB_[i];
    V_WB_[i] = other.V_WB_[i];
    q_WB_[i] = other.q_WB_[i];
    spin_bound_[i] = other.spin_bound_[i];
    impulses_[i] = other.impulses_[i];
    is_resting_[i] = other.is_resting_[i];
    unsteadiness_[i] = other.unsteadiness_[i];
    spin_rate_[i] = other.spin_rate_[i];
    work_[i] = other.work_[i];
  }
  q_.segment(mechanism.q_begin, mechanism.nq) = other.q_.segment(mechanism.q_begin, mechanism.nq);
  v_.segment(mechanism.v_begin, mechanism.nv) = other.v_.segment(mechanism.v_begin, mechanism.nv);
}

void FlyingBodies::take_errors(const FlyingBodies& other) {
  is_followed_ = is_followed_ && other.is_followed_;
  if (!(other.rotation_error_ <= rotation_error_)) rotation_error_ = other.rotation_error_;
}

FlyingBodies::Work FlyingBodies::calc_work() const {
  Work sum;
  for (const Work& work : work_) {
    sum.rotation += work.rotation;
    sum.applied += work.applied;
    sum.prescribed += work.prescribed;
  }
  return sum;
}

void FlyingBodies::move(int i, double t) {
  const double dt = t - t_[i];
  if (dt == 0.0) return;
  if (is_resting(i)) {
    t_[i] = t;
    return;
  }
  switch (kind_[i]) {
    case Kind::kStill:
      break;
    case Kind::kPrescribed:
      place_prescribed(i, t);
      break;
    case Kind::kBall:
      move_straight(i, dt);
      break;
    case Kind::kFree:
      move_straight(i, dt);
      turn_free(i, dt);
      break;
    case Kind::kPlanar:
      move_planar(i, t);
      break;
    case Kind::kArticulated:
      move_mechanism(model_->bodies[i].mechanism, t);
      return;
  }
  t_[i] = t;
}

void FlyingBodies::wake(int i, double t) {
  is_resting_[i] = 0;
  t_[i] = t_turned_[i] = t;
}

void FlyingBodies::move_to_end(int i, double t) {
  move(i, t);
  if (kind_[i] == Kind::kBall) turn_ball(i, t);
}

void FlyingBodies::move_all(double t) {
  for (int i = 0; i < model_->num_bodies(); ++i) move_to_end(i, t);
}

void FlyingBodies::move_straight(int i, double dt) {
  const Vec3 step = dt * (V_WB_[i].v + 0.5 * dt * a_[i]);
  X_WB_[i].p += step;
  V_WB_[i].v += dt * a_[i];
  work_[i].applied += force_[i].dot(step);
}

// The rotation of a ball is updated only when its spin changes, and at the end.
void FlyingBodies::turn_ball(int i, double t) {
  const double dt = t - t_turned_[i];
  t_turned_[i] = t;
  if (dt == 0.0 || V_WB_[i].w.squaredNorm() == 0.0) return;
  q_WB_[i] = (exp_map(V_WB_[i].w * dt) * q_WB_[i]).normalized();
  X_WB_[i].R = to_matrix(q_WB_[i]);
}

void FlyingBodies::turn_free(int i, double dt) {
  const Vec3 before = V_WB_[i].w;
  if (before.squaredNorm() == 0.0) return;
  const Body& body = model_->bodies[i];
  const double energy = calc_spin_energy(body, X_WB_[i].R, before);
  if (has_equal_moments(body)) {  // the spin keeps every bit
    q_WB_[i] = (exp_map(dt * before) * q_WB_[i]).normalized();
    X_WB_[i].R = to_matrix(q_WB_[i]);
  } else {
    const Quat q_WP = q_WB_[i] * body.q_BP;
    const Vec3 w_P = to_matrix(q_WP).transpose() * before;
    const dynamics::FreeRotation end =
        dynamics::calc_free_rotation({.q_WP = q_WP, .w_P = w_P}, body.moments, dt);
    q_WB_[i] = (end.q_WP * body.q_BP.conjugate()).normalized();
    X_WB_[i].R = to_matrix(q_WB_[i]);
    V_WB_[i].w = to_matrix(end.q_WP) * end.w_P;
  }
  const double work = calc_spin_energy(body, X_WB_[i].R, V_WB_[i].w) - energy;
  work_[i].rotation += work;
  const double error = std::fabs(work) / energy;
  if (!(error <= rotation_error_)) rotation_error_ = error;  // a NaN stays
}

void FlyingBodies::move_planar(int i, double t) {
  const Body& body = model_->bodies[i];
  const double dt = t - t_[i];
  auto v = v_.segment<3>(body.joint.v_begin);
  const Vec3 a(plane_force_[i].x(), plane_force_[i].y(), 0.0);
  const Vec3 before = X_WB_[i].p;
  q_.segment<3>(body.joint.q_begin) += dt * (v + 0.5 * dt * a);
  v += dt * a;
  const Pose& X_WP = parent_pose(body, X_WB_);
  X_WB_[i] = X_WP * calc_joint_pose(body, q_, t);
  V_WB_[i] = calc_relative_motion(body, X_WP, X_WB_[i], v_, t).V;
  work_[i].applied += force_[i].dot(X_WB_[i].p - before);
}

void FlyingBodies::place_prescribed(int i, double t) {
  const Body& body = model_->bodies[i];
  const Pose& X_WP = parent_pose(body, X_WB_);
  X_WB_[i] = X_WP * calc_joint_pose(body, q_, t);
  V_WB_[i] = calc_relative_motion(body, X_WP, X_WB_[i], v_, t).V;
}

void FlyingBodies::move_mechanism(int index, double t) {
  const Mechanism& mechanism = model_->mechanisms[index];
  const double from = t_[mechanism.bodies.front()];
  for (const int i : mechanism.bodies) V_before_[i] = V_WB_[i];
  // One flight, or several shorter ones where the motion is too fast for one. Each has a bounded
  // number of evaluations, which take some milliseconds. The method gives up after this many.
  constexpr int kMostFlights = 100;
  double done = 0.0;
  double part = 1.0;
  for (int flights = 0; done < 1.0; ++flights) {
    is_followed_ = is_followed_ && flights < kMostFlights;
    if (!is_followed_) break;
    part = std::min(part, 1.0 - done);
    dynamics::Flight::Work work;
    const dynamics::Flight::Start start{.q = q_, .v = v_, .t = from + done * (t - from)};
    if (flight_.fly(index, start, part * (t - from), &q_, &v_, &work)) {
      work_[mechanism.bodies.front()].applied += work.applied;
      work_[mechanism.bodies.front()].prescribed += work.prescribed;
      done += part;
      part *= 2.0;
    } else {
      part *= 0.25;
    }
  }
  update_poses(*model_, mechanism, q_, t, &X_WB_);
  update_twists(*model_, mechanism, X_WB_, v_, t, &V_WB_);
  for (const int i : mechanism.bodies) {
    t_[i] = t;
    const double per_time = 2.0 / (t - from);
    unsteadiness_[i] =
        2.0 * model_->gravity.norm() + per_time * (V_WB_[i].v - V_before_[i].v).norm();
    spin_rate_[i] = V_WB_[i].w.squaredNorm() + per_time * (V_WB_[i].w - V_before_[i].w).norm();
  }
}

collide::BallisticMotion FlyingBodies::calc_motion(int i) const {
  const Body& body = model_->bodies[i];
  const Twist& V = V_WB_[i];
  collide::BallisticMotion m;
  m.center = X_WB_[i] * center_[i];
  if (stands(i)) return m;
  m.velocity = V.at(m.center - X_WB_[i].p);
  m.acceleration = a_[i];
  m.spin = V.w;
  m.spin_bound = V.w.norm();
  if (kind_[i] == Kind::kPrescribed) {
    const double rate = 2.0 * kPi * body.motion.frequency;
    m.unsteadiness = body.motion.amplitude.norm() * rate * rate;
    for (int k = 0; k < 3; ++k) {
      m.unsteadiness += body.motion.displacement.bound_second_rate(k, t_[i]);
    }
    if (!body.motion.angle.empty()) {
      m.spin_bound = body.motion.angle.bound_rate(0, t_[i]);
      m.spin_rate_bound = body.motion.angle.bound_second_rate(0, t_[i]);
    }
  } else if (kind_[i] == Kind::kFree) {
    m.spin_bound = spin_bound_[i];
    m.spin_rate_bound = turn_rate_[i] * m.spin_bound * m.spin_bound;
  } else if (kind_[i] == Kind::kArticulated) {
    m.acceleration.setZero();
    m.unsteadiness = unsteadiness_[i];
    m.spin_bound *= 2.0;
    m.spin_rate_bound = spin_rate_[i];
  }
  return m;
}

Mat3 FlyingBodies::calc_inverse_inertia(int i) const {
  const Body& body = model_->bodies[i];
  if (has_equal_moments(body)) return Mat3::Identity() / body.moments[0];
  const Mat3 R_WP = X_WB_[i].R * to_matrix(body.q_BP);
  return R_WP * body.moments.cwiseInverse().asDiagonal() * R_WP.transpose();
}

void FlyingBodies::add_mobility(int i, const Vec3& p_W, Mat3* W) const {
  const Body& body = model_->bodies[i];
  const Vec3 r = p_W - X_WB_[i].p;
  switch (kind_[i]) {
    case Kind::kBall:
    case Kind::kFree: {
      const Mat3 S = skew(r);
      *W += Mat3::Identity() / body.mass - S * calc_inverse_inertia(i) * S;
      return;
    }
    case Kind::kPlanar: {
      const Vec3 axis = plane_axis(body);
      const Vec3 turn = axis.cross(r);
      *W += (Mat3::Identity() - axis * axis.transpose()) / body.mass +
            turn * turn.transpose() / plane_moment(body);
      return;
    }
    default:
      return;
  }
}

void FlyingBodies::add_spatial_mobility(int i, const Vec3& p_W, const Mat3& R, Mat6* W) const {
  if (!turns_freely(i)) return;
  const Mat3 S = skew(R.transpose() * (p_W - X_WB_[i].p));
  const Mat3 I_inverse = R.transpose() * calc_inverse_inertia(i) * R;
  const Mat3 turned = I_inverse * S;
  W->topLeftCorner<3, 3>() += Mat3::Identity() / model_->bodies[i].mass - S * turned;
  W->topRightCorner<3, 3>() += turned.transpose();  // -S I^-1, where S is skew
  W->bottomLeftCorner<3, 3>() += turned;
  W->bottomRightCorner<3, 3>() += I_inverse;
}

void FlyingBodies::add_cross_mobility(int i, const Vec3& p_W, const Vec3& p_other_W, double sign,
                                      Mat3* W) const {
  if (!turns_freely(i)) return;
  const Mat3 S = skew(p_W - X_WB_[i].p);
  const Mat3 S_other = skew(p_other_W - X_WB_[i].p);
  *W += sign * (Mat3::Identity() / model_->bodies[i].mass - S * calc_inverse_inertia(i) * S_other);
}

void FlyingBodies::apply(int i, const Vec3& p_W, const Vec3& impulse) {
  const Body& body = model_->bodies[i];
  const Vec3 twist = (p_W - X_WB_[i].p).cross(impulse);
  impulses_[i].add(impulse, twist);
  switch (kind_[i]) {
    case Kind::kBall:
      turn_ball(i, t_[i]);
      V_WB_[i].v += impulse / body.mass;
      V_WB_[i].w += twist / body.moments[0];
      return;
    case Kind::kFree: {
      V_WB_[i].v += impulse / body.mass;
      V_WB_[i].w += calc_inverse_inertia(i) * twist;
      update_spin_bound(i);
      return;
    }
    case Kind::kPlanar: {
      const Vec3 along = body.joint.X_PJ.R.transpose() * impulse;
      auto v = v_.segment<3>(body.joint.v_begin);
      v += Vec3(along.x() / body.mass, along.y() / body.mass,
                plane_axis(body).dot(twist) / plane_moment(body));
      V_WB_[i] = calc_relative_motion(body, parent_pose(body, X_WB_), X_WB_[i], v_, t_[i]).V;
      return;
    }
    default:
      return;
  }
}

void FlyingBodies::add_velocities(const Mechanism& mechanism, ConstVecRef change) {
  const int first = mechanism.bodies.front();
  const bool is_told = dynamics::is_driven(*model_, mechanism);
  if (is_told) {
    update_drive(mechanism);
    V_before_ = V_WB_;
  }
  v_.segment(mechanism.v_begin, mechanism.nv) += change;
  update_twists(*model_, mechanism, X_WB_, v_, t_[first], &V_WB_);
  if (is_told) {
    work_[first].prescribed +=
        dynamics::calc_prescribed_work(*model_, mechanism, X_WB_, V_before_, V_WB_, V_drive_);
  }
}

// The twists that the bodies of a mechanism have because of the prescribed motion that it hangs
// from.
void FlyingBodies::update_drive(const Mechanism& mechanism) {
  V_drive_ = V_WB_;
  still_.setZero(model_->nv);
  update_twists(*model_, mechanism, X_WB_, still_, t_[mechanism.bodies.front()], &V_drive_);
}

dynamics::Twist FlyingBodies::calc_drive(int body) {
  if (is_prescribed(body)) return V_WB_[body];
  if (!is_articulated(body)) return {};
  const Mechanism& mechanism = model_->mechanisms[model_->bodies[body].mechanism];
  if (!dynamics::is_driven(*model_, mechanism)) return {};
  update_drive(mechanism);
  return V_drive_[body];
}

}  // namespace tenpin::methods::impulse
