#include "dynamics/kinematics.h"

#include "dynamics/free_flight.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::dynamics {

namespace {

Quat quaternion_at(ConstVecRef q, int begin) {
  return {q[begin], q[begin + 1], q[begin + 2], q[begin + 3]};
}

Pose planar_pose(const Joint& joint, ConstVecRef q) {
  const auto [s, c] = sin_cos(q[joint.q_begin + 2]);
  Pose X_JM;
  X_JM.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  X_JM.p << q[joint.q_begin], q[joint.q_begin + 1], 0.0;
  return joint.X_WJ * X_JM * joint.X_JB;
}

Pose prescribed_pose(const Body& body, double t) {
  const PrescribedMotion& motion = body.motion;
  const Mat3 turn = to_matrix(exp_map(motion.angular_velocity * t));
  const double swing = sin_cos(2.0 * kPi * motion.frequency * t).sin;
  const Vec3 pivot = motion.pivot + motion.velocity * t + motion.amplitude * swing;
  const Pose& start = body.joint.X_WJ;
  return {.R = turn * start.R, .p = pivot + turn * (start.p - motion.pivot)};
}

Twist prescribed_twist(const Body& body, double t) {
  const PrescribedMotion& motion = body.motion;
  const double rate = 2.0 * kPi * motion.frequency;
  const Mat3 turn = to_matrix(exp_map(motion.angular_velocity * t));
  const Vec3 arm = turn * (body.joint.X_WJ.p - motion.pivot);
  return {.v = motion.velocity + motion.amplitude * (rate * sin_cos(rate * t).cos) +
               motion.angular_velocity.cross(arm),
          .w = motion.angular_velocity};
}

void drift_free(const Body& body, ConstVecRef q, ConstVecRef v, double h, VecX* q_end,
                VecX* v_end) {
  const int iq = body.joint.q_begin;
  const int iv = body.joint.v_begin;
  q_end->segment<3>(iq) = q.segment<3>(iq) + h * v.segment<3>(iv);
  v_end->segment<3>(iv) = v.segment<3>(iv);

  const Quat q_WP = quaternion_at(q, iq + 3) * body.q_BP;
  const Mat3 R_WP = to_matrix(q_WP);
  const Vec3 w = v.segment<3>(iv + 3);
  const Vec3 L = R_WP * body.moments.cwiseProduct(R_WP.transpose() * w);
  const Quat q_end_WP = calc_free_rotation(q_WP, body.moments, L, h);
  const Quat q_end_WB = (q_end_WP * body.q_BP.conjugate()).normalized();
  q_end->segment<4>(iq + 3) << q_end_WB.w(), q_end_WB.x(), q_end_WB.y(), q_end_WB.z();

  const bool is_sphere = body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
  if (is_sphere) {
    v_end->segment<3>(iv + 3) = w;  // not even a rounding error
  } else {
    const Mat3 R_end_WP = to_matrix(q_end_WP);
    v_end->segment<3>(iv + 3) = R_end_WP * (R_end_WP.transpose() * L).cwiseQuotient(body.moments);
  }
}

}  // namespace

Pose calc_pose(const Model& model, int body, ConstVecRef q, double t) {
  const Body& b = model.bodies[body];
  switch (b.joint.type) {
    case JointType::kFree:
      return {.R = to_matrix(quaternion_at(q, b.joint.q_begin + 3)),
              .p = q.segment<3>(b.joint.q_begin)};
    case JointType::kPlanar:
      return planar_pose(b.joint, q);
    case JointType::kFixed:
      return b.joint.X_WJ;
    case JointType::kPrescribed:
      return prescribed_pose(b, t);
  }
  return {};
}

Twist calc_twist(const Model& model, int body, ConstVecRef v, double t) {
  const Body& b = model.bodies[body];
  const int iv = b.joint.v_begin;
  switch (b.joint.type) {
    case JointType::kFree:
      return {.v = v.segment<3>(iv), .w = v.segment<3>(iv + 3)};
    case JointType::kPlanar:
      return {.v = b.joint.X_WJ.R.col(0) * v[iv] + b.joint.X_WJ.R.col(1) * v[iv + 1],
              .w = b.joint.X_WJ.R.col(2) * v[iv + 2]};
    case JointType::kFixed:
      return {};
    case JointType::kPrescribed:
      return prescribed_twist(b, t);
  }
  return {};
}

void update_poses(const Model& model, ConstVecRef q, double t, std::vector<Pose>* X_WB) {
  X_WB->resize(model.bodies.size());
  for (int i = 0; i < model.num_bodies(); ++i) (*X_WB)[i] = calc_pose(model, i, q, t);
}

void update_twists(const Model& model, ConstVecRef v, double t, std::vector<Twist>* V_WB) {
  V_WB->resize(model.bodies.size());
  for (int i = 0; i < model.num_bodies(); ++i) (*V_WB)[i] = calc_twist(model, i, v, t);
}

void drift(const Model& model, ConstVecRef q, ConstVecRef v, double h, VecX* q_end, VecX* v_end) {
  q_end->resize(model.nq);
  v_end->resize(model.nv);
  for (const Body& body : model.bodies) {
    if (body.joint.type == JointType::kFree) {
      drift_free(body, q, v, h, q_end, v_end);
    } else if (body.joint.type == JointType::kPlanar) {
      const int iq = body.joint.q_begin;
      const int iv = body.joint.v_begin;
      q_end->segment<3>(iq) = q.segment<3>(iq) + h * v.segment<3>(iv);
      v_end->segment<3>(iv) = v.segment<3>(iv);
    }
  }
}

}  // namespace tenpin::dynamics
