#include "dynamics/mass_matrix.h"

#include "dynamics/joint_forces.h"
#include "math/rotation.h"

namespace tenpin::dynamics {

namespace {

constexpr double kIndependent = 1e-10;  // -   part of a loop row that is independent of the others

// The moment of inertia of a planar body about the normal of its plane.
double planar_moment(const Body& body) {
  const Vec3 axis = body.joint.X_MB.R.transpose().col(2);  // the plane's normal, in the body
  return axis.dot(body.inertia * axis);
}

}  // namespace

void MechanismInverse::update(const Model& model, const Mechanism& mechanism,
                              const std::vector<Pose>& X_WB, ConstVecRef q, ConstVecRef diagonal) {
  trees_.update(model, mechanism, X_WB, diagonal);
  loops_.update(model, mechanism, X_WB, q);
  if (mechanism.loops.empty()) return;
  L_.resize(mechanism.nv, loops_.size());
  VecX row(mechanism.nv);
  for (int i = 0; i < loops_.size(); ++i) {
    row = loops_.jacobian().row(i);
    trees_.solve(row.data(), L_.col(i).data());
  }
  // Redundant rows agree only as well as the lengths of links do. If now this one, now that one
  // were left out, accelerations would jump by the difference, which no integrator could follow.
  factor_.factor(loops_.jacobian() * L_, kIndependent, PivotedCholesky::Next::kFirst);
}

void MechanismInverse::solve(const double* f, double* out) const {
  trees_.solve(f, out);
  if (loops_.size() == 0) return;
  Eigen::Map<VecX> v(out, L_.rows());
  lambda_.noalias() = loops_.jacobian() * v;
  factor_.solve(lambda_);
  v.noalias() -= L_ * lambda_;
}

double MechanismInverse::calc_closing_work(const double* f, ConstVecRef rates) const {
  VecX v(L_.rows());
  trees_.solve(f, v.data());
  lambda_ = rates + loops_.jacobian() * v;
  factor_.solve(lambda_);
  return -0.5 * lambda_.dot(rates);
}

void MechanismInverse::close_rates(ConstVecRef rates, VecRef v) const {
  lambda_ = rates;
  factor_.solve(lambda_);
  v.noalias() -= L_ * lambda_;
}

void MassMatrix::assign_blocks(const Model& model) {
  constexpr int kVelocitiesInSpace = 6;
  blocks_.resize(model.mechanisms.size());
  int num_inverses = 0;
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    const Mechanism& mechanism = model.mechanisms[m];
    const bool is_planar = mechanism.nv < kVelocitiesInSpace;
    blocks_[m].kind = is_planar ? Kind::kPlanar : Kind::kInSpace;
    if (mechanism.is_loose) continue;
    blocks_[m].kind = Kind::kArticulated;
    blocks_[m].inverse = num_inverses++;
  }
  inverses_.resize(num_inverses);
}

void MassMatrix::update(const Model& model, const std::vector<Pose>& X_WB, ConstVecRef q,
                        ConstVecRef diagonal) {
  assign_blocks(model);
  split(workers_, model.num_mechanisms(), [&](int begin, int end) {
    for (int m = begin; m < end; ++m) update(model, m, X_WB, q, diagonal);
  });
}

void MassMatrix::update(const Model& model, int m, const std::vector<Pose>& X_WB, ConstVecRef q,
                        ConstVecRef diagonal) {
  const Mechanism& mechanism = model.mechanisms[m];
  Block& block = blocks_[m];
  if (block.kind == Kind::kArticulated) {
    inverses_[block.inverse].update(model, mechanism, X_WB, q, diagonal);
    return;
  }
  const int i = mechanism.bodies.front();
  const Body& body = model.bodies[i];
  block.inverse_mass = 1.0 / body.mass;
  if (block.kind == Kind::kPlanar) {
    block.inertia(2, 2) = planar_moment(body);
    block.inverse_inertia(2, 2) = 1.0 / block.inertia(2, 2);
    return;
  }
  const bool is_sphere = body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
  const Mat3 R_WP = is_sphere ? Mat3::Identity() : Mat3(X_WB[i].R * to_matrix(body.q_BP));
  block.inertia = R_WP * body.moments.asDiagonal() * R_WP.transpose();
  block.inverse_inertia = R_WP * body.moments.cwiseInverse().asDiagonal() * R_WP.transpose();
}

