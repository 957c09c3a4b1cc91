#include "methods/impulse/mover.h"

#include <algorithm>
#include <cmath>

#include "dynamics/free_flight.h"
#include "math/rotation.h"

namespace tenpin::methods::impulse {

using dynamics::Body;
using dynamics::Mechanism;
using dynamics::Twist;

namespace {

// J   Computed from the inertia tensor of the scene, not from the principal axes that the rotation
// uses.
double calc_spin_energy(const Body& body, const Mat3& R_WB, const Vec3& w) {
  const Vec3 w_B = R_WB.transpose() * w;
  return 0.5 * w_B.dot(body.inertia * w_B);
}

void move_straight(int i, double dt, FlyingBodies* bodies) {
  BodyFlight& flight = bodies->flights[i];
  const Vec3 step = dt * (bodies->V_WB[i].v + 0.5 * dt * flight.acceleration);
  bodies->X_WB[i].p += step;
  bodies->V_WB[i].v += dt * flight.acceleration;
  flight.work.applied += flight.force.dot(step);
}

void turn_free(int i, double dt, FlyingBodies* bodies) {
  BodyFlight& flight = bodies->flights[i];
  Pose& X_WB = bodies->X_WB[i];
  const Vec3 before = bodies->V_WB[i].w;
  if (before.squaredNorm() == 0.0) return;
  const Body& body = bodies->model->bodies[i];
  const double energy = calc_spin_energy(body, X_WB.R, before);
  if (has_equal_moments(body)) {  // the spin keeps every bit
    flight.q_WB = (exp_map(dt * before) * flight.q_WB).normalized();
    X_WB.R = to_matrix(flight.q_WB);
  } else {
    const Quat q_WP = flight.q_WB * body.q_BP;
    const Vec3 w_P = to_matrix(q_WP).transpose() * before;
    const dynamics::FreeRotation end =
        dynamics::calc_free_rotation({.q_WP = q_WP, .w_P = w_P}, body.moments, dt);
    flight.q_WB = (end.q_WP * body.q_BP.conjugate()).normalized();
    X_WB.R = to_matrix(flight.q_WB);
    bodies->V_WB[i].w = to_matrix(end.q_WP) * end.w_P;
  }
  const double work = calc_spin_energy(body, X_WB.R, bodies->V_WB[i].w) - energy;
  flight.work.rotation += work;
  const double error = std::fabs(work) / energy;
  if (!(error <= flight.rotation_error)) flight.rotation_error = error;  // also NaN
}

// Pose and twist of a body that its joint places.
void place(int i, double t, FlyingBodies* bodies) {
  const Body& body = bodies->model->bodies[i];
  const Pose& X_WP = parent_pose(body, bodies->X_WB);
  bodies->X_WB[i] = X_WP * calc_joint_pose(body, bodies->q, t);
  bodies->V_WB[i] = calc_relative_motion(body, X_WP, bodies->X_WB[i], bodies->v, t).V;
}

void move_planar(int i, double t, FlyingBodies* bodies) {
  BodyFlight& flight = bodies->flights[i];
  const dynamics::Joint& joint = bodies->model->bodies[i].joint;
  const double dt = t - flight.t;
  auto v = bodies->v.segment<3>(joint.v_begin);
  const Vec3 a(flight.plane_force.x(), flight.plane_force.y(), 0.0);
  const Vec3 before = bodies->X_WB[i].p;
  bodies->q.segment<3>(joint.q_begin) += dt * (v + 0.5 * dt * a);
  v += dt * a;
  place(i, t, bodies);
  flight.work.applied += flight.force.dot(bodies->X_WB[i].p - before);
}

}  // namespace

void Mover::move(int i, double t, FlyingBodies* bodies) {
  BodyFlight& flight = bodies->flights[i];
  const double dt = t - flight.t;
  if (dt == 0.0) return;
  if (!flight.is_resting) {
    switch (flight.kind) {
      case FlightKind::kStill:
        break;
      case FlightKind::kPrescribed:
        place(i, t, bodies);
        break;
      case FlightKind::kBall:
        move_straight(i, dt, bodies);
        break;
      case FlightKind::kFree:
        move_straight(i, dt, bodies);
        turn_free(i, dt, bodies);
        break;
      case FlightKind::kPlanar:
        move_planar(i, t, bodies);
        break;
      case FlightKind::kArticulated:
        move_mechanism(bodies->model->bodies[i].mechanism, t, bodies);
        break;
    }
  }
  flight.t = t;
}

void Mover::move_to_end(int i, double t, FlyingBodies* bodies) {
  move(i, t, bodies);
  if (bodies->is(FlightKind::kBall, i)) turn_ball(i, t, bodies);
}

void Mover::move_all(double t, FlyingBodies* bodies) {
  for (int i = 0; i < bodies->model->num_bodies(); ++i) move_to_end(i, t, bodies);
}

void Mover::move_mechanism(int index, double t, FlyingBodies* bodies) {
  const dynamics::Model& model = *bodies->model;
  const Mechanism& mechanism = model.mechanisms[index];
  BodyFlight& first = bodies->flights[mechanism.bodies.front()];
  const double from = first.t;
  V_before_.clear();
  for (const int i : mechanism.bodies) V_before_.push_back(bodies->V_WB[i]);
  // One flight, or several shorter ones where the motion is too fast for one. Each has a bounded
  // number of evaluations, which take some milliseconds. The method gives up after this many.
  constexpr int kMostFlights = 100;
  double done = 0.0;
  double part = 1.0;
  for (int flights = 0; done < 1.0; ++flights) {
    bodies->is_followed = bodies->is_followed && flights < kMostFlights;
    if (!bodies->is_followed) break;
    part = std::min(part, 1.0 - done);
    dynamics::Flight::Work work;
    const dynamics::Flight::Start start{
        .q = bodies->q, .v = bodies->v, .t = from + done * (t - from)};
    if (flight_.fly(index, start, part * (t - from), &bodies->q, &bodies->v, &work)) {
      first.work.applied += work.applied;
      first.work.prescribed += work.prescribed;
      done += part;
      part *= 2.0;
    } else {
      part *= 0.25;
    }
  }
  update_poses(model, mechanism, bodies->q, t, &bodies->X_WB);
  update_twists(model, mechanism, bodies->X_WB, bodies->v, t, &bodies->V_WB);
  const double per_time = 2.0 / (t - from);
  auto before = V_before_.begin();
  for (const int i : mechanism.bodies) {
    const Twist& V = bodies->V_WB[i];
    BodyFlight& flight = bodies->flights[i];
    flight.t = t;
    flight.unsteadiness = 2.0 * model.gravity.norm() + per_time * (V.v - before->v).norm();
    flight.spin_rate = V.w.squaredNorm() + per_time * (V.w - before->w).norm();
    ++before;
  }
}

}  // namespace tenpin::methods::impulse
