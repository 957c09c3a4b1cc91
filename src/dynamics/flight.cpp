#include "dynamics/flight.h"

#include <algorithm>
#include <cmath>

#include "dynamics/forces.h"
#include "dynamics/free_flight.h"
#include "dynamics/joint_forces.h"
#include "dynamics/joint_motion.h"
#include "dynamics/prescribed.h"
#include "math/rotation.h"

namespace tenpin::dynamics {

namespace {

constexpr int kMaxEvaluations = 1000;
constexpr double kTolerance = 2e-14;
constexpr double kRounding = 1e-11;  // -   relative change below which extrapolation has converged
constexpr int kMaxKinkEvaluations = 10000;
constexpr double kKinkTolerance = 1e-10;

void drift_free(const Body& body, ConstVecRef q, ConstVecRef v, double h, VecX* q_end,
                VecX* v_end) {
  const int iq = body.joint.q_begin;
  const int iv = body.joint.v_begin;
  q_end->segment<3>(iq) = q.segment<3>(iq) + h * v.segment<3>(iv);
  v_end->segment<3>(iv) = v.segment<3>(iv);

  const Vec3 w = v.segment<3>(iv + 3);
  Quat q_WB = quaternion_at(q, iq + 3);
  const bool is_sphere = body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
  if (is_sphere) {
    q_WB = (exp_map(h * w) * q_WB).normalized();
    v_end->segment<3>(iv + 3) = w;  // exact, without even a rounding error
  } else {
    const Quat q_WP = q_WB * body.q_BP;
    const Vec3 w_P = to_matrix(q_WP).transpose() * w;
    const FreeRotation end = calc_free_rotation({.q_WP = q_WP, .w_P = w_P}, body.moments, h);
    q_WB = (end.q_WP * body.q_BP.conjugate()).normalized();
    v_end->segment<3>(iv + 3) = to_matrix(end.q_WP) * end.w_P;
  }
  q_end->segment<4>(iq + 3) << q_WB.w(), q_WB.x(), q_WB.y(), q_WB.z();
}

// J   Of springs in ball joints. Their force jumps where the shortest way back becomes another one,
// so their work is a difference of energies: no integration rule sees the jump.
double calc_ball_spring_energy(const Model& model, const Mechanism& mechanism, ConstVecRef q) {
  double energy = 0.0;
  for (const int i : mechanism.bodies) {
    const Joint& joint = model.bodies[i].joint;
    if (joint.type != JointType::kBall || joint.forces.stiffness == 0.0) continue;
    const Vec3 stretch = log_map(quaternion_at(q, joint.q_begin));
    energy += 0.5 * joint.forces.stiffness * stretch.squaredNorm();
  }
  return energy;
}

void drift_loose(const Body& body, ConstVecRef q, ConstVecRef v, double h, VecX* q_end,
                 VecX* v_end) {
  if (body.joint.type == JointType::kFree) {
    drift_free(body, q, v, h, q_end, v_end);
    return;
  }
  const int iq = body.joint.q_begin;
  const int iv = body.joint.v_begin;
  q_end->segment<3>(iq) = q.segment<3>(iq) + h * v.segment<3>(iv);
  v_end->segment<3>(iv) = v.segment<3>(iv);
}

}  // namespace

Flight::Flight(const Model& model, const Workers* workers)
    : model_(&model),
      workers_(workers),
      tolerance_(kTolerance),
      max_evaluations_(kMaxEvaluations),
      q_(VecX::Zero(model.nq)),
      v_(VecX::Zero(model.nv)),
      q_dot_(VecX::Zero(model.nq)),
      v_dot_(VecX::Zero(model.nv)),
      f_(VecX::Zero(model.nv)),
      zero_(VecX::Zero(model.nv)),
      X_WB_(model.bodies.size()),
      V_WB_(model.bodies.size()),
      A_WB_(model.bodies.size()),
      V_drive_(model.bodies.size()),
      A_full_(model.bodies.size()),
      wrenches_(model.bodies.size()) {}

bool Flight::drift(const Start& start, double h, const std::vector<bool>& but, VecX* q_end,
                   VecX* v_end) {
  q_end->resize(model_->nq);
  v_end->resize(model_->nv);
  const auto is_loose = [this](int m) {
    return model_->mechanisms[m].is_loose;
  };
  const auto drift_some = [&](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      if (!is_loose(m) || but[m]) continue;
      drift_loose(model_->bodies[model_->mechanisms[m].bodies.front()], start.q, start.v, h, q_end,
                  v_end);
    }
  };
  split(workers_, model_->num_mechanisms(), drift_some);
  double work = 0.0;
  double prescribed = 0.0;
  bool all = true;
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (is_loose(m) || but[m]) continue;
    all = drift(m, start, h, q_end, v_end) && all;
    work += drift_work_;
    prescribed += drift_prescribed_;
  }
  drift_work_ = work;
  drift_prescribed_ = prescribed;
  return all;
}