void MassMatrix::solve_block(int mechanism, const double* f, double* out) const {
  using Map3 = Eigen::Map<const Vec3>;
  const Block& block = blocks_[mechanism];
  switch (block.kind) {
    case Kind::kInSpace:
      Eigen::Map<Vec3>(out).noalias() = block.inverse_mass * Map3(f);
      Eigen::Map<Vec3>(out + 3).noalias() = block.inverse_inertia * Map3(f + 3);
      return;
    case Kind::kPlanar:
      out[0] = block.inverse_mass * f[0];
      out[1] = block.inverse_mass * f[1];
      out[2] = block.inverse_inertia(2, 2) * f[2];
      return;
    case Kind::kArticulated:
      inverses_[block.inverse].solve(f, out);
      return;
  }
}

void MassMatrix::solve(const Model& model, ConstVecRef f, VecRef out) const {
  split(workers_, model.num_mechanisms(), [&](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      const int iv = model.mechanisms[m].v_begin;
      solve_block(m, f.data() + iv, out.data() + iv);
    }
  });
}

void MassMatrix::multiply_loose(const Model& model, ConstVecRef v, VecRef out) const {
  out.setZero();
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    const Block& block = blocks_[m];
    if (block.kind == Kind::kArticulated) continue;
    const double mass = model.bodies[model.mechanisms[m].bodies.front()].mass;
    const int iv = model.mechanisms[m].v_begin;
    if (block.kind == Kind::kPlanar) {
      out.segment<2>(iv) = mass * v.segment<2>(iv);
      out[iv + 2] = block.inertia(2, 2) * v[iv + 2];
    } else {
      out.segment<3>(iv) = mass * v.segment<3>(iv);
      out.segment<3>(iv + 3) = block.inertia * v.segment<3>(iv + 3);
    }
  }
}

namespace {

double calc_twice_kinetic_energy(const Body& body, const Pose& X_WB, const Twist& V_WB,
                                 const double* v) {
  const double* const own = v + body.joint.v_begin;
  double twice = 0.0;
  if (body.joint.type == JointType::kPlanar && body.joint.parent == kWorld) {
    twice = body.mass * Eigen::Map<const Vec2>(own).squaredNorm() +
            planar_moment(body) * own[2] * own[2];
  } else {
    const Vec3 w_P = body.q_BP.conjugate() * Vec3(X_WB.R.transpose() * V_WB.w);
    twice = body.mass * V_WB.v.squaredNorm() + w_P.dot(body.moments.cwiseProduct(w_P));
  }
  const double armature = body.joint.forces.armature;
  if (armature == 0.0) return twice;
  return twice +
         armature * Eigen::Map<const VecX>(own, num_velocities(body.joint.type)).squaredNorm();
}

}  // namespace

double calc_kinetic_energy(const Model& model, const std::vector<Pose>& X_WB,
                           const std::vector<Twist>& V_WB, ConstVecRef v, const Workers* workers) {
  return 0.5 * sum(workers, model.num_bodies(), 0.0, [&](int i) {
           const Body& body = model.bodies[i];
           return body.is_mobile() ? calc_twice_kinetic_energy(body, X_WB[i], V_WB[i], v.data())
                                   : 0.0;
         });
}

double calc_potential_energy(const Model& model, const std::vector<Pose>& X_WB, ConstVecRef q,
                             const Workers* workers) {
  const double energy = sum(workers, model.num_bodies(), 0.0, [&](int i) {
    return model.bodies[i].is_mobile() ? -model.bodies[i].mass * model.gravity.dot(X_WB[i].p) : 0.0;
  });
  return energy + calc_spring_energy(model, q);
}

}  // namespace tenpin::dynamics
