#include "dynamics/flight.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "dynamics/free_flight.h"
#include "dynamics/joint_motion.h"
#include "math/rotation.h"

namespace tenpin::dynamics {

namespace {

constexpr double kRounding = 1e-11;  // -   relative change below which extrapolation has converged
constexpr Extrapolation::Limits kSmooth = {.tolerance = 2e-14,
                                           .rounding = kRounding,
                                           .max_evaluations = 1000,
                                           .num_unchecked = MotionRates::kNumWorks};
// A motor that reaches its limit is a kink, which is not resolved to rounding.
constexpr Extrapolation::Limits kWithKinks = {.tolerance = 1e-10,
                                              .rounding = kRounding,
                                              .max_evaluations = 10000,
                                              .num_unchecked = MotionRates::kNumWorks};

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
    : model_(&model), workers_(workers), rates_(model), q_(VecX::Zero(model.nq)) {}

bool Flight::drift(const Start& start, double h, const std::vector<bool>& but, VecX* q_end,
                   VecX* v_end, Work* work) {
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
  Work sum;
  bool all = true;
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (is_loose(m) || but[m]) continue;
    Work one;
    all = drift(m, start, h, q_end, v_end, &one) && all;
    sum.potential += one.potential;
    sum.prescribed += one.prescribed;
  }
  if (work != nullptr) *work = sum;
  return all;
}

bool Flight::drift(int index, const Start& start, double h, VecX* q_end, VecX* v_end, Work* work) {
  const Mechanism& mechanism = model_->mechanisms[index];
  if (mechanism.is_loose) {  // changes no member: several threads may move such bodies
    drift_loose(model_->bodies[mechanism.bodies.front()], start.q, start.v, h, q_end, v_end);
    return true;
  }
  const bool done = integrate(mechanism, SmoothForces::kNone, kSmooth, start, h);
  const double springs = calc_ball_spring_energy(*model_, mechanism, start.q);
  Work sum = store(mechanism, q_end, v_end);
  sum.potential += springs;
  sum.potential -= calc_ball_spring_energy(*model_, mechanism, *q_end);
  if (work != nullptr) *work = sum;
  return done;
}

bool Flight::fly(int index, const Start& start, double h, VecX* q_end, VecX* v_end, Work* work) {
  if (!integrate(model_->mechanisms[index], SmoothForces::kAll, kSmooth, start, h)) return false;
  *work = finish(index, start, q_end, v_end);
  return true;
}

bool Flight::fly_past_kinks(int index, const Start& start, double h, VecX* q_end, VecX* v_end,
                            Work* work) {
  if (!integrate(model_->mechanisms[index], SmoothForces::kAll, kWithKinks, start, h)) return false;
  *work = finish(index, start, q_end, v_end);
  return true;
}

// Hands out the end of a flight under all forces, and their work.
Flight::Work Flight::finish(int index, const Start& start, VecX* q_end, VecX* v_end) const {
  const Mechanism& mechanism = model_->mechanisms[index];
  const double springs = calc_ball_spring_energy(*model_, mechanism, start.q);
  Work work = store(mechanism, q_end, v_end);
  work.potential += springs - calc_ball_spring_energy(*model_, mechanism, *q_end);
  return work;
}

// Leaves coordinates, velocities and works at the end of the flight in y_.
bool Flight::integrate(const Mechanism& m, SmoothForces forces, const Extrapolation::Limits& limits,
                       const Start& start, double h) {
  y_.resize(m.nq + m.nv + MotionRates::kNumWorks);
  y_ << start.q.segment(m.q_begin, m.nq), start.v.segment(m.v_begin, m.nv), 0.0, 0.0, 0.0;
  const auto rate = [&](double t, const VecX& y, VecX* y_dot) {
    rates_.calc(m, forces, t, y, y_dot);
  };
  if (!extrapolation_.integrate(std::ref(rate), start.t, h, limits, &y_)) return false;
  for (const int i : m.bodies) {
    const Joint& joint = model_->bodies[i].joint;
    const int first = joint.q_begin - m.q_begin;
    if (joint.type == JointType::kFree) y_.segment<4>(first + 3).normalize();
    if (joint.type == JointType::kBall) y_.segment<4>(first).normalize();
  }
  if (m.loops.empty()) return true;
  q_.segment(m.q_begin, m.nq) = y_.head(m.nq);
  (void)close_loops(*model_, m, start.t + h, &q_);
  y_.head(m.nq) = q_.segment(m.q_begin, m.nq);
  return true;
}

// Hands y_ out. The work is without that of springs in ball joints.
Flight::Work Flight::store(const Mechanism& m, VecX* q_end, VecX* v_end) const {
  q_end->segment(m.q_begin, m.nq) = y_.head(m.nq);
  v_end->segment(m.v_begin, m.nv) = y_.segment(m.nq, m.nv);
  const auto works = y_.tail<MotionRates::kNumWorks>();
  return {.potential = works[MotionRates::kPotential],
          .applied = works[MotionRates::kApplied],
          .prescribed = works[MotionRates::kPrescribed]};
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
