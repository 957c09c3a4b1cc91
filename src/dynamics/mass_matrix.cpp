#include "dynamics/mass_matrix.h"

#include "math/rotation.h"

namespace tenpin::dynamics {

namespace {

// Moment of inertia of a planar body about the normal of its plane.
double planar_moment(const Body& body) {
  const Vec3 axis = body.joint.X_JB.R.transpose().col(2);  // the plane's normal, in the body
  return axis.dot(body.inertia * axis);
}

}  // namespace

void MassMatrix::update(const Model& model, const std::vector<Pose>& X_WB) {
  blocks_.resize(model.bodies.size());
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    Block& block = blocks_[i];
    if (!body.is_mobile()) continue;
    block.inverse_mass = 1.0 / body.mass;
    if (body.joint.type == JointType::kPlanar) {
      block.inertia(2, 2) = planar_moment(body);
      block.inverse_inertia(2, 2) = 1.0 / block.inertia(2, 2);
      continue;
    }
    const bool is_sphere = body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
    const Mat3 R_WP = is_sphere ? Mat3::Identity() : Mat3(X_WB[i].R * to_matrix(body.q_BP));
    block.inertia = R_WP * body.moments.asDiagonal() * R_WP.transpose();
    block.inverse_inertia = R_WP * body.moments.cwiseInverse().asDiagonal() * R_WP.transpose();
  }
}

void MassMatrix::solve_block(const Body& body, int index, const double* f, double* out) const {
  const Block& block = blocks_[index];
  using Map3 = Eigen::Map<const Vec3>;
  if (body.joint.type == JointType::kPlanar) {
    out[0] = block.inverse_mass * f[0];
    out[1] = block.inverse_mass * f[1];
    out[2] = block.inverse_inertia(2, 2) * f[2];
  } else {
    Eigen::Map<Vec3>(out).noalias() = block.inverse_mass * Map3(f);
    Eigen::Map<Vec3>(out + 3).noalias() = block.inverse_inertia * Map3(f + 3);
  }
}

void MassMatrix::solve(const Model& model, ConstVecRef f, VecRef out) const {
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    const int iv = body.joint.v_begin;
    if (body.is_mobile()) solve_block(body, i, f.data() + iv, out.data() + iv);
  }
}

void MassMatrix::multiply(const Model& model, ConstVecRef v, VecRef out) const {
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    const int iv = body.joint.v_begin;
    if (body.joint.type == JointType::kPlanar) {
      out.segment<2>(iv) = body.mass * v.segment<2>(iv);
      out[iv + 2] = blocks_[i].inertia(2, 2) * v[iv + 2];
    } else if (body.joint.type == JointType::kFree) {
      out.segment<3>(iv) = body.mass * v.segment<3>(iv);
      out.segment<3>(iv + 3) = blocks_[i].inertia * v.segment<3>(iv + 3);
    }
  }
}

double calc_kinetic_energy(const Model& model, const std::vector<Pose>& X_WB, ConstVecRef v) {
  double twice = 0.0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    const int iv = body.joint.v_begin;
    if (body.joint.type == JointType::kPlanar) {
      twice +=
          body.mass * v.segment<2>(iv).squaredNorm() + planar_moment(body) * v[iv + 2] * v[iv + 2];
    } else if (body.joint.type == JointType::kFree) {
      const Vec3 w_P = (X_WB[i].R * to_matrix(body.q_BP)).transpose() * v.segment<3>(iv + 3);
      twice += body.mass * v.segment<3>(iv).squaredNorm() + w_P.dot(body.moments.cwiseProduct(w_P));
    }
  }
  return 0.5 * twice;
}

double calc_potential_energy(const Model& model, const std::vector<Pose>& X_WB) {
  double energy = 0.0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (model.bodies[i].is_mobile()) {
      energy -= model.bodies[i].mass * model.gravity.dot(X_WB[i].p);
    }
  }
  return energy;
}

}  // namespace tenpin::dynamics