bool Flight::drift(int index, const Start& start, double h, VecX* q_end, VecX* v_end) {
  const Mechanism& mechanism = model_->mechanisms[index];
  if (mechanism.is_loose) {  // changes no member: several threads may move such bodies
    drift_loose(model_->bodies[mechanism.bodies.front()], start.q, start.v, h, q_end, v_end);
    return true;
  }
  load(mechanism, start);
  const bool done = move(mechanism, false, start.t, h);
  const double springs_before = calc_ball_spring_energy(*model_, mechanism, start.q);
  store(mechanism, q_end, v_end);
  drift_work_ = y_[mechanism.nq + mechanism.nv] + springs_before -
                calc_ball_spring_energy(*model_, mechanism, *q_end);
  drift_prescribed_ = y_[mechanism.nq + mechanism.nv + 2];
  return done;
}

bool Flight::fly(int index, const Start& start, double h, VecX* q_end, VecX* v_end, Work* work) {
  const Mechanism& mechanism = model_->mechanisms[index];
  load(mechanism, start);
  if (!move(mechanism, true, start.t, h)) return false;
  const double springs_before = calc_ball_spring_energy(*model_, mechanism, start.q);
  store(mechanism, q_end, v_end);
  const double springs = springs_before - calc_ball_spring_energy(*model_, mechanism, *q_end);
  *work = {.potential = y_[mechanism.nq + mechanism.nv] + springs,
           .applied = y_[mechanism.nq + mechanism.nv + 1],
           .prescribed = y_[mechanism.nq + mechanism.nv + 2]};
  return true;
}

bool Flight::fly_past_kinks(int index, const Start& start, double h, VecX* q_end, VecX* v_end,
                            Work* work) {
  tolerance_ = kKinkTolerance;
  max_evaluations_ = kMaxKinkEvaluations;
  const bool done = fly(index, start, h, q_end, v_end, work);
  tolerance_ = kTolerance;
  max_evaluations_ = kMaxEvaluations;
  return done;
}

void Flight::load(const Mechanism& m, const Start& start) {
  y_.resize(m.nq + m.nv + kNumWorks);
  y_ << start.q.segment(m.q_begin, m.nq), start.v.segment(m.v_begin, m.nv), 0.0, 0.0, 0.0;
}

void Flight::store(const Mechanism& m, VecX* q_end, VecX* v_end) const {
  q_end->segment(m.q_begin, m.nq) = y_.head(m.nq);
  v_end->segment(m.v_begin, m.nv) = y_.segment(m.nq, m.nv);
}

