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

namespace {

// True if all parts are spheres about the centre of mass.
bool is_round(const dynamics::Model& model, const Body& body) {
  for (int i = body.parts_begin; i < body.parts_end; ++i) {
    const shapes::PlacedShape& part = model.parts[i].placed;
    const bool centered = part.X_BS.p.squaredNorm() == 0.0;
    if (!std::holds_alternative<shapes::Sphere>(part.shape) || !centered) return false;
  }
  return true;
}

// From t to the next jump of a force.
FlightKind find_kind(const dynamics::Model& model, int i, double t) {
  const Body& body = model.bodies[i];
  if (!body.is_mobile()) {
    return dynamics::stands_still(model, i) ? FlightKind::kStill : FlightKind::kPrescribed;
  }
  const bool is_loose = model.mechanisms[body.mechanism].is_loose;
  if (!is_loose || !has_closed_flight(body, t)) return FlightKind::kArticulated;
  if (body.joint.type == JointType::kPlanar) return FlightKind::kPlanar;
  return has_equal_moments(body) && is_round(model, body) ? FlightKind::kBall : FlightKind::kFree;
}

// Forces on loose bodies are constant from t to the end of the interval.
void load_forces(const dynamics::Model& model, const Body& body, double t, BodyFlight* flight) {
  const bool flies = body.is_mobile() && body.mass > 0.0;
  flight->force = calc_force_terms(body, t).force;
  flight->acceleration =
      flies ? Vec3(model.gravity + flight->force / body.mass) : Vec3(Vec3::Zero());
  flight->center = flight->kind == FlightKind::kPrescribed
                       ? Vec3(body.joint.X_PJ.inverse() * body.motion.pivot)
                       : Vec3(Vec3::Zero());
  flight->plane_force = body.joint.X_PJ.R.transpose() * flight->acceleration;
  if (flight->kind == FlightKind::kPlanar) {
    flight->acceleration -= plane_axis(body) * plane_axis(body).dot(flight->acceleration);
  }
}

}  // namespace

FlyingBodies::FlyingBodies(const dynamics::Model& of_model)
    : model(&of_model), flights(of_model.bodies.size()), impulses(of_model.bodies.size()) {
  for (int i = 0; i < model->num_bodies(); ++i) {
    flights[i].kind = find_kind(*model, i, 0.0);
    load_forces(*model, model->bodies[i], 0.0, &flights[i]);
    if (model->bodies[i].joint.type != JointType::kFree) continue;
    flights[i].turn_rate = collide::calc_spin_rate_bound(model->bodies[i].moments, 1.0);
  }
}

void load(const dynamics::State& state, FlyingBodies* bodies) {
  const dynamics::Model& model = *bodies->model;
  bodies->q = state.q;
  bodies->v = state.v;
  update_poses(model, state.q, state.t, &bodies->X_WB);
  update_twists(model, bodies->X_WB, state.v, state.t, &bodies->V_WB);
  bodies->is_followed = true;
  std::fill(bodies->impulses.begin(), bodies->impulses.end(), dynamics::BodyImpulses{});
  for (int i = 0; i < model.num_bodies(); ++i) {
    BodyFlight& flight = bodies->flights[i];
    flight.kind = find_kind(model, i, state.t);
    load_forces(model, model.bodies[i], state.t, &flight);
    flight.t = flight.t_turned = state.t;
    flight.unsteadiness = 2.0 * model.gravity.norm();
    flight.spin_rate = bodies->twist(i).w.squaredNorm();
    flight.is_resting = false;
    flight.work = {};
    flight.rotation_error = 0.0;
    if (!bodies->turns_freely(i)) continue;
    const int iq = model.bodies[i].joint.q_begin + 3;
    flight.q_WB = Quat(state.q[iq], state.q[iq + 1], state.q[iq + 2], state.q[iq + 3]);
    update_spin_bound(i, bodies);
  }
}

void store(const FlyingBodies& bodies, dynamics::State* state) {
  state->q = bodies.q;
  state->v = bodies.v;
  for (int i = 0; i < bodies.model->num_bodies(); ++i) {
    if (!bodies.turns_freely(i)) continue;
    const dynamics::Joint& joint = bodies.model->bodies[i].joint;
    const Quat& q = bodies.flights[i].q_WB;
    state->q.segment<3>(joint.q_begin) = bodies.pose(i).p;
    state->q.segment<4>(joint.q_begin + 3) << q.w(), q.x(), q.y(), q.z();
    state->v.segment<3>(joint.v_begin) = bodies.twist(i).v;
    state->v.segment<3>(joint.v_begin + 3) = bodies.twist(i).w;
  }
}

