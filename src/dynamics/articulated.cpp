#include "dynamics/articulated.h"

#include "math/rotation.h"

namespace tenpin::dynamics {

namespace {

// The parent's twist, taken at the child's centre of mass at distance r: v + w x r.
Vec6 shift_twist(const Vec6& V, const Vec3& r) {
  Vec6 shifted = V;
  shifted.head<3>() += V.tail<3>().cross(r);
  return shifted;
}

// Shifts a wrench on the child to the parent.
Vec6 shift_wrench(const Vec6& F, const Vec3& r) {
  Vec6 shifted = F;
  shifted.tail<3>() += r.cross(F.head<3>());
  return shifted;
}

// X' I X with X = [1, -r x; 0, 1].
Mat6 shift_inertia(const Mat6& I, const Vec3& r) {
  const Mat3 K = skew(r);
  Mat6 IX = I;
  IX.rightCols<3>() -= I.leftCols<3>() * K;
  Mat6 result = IX;
  result.bottomRows<3>() += K * IX.topRows<3>();
  return result;
}

Mat6 own_inertia(const Body& body, const Pose& X_WB) {
  Mat6 I = Mat6::Zero();
  I.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
  I.bottomRightCorner<3, 3>() = calc_world_inertia(body, X_WB);
  return I;
}

}  // namespace

Mat3 calc_world_inertia(const Body& body, const Pose& X_WB) {
  const bool is_sphere = body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
  const Mat3 R_WP = is_sphere ? Mat3::Identity() : Mat3(X_WB.R * to_matrix(body.q_BP));
  return R_WP * body.moments.asDiagonal() * R_WP.transpose();
}

void add_generalized_forces(const Model& model, const Mechanism& mechanism,
                            const std::vector<Pose>& X_WB, std::vector<Wrench>* wrenches,
                            VecRef f) {
  for (std::size_t k = mechanism.bodies.size(); k-- > 0;) {
    const int i = mechanism.bodies[k];
    const Body& body = model.bodies[i];
    const Wrench& F = (*wrenches)[i];
    const int nv = num_velocities(body.joint.type);
    if (nv > 0) {
      const Subspace S = calc_subspace(body, parent_pose(body, X_WB), X_WB[i]);
      f.segment(body.joint.v_begin, nv) +=
          S.topRows<3>().transpose() * F.force + S.bottomRows<3>().transpose() * F.torque;
    }
    const int parent = body.joint.parent;
    if (parent == kWorld || !model.bodies[parent].is_mobile()) continue;
    Wrench& F_P = (*wrenches)[parent];
    F_P.force += F.force;
    F_P.torque += F.torque + (X_WB[i].p - X_WB[parent].p).cross(F.force);
  }
}

void add_inverse_dynamics(const Model& model, const Mechanism& mechanism,
                          const InverseDynamics& motion, ConstVecRef v_dot,
                          std::vector<Wrench>* scratch, VecRef f) {
  scratch->resize(model.bodies.size());
  for (const int i : mechanism.bodies) {
    const Body& body = model.bodies[i];
    const Mat3 I = calc_world_inertia(body, motion.X_WB[i]);
    const Vec3& w = motion.V_WB[i].w;
    (*scratch)[i] = {.force = body.mass * motion.A_WB[i].v,
                     .torque = I * motion.A_WB[i].w + w.cross(I * w)};
    const int nv = num_velocities(body.joint.type);
    f.segment(body.joint.v_begin, nv) +=
        body.joint.forces.armature * v_dot.segment(body.joint.v_begin, nv);
  }
  add_generalized_forces(model, mechanism, motion.X_WB, scratch, f);
}

void calc_mass_matrix(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
                      MatRef M) {
  M.setZero();
  std::vector<Mat6> composite(model.bodies.size());
  for (const int i : mechanism.bodies) composite[i] = own_inertia(model.bodies[i], X_WB[i]);
  for (std::size_t k = mechanism.bodies.size(); k-- > 0;) {
    const int i = mechanism.bodies[k];
    const Body& body = model.bodies[i];
    const int parent = body.joint.parent;
    const int nv = num_velocities(body.joint.type);
    const int row = body.joint.v_begin - mechanism.v_begin;
    const Subspace S = calc_subspace(body, parent_pose(body, X_WB), X_WB[i]);
    Subspace F = composite[i] * S;  // force that accelerates the whole subtree along S
    M.block(row, row, nv, nv) = S.transpose() * F;
    M.block(row, row, nv, nv).diagonal().array() += body.joint.forces.armature;
    for (int j = i; nv > 0;) {
      const int up = model.bodies[j].joint.parent;
      if (up == kWorld || !model.bodies[up].is_mobile()) break;
      for (int c = 0; c < nv; ++c) F.col(c) = shift_wrench(F.col(c), X_WB[j].p - X_WB[up].p);
      const Body& ancestor = model.bodies[up];
      const int n = num_velocities(ancestor.joint.type);
      const int column = ancestor.joint.v_begin - mechanism.v_begin;
      const Subspace S_up = calc_subspace(ancestor, parent_pose(ancestor, X_WB), X_WB[up]);
      M.block(column, row, n, nv) = S_up.transpose() * F;
      M.block(row, column, nv, n) = M.block(column, row, n, nv).transpose();
      j = up;
    }
    if (parent != kWorld && model.bodies[parent].is_mobile()) {
      composite[parent] += shift_inertia(composite[i], X_WB[i].p - X_WB[parent].p);
    }
  }
}

void ArticulatedInertia::update(const Model& model, const Mechanism& mechanism,
                                const std::vector<Pose>& X_WB, ConstVecRef diagonal) {
  const std::size_t n = mechanism.bodies.size();
  links_.resize(n);
  inertia_.resize(n);
  sweep_.resize(n);
  place_.resize(model.bodies.size());
  for (std::size_t k = 0; k < n; ++k) {
    const int i = mechanism.bodies[k];
    const Body& body = model.bodies[i];
    const int parent = body.joint.parent;
    place_[i] = static_cast<int>(k);
    const bool on_base = parent == kWorld || !model.bodies[parent].is_mobile();
    links_[k].parent = on_base ? -1 : place_[parent];
    links_[k].v = body.joint.v_begin - mechanism.v_begin;
    links_[k].r = X_WB[i].p - parent_pose(body, X_WB).p;
    links_[k].S = calc_subspace(body, parent_pose(body, X_WB), X_WB[i]);
    inertia_[k] = own_inertia(body, X_WB[i]);
  }
  for (std::size_t k = n; k-- > 0;) {
    Link& link = links_[k];
    const Joint& joint = model.bodies[mechanism.bodies[k]].joint;
    Mat6 I = inertia_[k];
    link.U = I * link.S;
    const auto nv = link.S.cols();
    if (nv > 0) {
      SmallMatrix D = link.S.transpose() * link.U;
      D.diagonal() += diagonal.segment(joint.v_begin, nv);
      D.diagonal().array() += joint.forces.armature;
      link.D_inverse = nv == 1 ? SmallMatrix(D.cwiseInverse()) : invert_spd(D);
      I -= link.U * link.D_inverse * link.U.transpose();
    }
    if (link.parent >= 0) inertia_[link.parent] += shift_inertia(I, link.r);
  }
}

void ArticulatedInertia::solve(const double* f, double* out) const {
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
  for (Sweep& s : sweep_) s.wrench.setZero();
  for (std::size_t k = links_.size(); k-- > 0;) {
    const Link& link = links_[k];
    const auto nv = link.S.cols();
    Vec6 wrench = sweep_[k].wrench;
    if (nv > 0) {
      // The part of the force that this joint must balance, stored in `out` until the outward pass.
      const Small u = Eigen::Map<const VecX>(f + link.v, nv) - link.S.transpose() * wrench;
      Eigen::Map<VecX>(out + link.v, nv) = u;
      wrench += link.U * (link.D_inverse * u);
    }
    if (link.parent >= 0) sweep_[link.parent].wrench += shift_wrench(wrench, link.r);
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Link& link = links_[k];
    const auto nv = link.S.cols();
    Vec6 a = link.parent >= 0 ? shift_twist(sweep_[link.parent].acceleration, link.r)
                              : Vec6(Vec6::Zero());
    if (nv > 0) {
      Eigen::Map<VecX> own(out + link.v, nv);
      const Small rate = link.D_inverse * (own - link.U.transpose() * a);
      own = rate;
      a += link.S * rate;
    }
    sweep_[k].acceleration = a;
  }
}

bool ArticulatedInertia::is_regular(int k) const {
  const SmallMatrix& D_inverse = links_[k].D_inverse;
  return links_[k].S.cols() == 0 ||
         (D_inverse.allFinite() && D_inverse.diagonal().minCoeff() > 0.0 &&
          D_inverse.diagonal().maxCoeff() < 1e15);
}

Mat6 ArticulatedInertia::calc_mobility(int body) const {
  // The response of the root's joint is known. From there outwards, each joint transmits its
  // parent's response, reduced by its own freedom, and adds its own:  Phi_i = (1 - S D^-1 U')X
  // Phi_p X'(1 - U D^-1 S') + S D^-1 S'
  std::vector<int> path;
  for (int k = place_[body]; k >= 0; k = links_[k].parent) path.push_back(k);
  Mat6 mobility = Mat6::Zero();
  for (std::size_t n = path.size(); n-- > 0;) {
    const Link& link = links_[path[n]];
    Mat6 X = Mat6::Identity();
    X.topRightCorner<3, 3>() = -skew(link.r);
    if (link.S.cols() == 0) {
      mobility = X * mobility * X.transpose();
      continue;
    }
    const Mat6 give = Mat6::Identity() - link.S * link.D_inverse * link.U.transpose();
    const Mat6 pass = give * X;
    mobility = pass * mobility * pass.transpose() + link.S * link.D_inverse * link.S.transpose();
  }
  return mobility;
}

}  // namespace tenpin::dynamics