// The forces on the bodies and their power at (q_, v_).
void Flight::add_forces(const Mechanism& mechanism, double t) {
  power_potential_ = power_applied_ = 0.0;
  for (const int i : mechanism.bodies) {
    const Body& body = model_->bodies[i];
    const Vec3 weight = body.mass * model_->gravity;
    power_potential_ += weight.dot(V_WB_[i].v);
    for (int k = 0; k < num_velocities(body.joint.type) && has_joint_forces(body.joint); ++k) {
      const JointLoad load = calc_joint_load(body.joint, k, q_, v_, t);
      const double rate = v_[body.joint.v_begin + k];
      if (body.joint.type != JointType::kBall) power_potential_ += load.spring * rate;
      if (!with_forces_) continue;
      power_applied_ += load.other * rate;
      f_[body.joint.v_begin + k] += load.spring + load.other;
    }
    if (!with_forces_) continue;
    const Wrench applied = calc_applied_wrench(body, V_WB_[i], t, 0.0);
    power_applied_ += applied.force.dot(V_WB_[i].v) + applied.torque.dot(V_WB_[i].w);
    wrenches_[i].force += weight + applied.force;
    wrenches_[i].torque += applied.torque;
  }
}

double Flight::calc_driving_power(const Mechanism& m, double t) {
  if (!is_driven(*model_, m)) return 0.0;
  update_twists(*model_, m, X_WB_, zero_, t, &V_drive_);
  update_accelerations(*model_, m, {X_WB_, V_WB_, v_, v_dot_, t}, &A_full_);
  return calc_prescribed_power(
      *model_, m, {.X_WB = X_WB_, .V_WB = V_WB_, .A_WB = A_full_, .V_drive = V_drive_, .t = t},
      with_forces_);
}

// The equations of motion, solved for the accelerations.
void Flight::calc_rate(const Mechanism& m, double t, const VecX& y, VecX* rate) {
  ++evaluations_;
  q_.segment(m.q_begin, m.nq) = y.head(m.nq);
  v_.segment(m.v_begin, m.nv) = y.segment(m.nq, m.nv);
  update_poses(*model_, m, q_, t, &X_WB_);
  update_twists(*model_, m, X_WB_, v_, t, &V_WB_);
  update_accelerations(*model_, m, {X_WB_, V_WB_, v_, zero_, t}, &A_WB_);
  f_.segment(m.v_begin, m.nv).setZero();
  for (const int i : m.bodies) {
    const Mat3 I = calc_world_inertia(model_->bodies[i], X_WB_[i]);
    const Vec3& w = V_WB_[i].w;
    wrenches_[i] = {.force = -model_->bodies[i].mass * A_WB_[i].v,
                    .torque = -(I * A_WB_[i].w + w.cross(I * w))};
  }
  add_forces(m, t);
  add_generalized_forces(*model_, m, X_WB_, &wrenches_, f_);
  inverse_.update(*model_, m, X_WB_, q_, zero_);
  inverse_.solve(f_.data() + m.v_begin, v_dot_.data() + m.v_begin);
  if (!m.loops.empty()) {
    // The solve leaves phi_dot constant to first order; this removes the velocity terms of its
    // change.
    inverse_.loops().calc_accelerations(V_WB_, A_WB_, v_, zero_, &loop_accelerations_);
    inverse_.close_rates(loop_accelerations_, v_dot_.segment(m.v_begin, m.nv));
  }
  for (const int i : m.bodies) {
    const Joint& joint = model_->bodies[i].joint;
    if (num_velocities(joint.type) > 0) calc_rates(joint, q_, v_, q_dot_);
  }
  rate->resize(y.size());
  *rate << q_dot_.segment(m.q_begin, m.nq), v_dot_.segment(m.v_begin, m.nv), power_potential_,
      power_applied_, calc_driving_power(m, t);
}

// Gragg's midpoint rule with n substeps of h/n, smoothed at the end.
void Flight::midpoint(const Mechanism& m, double t, double h, int n, VecX* end) {
  const double dt = h / n;
  older_ = y_;
  newer_ = y_ + dt * first_rate_;
  for (int i = 1; i < n; ++i) {
    calc_rate(m, t + i * dt, newer_, &rate_);
    older_ += 2.0 * dt * rate_;
    older_.swap(newer_);
  }
  calc_rate(m, t + h, newer_, &rate_);
  *end = 0.5 * (newer_ + older_ + dt * rate_);
}

