#include "methods/impulse/mobility.h"

#include "dynamics/prescribed.h"
#include "math/rotation.h"

namespace tenpin::methods::impulse {

using dynamics::Body;
using dynamics::Mechanism;
using dynamics::Twist;

namespace {

double plane_moment(const Body& body) {
  const Vec3 axis = body.joint.X_MB.R.transpose().col(2);
  return axis.dot(body.inertia * axis);
}

Mat3 calc_inverse_inertia(const Body& body, const Mat3& R_WB) {
  if (has_equal_moments(body)) return Mat3::Identity() / body.moments[0];
  const Mat3 R_WP = R_WB * to_matrix(body.q_BP);
  return R_WP * body.moments.cwiseInverse().asDiagonal() * R_WP.transpose();
}

// The twists of all bodies; those of a mechanism are what the prescribed motion that it hangs from
// causes alone.
std::vector<Twist> calc_drives(const FlyingBodies& bodies, const Mechanism& mechanism) {
  std::vector<Twist> V = bodies.V_WB;
  const VecX still = VecX::Zero(bodies.model->nv);
  const double t = bodies.flights[mechanism.bodies.front()].t;
  update_twists(*bodies.model, mechanism, bodies.X_WB, still, t, &V);
  return V;
}

}  // namespace

void add_mobility(const FlyingBodies& bodies, int i, const Vec3& p_W, Mat3* W) {
  const Body& body = bodies.model->bodies[i];
  if (bodies.is(FlightKind::kPlanar, i)) {
    const Vec3 axis = plane_axis(body);
    const Vec3 turn = axis.cross(p_W - bodies.pose(i).p);
    *W += (Mat3::Identity() - axis * axis.transpose()) / body.mass +
          turn * turn.transpose() / plane_moment(body);
  } else if (bodies.turns_freely(i)) {
    const Mat3 S = skew(p_W - bodies.pose(i).p);
    *W += Mat3::Identity() / body.mass - S * calc_inverse_inertia(body, bodies.pose(i).R) * S;
  }
}

void add_spatial_mobility(const FlyingBodies& bodies, int i, const Vec3& p_W, const Mat3& R,
                          Mat6* W) {
  if (!bodies.turns_freely(i)) return;
  const Body& body = bodies.model->bodies[i];
  const Mat3 S = skew(R.transpose() * (p_W - bodies.pose(i).p));
  const Mat3 I_inverse = R.transpose() * calc_inverse_inertia(body, bodies.pose(i).R) * R;
  const Mat3 turned = I_inverse * S;
  W->topLeftCorner<3, 3>() += Mat3::Identity() / body.mass - S * turned;
  W->topRightCorner<3, 3>() += turned.transpose();  // -S I^-1, where S is skew
  W->bottomLeftCorner<3, 3>() += turned;
  W->bottomRightCorner<3, 3>() += I_inverse;
}

Mat3 calc_cross_mobility(const FlyingBodies& bodies, int i, const Vec3& p_W,
                         const Vec3& p_other_W) {
  if (!bodies.turns_freely(i)) return Mat3::Zero();
  const Body& body = bodies.model->bodies[i];
  const Mat3 S = skew(p_W - bodies.pose(i).p);
  const Mat3 S_other = skew(p_other_W - bodies.pose(i).p);
  return Mat3::Identity() / body.mass - S * calc_inverse_inertia(body, bodies.pose(i).R) * S_other;
}

void apply(int i, const Vec3& p_W, const Vec3& impulse, FlyingBodies* bodies) {
  const Body& body = bodies->model->bodies[i];
  const Vec3 twist = (p_W - bodies->pose(i).p).cross(impulse);
  bodies->impulses[i].add(impulse, twist);
  Twist& V = bodies->V_WB[i];
  const double t = bodies->flights[i].t;
  switch (bodies->flights[i].kind) {
    case FlightKind::kBall:
      turn_ball(i, t, bodies);
      V.v += impulse / body.mass;
      V.w += twist / body.moments[0];
      return;
    case FlightKind::kFree:
      V.v += impulse / body.mass;
      V.w += calc_inverse_inertia(body, bodies->pose(i).R) * twist;
      update_spin_bound(i, bodies);
      return;
    case FlightKind::kPlanar: {
      const Vec3 along = body.joint.X_PJ.R.transpose() * impulse;
      bodies->v.segment<3>(body.joint.v_begin) +=
          Vec3(along.x() / body.mass, along.y() / body.mass,
               plane_axis(body).dot(twist) / plane_moment(body));
      const Pose& X_WP = parent_pose(body, bodies->X_WB);
      V = calc_relative_motion(body, X_WP, bodies->pose(i), bodies->v, t).V;
      return;
    }
    default:
      return;
  }
}

void note_support(int i, const Vec3& p_W, const Vec3& impulse, FlyingBodies* bodies) {
  bodies->impulses[i].add(impulse, (p_W - bodies->pose(i).p).cross(impulse));
}

void add_velocities(const Mechanism& mechanism, ConstVecRef change, FlyingBodies* bodies) {
  const dynamics::Model& model = *bodies->model;
  BodyFlight& first = bodies->flights[mechanism.bodies.front()];
  const bool is_told = dynamics::is_driven(model, mechanism);
  const std::vector<Twist> before = is_told ? bodies->V_WB : std::vector<Twist>();
  bodies->v.segment(mechanism.v_begin, mechanism.nv) += change;
  update_twists(model, mechanism, bodies->X_WB, bodies->v, first.t, &bodies->V_WB);
  if (!is_told) return;
  first.work.prescribed += dynamics::calc_prescribed_work(
      model, mechanism, bodies->X_WB, before, bodies->V_WB, calc_drives(*bodies, mechanism));
}

Twist calc_drive(const FlyingBodies& bodies, int body) {
  if (bodies.is(FlightKind::kPrescribed, body)) return bodies.twist(body);
  if (!bodies.is_articulated(body)) return {};
  const Mechanism& mechanism = bodies.model->mechanisms[bodies.model->bodies[body].mechanism];
  if (!dynamics::is_driven(*bodies.model, mechanism)) return {};
  return calc_drives(bodies, mechanism)[body];
}

}  // namespace tenpin::methods::impulse
