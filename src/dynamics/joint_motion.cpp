#include "dynamics/joint_motion.h"

#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::dynamics {

namespace {

void put_quaternion(const Quat& value, int begin, VecRef q) {
  q.segment<4>(begin) << value.w(), value.x(), value.y(), value.z();
}

Mat3 turn_about_z(double angle) {
  const auto [s, c] = sin_cos(angle);
  Mat3 R;
  R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return R;
}

using CurveFunction = double (TimeCurve::*)(int, double) const;

Vec3 read_vector(const TimeCurve& curve, CurveFunction function, double t) {
  return {(curve.*function)(0, t), (curve.*function)(1, t), (curve.*function)(2, t)};
}

Mat3 calc_prescribed_turn(const PrescribedMotion& motion, double t) {
  const Vec3 turn = motion.angle.empty() ? Vec3(motion.angular_velocity * t)
                                         : Vec3(motion.axis * motion.angle.value(0, t));
  return to_matrix(exp_map(turn));
}

Pose prescribed_pose(const Body& body, double t) {
  const PrescribedMotion& motion = body.motion;
  const Mat3 turn = calc_prescribed_turn(motion, t);
  const double swing = sin_cos(2.0 * kPi * motion.frequency * t).sin;
  Vec3 pivot = motion.pivot + motion.velocity * t + motion.amplitude * swing;
  if (!motion.displacement.empty()) {
    pivot += read_vector(motion.displacement, &TimeCurve::value, t);
  }
  const Pose& start = body.joint.X_PJ;
  return {.R = turn * start.R, .p = pivot + turn * (start.p - motion.pivot)};
}

// The prescribed motion of a body at time t, in the parent's axes.
RelativeMotion prescribed_motion(const Body& body, double t) {
  const PrescribedMotion& motion = body.motion;
  const double rate = 2.0 * kPi * motion.frequency;
  const auto [s, c] = sin_cos(rate * t);
  const Vec3 arm = calc_prescribed_turn(motion, t) * (body.joint.X_PJ.p - motion.pivot);
  const bool has_angle = !motion.angle.empty();
  const Vec3 w = has_angle ? Vec3(motion.axis * motion.angle.rate(0, t)) : motion.angular_velocity;
  RelativeMotion result{
      .V = {.v = motion.velocity + motion.amplitude * (rate * c) + w.cross(arm), .w = w},
      .a = motion.amplitude * (-rate * rate * s) + w.cross(w.cross(arm))};
  if (has_angle) {
    result.alpha = motion.axis * motion.angle.second_rate(0, t);
    result.a += result.alpha.cross(arm);
  }
  if (!motion.displacement.empty()) {
    result.V.v += read_vector(motion.displacement, &TimeCurve::rate, t);
    result.a += read_vector(motion.displacement, &TimeCurve::second_rate, t);
  }
  return result;
}

// The vector from the joint's point on the body (M's origin) to the centre of mass, in world axes.
Vec3 calc_arm(const Joint& joint, const Pose& X_WB) {
  return X_WB.R * (joint.X_MB.R.transpose() * joint.X_MB.p);
}

}  // namespace

Pose calc_joint_pose(const Body& body, ConstVecRef q, double t) {
  const Joint& joint = body.joint;
  const int i = joint.q_begin;
  Pose X_JM;
  switch (joint.type) {
    case JointType::kFree:
      return {.R = to_matrix(quaternion_at(q, i + 3)), .p = q.segment<3>(i)};
    case JointType::kFixed:
      return joint.X_PJ;
    case JointType::kPrescribed:
      return prescribed_pose(body, t);
    case JointType::kPlanar:
      X_JM.R = turn_about_z(q[i + 2]);
      X_JM.p << q[i], q[i + 1], 0.0;
      break;
    case JointType::kHinge:
      X_JM.R = turn_about_z(q[i]);
      break;
    case JointType::kSlider:
      X_JM.p.z() = q[i];
      break;
    case JointType::kBall:
      X_JM.R = to_matrix(quaternion_at(q, i));
      break;
  }
  return joint.X_PJ * X_JM * joint.X_MB;
}

