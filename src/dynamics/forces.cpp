#include "dynamics/forces.h"

namespace tenpin::dynamics {

void add_wrench(const Body& body, const Vec3& force, const Vec3& torque, VecRef f) {
  const int iv = body.joint.v_begin;
  if (body.joint.type == JointType::kFree) {
    f.segment<3>(iv) += force;
    f.segment<3>(iv + 3) += torque;
  } else if (body.joint.type == JointType::kPlanar) {
    const Mat3& R_WJ = body.joint.X_WJ.R;
    f[iv] += R_WJ.col(0).dot(force);
    f[iv + 1] += R_WJ.col(1).dot(force);
    f[iv + 2] += R_WJ.col(2).dot(torque);
  }
}

void calc_gravity(const Model& model, VecRef f) {
  f.setZero();
  for (const Body& body : model.bodies) {
    add_wrench(body, body.mass * model.gravity, Vec3::Zero(), f);
  }
}

void calc_applied(const Model& model, const std::vector<Twist>& V_WB, double h, VecRef f) {
  f.setZero();
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    if (!body.is_mobile()) continue;
    const AppliedForce& a = body.applied;
    const Twist& V = V_WB[i];
    const double c = a.viscous + a.drag * V.v.norm();
    const double c_spin = a.viscous_spin;
    const Vec3 force = a.force - c / (1.0 + h * c / body.mass) * V.v;
    const Vec3 torque = a.torque - c_spin / (1.0 + h * c_spin / body.moments.minCoeff()) * V.w;
    add_wrench(body, force, torque, f);
  }
}

}  // namespace tenpin::dynamics