// -   the largest difference of two approximations, relative to its tolerance
double Flight::calc_error(const VecX& a, const VecX& b) const {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < a.size() - kNumWorks; ++i) {
    const double size = 1.0 + std::fabs(y_[i]) + 10.0 * std::fabs(a[i] - y_[i]);
    const double error = std::fabs(a[i] - b[i]) / size;
    if (!(error <= worst)) worst = error;  // keeps a NaN
  }
  return worst / tolerance_;
}

// One step of Richardson extrapolation in (h/n)^2; true if it converged.
bool Flight::extrapolate(const Mechanism& m, double t, double h) {
  calc_rate(m, t, y_, &first_rate_);
  double last_error = 0.0;
  for (int k = 0; k < kMaxColumns; ++k) {
    const int n = 2 * (k + 1);
    midpoint(m, t, h, n, &y_try_);
    // Neville's scheme along the newest diagonal: table_[j] holds column j.
    for (int j = 0; j < k; ++j) {
      const double ratio = static_cast<double>(n) / (2.0 * (k - j));
      const double weight = 1.0 / (ratio * ratio - 1.0);
      newer_ = y_try_ + weight * (y_try_ - table_[j]);
      table_[j] = y_try_;
      y_try_ = newer_;
    }
    if (k > 0) {
      const double error = calc_error(y_try_, table_[k - 1]);
      const bool stalls = k > 4 && error >= last_error && error * tolerance_ <= kRounding;
      if ((k > 1 && error <= 1.0) || stalls) return true;
      if (!(error < 1e300)) return false;  // also catches NaN
      last_error = error;
    }
    table_[k] = y_try_;
  }
  return false;
}

bool Flight::move(const Mechanism& mechanism, bool with_forces, double t, double h) {
  with_forces_ = with_forces;
  evaluations_ = 0;
  double done = 0.0;  // fraction of the flight
  double part = 1.0;
  while (done < 1.0) {
    if (evaluations_ > max_evaluations_) return false;
    part = std::min(part, 1.0 - done);
    if (!extrapolate(mechanism, t + done * h, part * h)) {
      part *= 0.5;
      continue;
    }
    y_.swap(y_try_);
    done += part;
    part *= 2.0;
  }
  for (const int i : mechanism.bodies) {
    const Joint& joint = model_->bodies[i].joint;
    const int first = joint.q_begin - mechanism.q_begin;
    if (joint.type == JointType::kFree) y_.segment<4>(first + 3).normalize();
    if (joint.type == JointType::kBall) y_.segment<4>(first).normalize();
  }
  if (!mechanism.loops.empty()) close_loops(mechanism, t + h);
  return true;
}

void Flight::close_loops(const Mechanism& m, double t) {
  q_.segment(m.q_begin, m.nq) = y_.head(m.nq);
  (void)dynamics::close_loops(*model_, m, t, &q_);
  y_.head(m.nq) = q_.segment(m.q_begin, m.nq);
}

double close_loops(const Model& model, const Mechanism& mechanism, double t, VecX* q) {
  constexpr int kMaxRounds = 100;
  constexpr double kClosed = 1e-14;  // m, rad
  std::vector<Pose> X_WB(model.bodies.size());
  const VecX zero = VecX::Zero(model.nv);
  MechanismInverse inverse;
  VecX step = zero;
  VecX best = *q;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMaxRounds; ++round) {
    update_poses(model, mechanism, *q, t, &X_WB);
    inverse.update(model, mechanism, X_WB, *q, zero);
    const double error = inverse.loops().errors().lpNorm<Eigen::Infinity>();
    if (error < least) {
      least = error;
      best = *q;
      if (error <= kClosed) break;
      step.setZero();
      inverse.close_rates(inverse.loops().errors(), step.segment(mechanism.v_begin, mechanism.nv));
    } else if (least <= kRounding || step.norm() < kClosed) {
      break;
    } else {
      step *= 0.5;  // Newton's step overshot
    }
    for (const int i : mechanism.bodies) {
      const Joint& joint = model.bodies[i].joint;
      if (num_velocities(joint.type) > 0) displace(joint, best, step, *q);
    }
  }
  *q = best;
  return least;
}

}  // namespace tenpin::dynamics