Subspace calc_subspace(const Body& body, const Pose& X_WP, const Pose& X_WB) {
  const Joint& joint = body.joint;
  Subspace S = Subspace::Zero(6, num_velocities(joint.type));
  const Mat3 R_WJ = X_WP.R * joint.X_PJ.R;
  // A rotation about a line through the joint's point also moves the centre of mass.
  const auto turn = [&](int column, const Vec3& axis) {
    S.block<3, 1>(0, column) = axis.cross(calc_arm(joint, X_WB));
    S.block<3, 1>(3, column) = axis;
  };
  switch (joint.type) {
    case JointType::kFree:
      S.setIdentity();
      break;
    case JointType::kPlanar:
      S.block<3, 2>(0, 0) = R_WJ.leftCols<2>();
      turn(2, R_WJ.col(2));
      break;
    case JointType::kHinge:
      turn(0, R_WJ.col(2));
      break;
    case JointType::kSlider:
      S.block<3, 1>(0, 0) = R_WJ.col(2);
      break;
    case JointType::kBall: {
      const Mat3 R_WM = X_WB.R * joint.X_MB.R.transpose();
      for (int k = 0; k < 3; ++k) turn(k, R_WM.col(k));
      break;
    }
    case JointType::kFixed:
    case JointType::kPrescribed:
      break;
  }
  return S;
}

RelativeMotion calc_relative_motion(const Body& body, const Pose& X_WP, const Pose& X_WB,
                                    ConstVecRef v, double t) {
  const Joint& joint = body.joint;
  if (joint.type == JointType::kPrescribed) {
    const RelativeMotion in_parent = prescribed_motion(body, t);
    return {.V = {.v = X_WP.R * in_parent.V.v, .w = X_WP.R * in_parent.V.w},
            .a = X_WP.R * in_parent.a,
            .alpha = X_WP.R * in_parent.alpha};
  }
  RelativeMotion motion;
  if (joint.type == JointType::kFree) {
    motion.V = {.v = v.segment<3>(joint.v_begin), .w = v.segment<3>(joint.v_begin + 3)};
    return motion;
  }
  const int nv = num_velocities(joint.type);
  if (nv == 0) return motion;
  const Subspace S = calc_subspace(body, X_WP, X_WB);
  const Vec6 V = S * v.segment(joint.v_begin, nv);
  motion.V = {.v = V.head<3>(), .w = V.tail<3>()};
  const Vec3& w = motion.V.w;
  motion.a = w.cross(w.cross(calc_arm(joint, X_WB)));
  return motion;
}

void calc_rates(const Joint& joint, ConstVecRef q, ConstVecRef v, VecRef q_dot) {
  const int i = joint.q_begin;
  const int j = joint.v_begin;
  if (joint.type == JointType::kFree) {
    q_dot.segment<3>(i) = v.segment<3>(j);
    const Quat w(0.0, v[j + 3], v[j + 4], v[j + 5]);
    const Quat rate = w * quaternion_at(q, i + 3);
    put_quaternion(Quat(0.5 * rate.w(), 0.5 * rate.x(), 0.5 * rate.y(), 0.5 * rate.z()), i + 3,
                   q_dot);
  } else if (joint.type == JointType::kBall) {
    const Quat w(0.0, v[j], v[j + 1], v[j + 2]);
    const Quat rate = quaternion_at(q, i) * w;
    put_quaternion(Quat(0.5 * rate.w(), 0.5 * rate.x(), 0.5 * rate.y(), 0.5 * rate.z()), i, q_dot);
  } else {
    const int n = num_velocities(joint.type);
    q_dot.segment(i, n) = v.segment(j, n);
  }
}

void displace(const Joint& joint, ConstVecRef q, ConstVecRef dq, VecRef q_end) {
  const int i = joint.q_begin;
  const int j = joint.v_begin;
  if (joint.type == JointType::kFree) {
    q_end.segment<3>(i) = q.segment<3>(i) + dq.segment<3>(j);
    put_quaternion((exp_map(dq.segment<3>(j + 3)) * quaternion_at(q, i + 3)).normalized(), i + 3,
                   q_end);
  } else if (joint.type == JointType::kBall) {
    put_quaternion((quaternion_at(q, i) * exp_map(dq.segment<3>(j))).normalized(), i, q_end);
  } else {
    const int n = num_velocities(joint.type);
    q_end.segment(i, n) = q.segment(i, n) + dq.segment(j, n);
  }
}

double calc_target(const Motor& motor, double t) {
  const double target = motor.curve.empty() ? motor.target : motor.target + motor.curve.value(0, t);
  if (motor.amplitude == 0.0) return target;
  return target + motor.amplitude * sin_cos(2.0 * kPi * motor.frequency * t).sin;
}

}  // namespace tenpin::dynamics