void take(const dynamics::Mechanism& mechanism, const FlyingBodies& other, FlyingBodies* bodies) {
  for (const int i : mechanism.bodies) {
    bodies->X_WB[i] = other.X_WB[i];
    bodies->V_WB[i] = other.V_WB[i];
    bodies->flights[i] = other.flights[i];
    bodies->impulses[i] = other.impulses[i];
  }
  bodies->q.segment(mechanism.q_begin, mechanism.nq) =
      other.q.segment(mechanism.q_begin, mechanism.nq);
  bodies->v.segment(mechanism.v_begin, mechanism.nv) =
      other.v.segment(mechanism.v_begin, mechanism.nv);
}

collide::BallisticMotion calc_motion(const FlyingBodies& bodies, int i) {
  const Body& body = bodies.model->bodies[i];
  const BodyFlight& flight = bodies.flights[i];
  const dynamics::Twist& V = bodies.twist(i);
  collide::BallisticMotion m;
  m.center = bodies.pose(i) * flight.center;
  if (bodies.stands(i)) return m;
  m.velocity = V.at(m.center - bodies.pose(i).p);
  m.acceleration = flight.acceleration;
  m.spin = V.w;
  m.spin_bound = V.w.norm();
  if (flight.kind == FlightKind::kPrescribed) {
    const double rate = 2.0 * kPi * body.motion.frequency;
    m.unsteadiness = body.motion.amplitude.norm() * rate * rate;
    for (int k = 0; k < 3; ++k) {
      m.unsteadiness += body.motion.displacement.bound_second_rate(k, flight.t);
    }
    if (!body.motion.angle.empty()) {
      m.spin_bound = body.motion.angle.bound_rate(0, flight.t);
      m.spin_rate_bound = body.motion.angle.bound_second_rate(0, flight.t);
    }
  } else if (flight.kind == FlightKind::kFree) {
    m.spin_bound = flight.spin_bound;
    m.spin_rate_bound = flight.turn_rate * m.spin_bound * m.spin_bound;
  } else if (flight.kind == FlightKind::kArticulated) {
    m.acceleration.setZero();
    m.unsteadiness = flight.unsteadiness;
    m.spin_bound *= 2.0;
    m.spin_rate_bound = flight.spin_rate;
  }
  return m;
}

FlightWork calc_work(const FlyingBodies& bodies) {
  FlightWork sum;
  for (const BodyFlight& flight : bodies.flights) {
    sum.rotation += flight.work.rotation;
    sum.applied += flight.work.applied;
    sum.prescribed += flight.work.prescribed;
  }
  return sum;
}

double calc_applied_work(const FlyingBodies& bodies, const dynamics::Mechanism& mechanism) {
  double applied = 0.0;
  for (const int i : mechanism.bodies) applied += bodies.flights[i].work.applied;
  return applied;
}

double calc_rotation_error(const FlyingBodies& bodies) {
  double worst = 0.0;
  for (const BodyFlight& flight : bodies.flights) {
    if (std::isnan(flight.rotation_error)) return flight.rotation_error;
    worst = std::max(worst, flight.rotation_error);
  }
  return worst;
}

void turn_ball(int i, double t, FlyingBodies* bodies) {
  BodyFlight& flight = bodies->flights[i];
  const Vec3& w = bodies->V_WB[i].w;
  const double dt = t - flight.t_turned;
  flight.t_turned = t;
  if (dt == 0.0 || w.squaredNorm() == 0.0) return;
  flight.q_WB = (exp_map(w * dt) * flight.q_WB).normalized();
  bodies->X_WB[i].R = to_matrix(flight.q_WB);
}

void update_spin_bound(int i, FlyingBodies* bodies) {
  if (!bodies->is(FlightKind::kFree, i)) return;
  const Body& body = bodies->model->bodies[i];
  BodyFlight& flight = bodies->flights[i];
  const Vec3 w_P = to_matrix(flight.q_WB * body.q_BP).transpose() * bodies->twist(i).w;
  flight.spin_bound = dynamics::calc_largest_spin(body.moments, w_P);
}

}  // namespace tenpin::methods::impulse
