#include "dynamics/kinematics.h"

#include <atomic>

namespace tenpin::dynamics {

namespace {

Pose calc_pose(const Model& model, int i, ConstVecRef q, double t, const std::vector<Pose>& X_WB) {
  const Body& body = model.bodies[i];
  const Pose X_PB = calc_joint_pose(body, q, t);
  return body.joint.parent == kWorld ? X_PB : X_WB[body.joint.parent] * X_PB;
}

// True for free bodies, which most bodies are: their velocities are the coordinates themselves.
bool is_free(const Body& body) {
  return body.joint.type == JointType::kFree && body.joint.parent == kWorld;
}

Twist read_free_twist(const Body& body, ConstVecRef v) {
  return {.v = v.segment<3>(body.joint.v_begin), .w = v.segment<3>(body.joint.v_begin + 3)};
}

Twist calc_twist(const Model& model, int i, const std::vector<Pose>& X_WB, ConstVecRef v, double t,
                 const std::vector<Twist>& V_WB) {
  const Body& body = model.bodies[i];
  if (is_free(body)) return read_free_twist(body, v);
  const Pose& X_WP = parent_pose(body, X_WB);
  Twist own = calc_relative_motion(body, X_WP, X_WB[i], v, t).V;
  if (body.joint.parent == kWorld) return own;
  const Twist& parent = V_WB[body.joint.parent];
  return {.v = parent.at(X_WB[i].p - X_WP.p) + own.v, .w = parent.w + own.w};
}

// Acceleration in a moving frame: the sum of that of the frame at the point, Coriolis, and the
// relative one.
Twist calc_acceleration(const Model& model, int i, const Motion& motion,
                        const std::vector<Twist>& A_WB) {
  const Body& body = model.bodies[i];
  if (is_free(body)) return read_free_twist(body, motion.v_dot);
  const Pose& X_WB = motion.X_WB[i];
  const Pose& X_WP = parent_pose(body, motion.X_WB);
  const RelativeMotion own = calc_relative_motion(body, X_WP, X_WB, motion.v, motion.t);
  Twist A{.v = own.a, .w = own.alpha};
  const int nv = num_velocities(body.joint.type);
  if (nv > 0) {
    const Vec6 along_joint =
        calc_subspace(body, X_WP, X_WB) * motion.v_dot.segment(body.joint.v_begin, nv);
    A.v += along_joint.head<3>();
    A.w += along_joint.tail<3>();
  }
  if (body.joint.parent == kWorld) return A;
  const Twist& V_P = motion.V_WB[body.joint.parent];
  const Twist& A_P = A_WB[body.joint.parent];
  const Vec3 r = X_WB.p - X_WP.p;
  A.v += A_P.at(r) + V_P.w.cross(V_P.w.cross(r)) + 2.0 * V_P.w.cross(own.V.v);
  A.w += A_P.w + V_P.w.cross(own.V.w);
  return A;
}

// Calls update(i) for all bodies, parents before children. Usually few bodies have a parent.
template <typename Update>
void visit_outwards(const Model& model, const Workers* workers, const Update& update) {
  std::atomic<bool> any_hangs = false;
  split(workers, model.num_bodies(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (model.bodies[i].joint.parent == kWorld) {
        update(i);
      } else {
        any_hangs.store(true, std::memory_order_relaxed);
      }
    }
  });
  for (int i = 0; any_hangs && i < model.num_bodies(); ++i) {
    if (model.bodies[i].joint.parent != kWorld) update(i);
  }
}

}  // namespace

void update_poses(const Model& model, ConstVecRef q, double t, std::vector<Pose>* X_WB,
                  const Workers* workers) {
  X_WB->resize(model.bodies.size());
  visit_outwards(model, workers, [&](int i) {
    (*X_WB)[i] = calc_pose(model, i, q, t, *X_WB);
  });
}

void update_twists(const Model& model, const std::vector<Pose>& X_WB, ConstVecRef v, double t,
                   std::vector<Twist>* V_WB, const Workers* workers) {
  V_WB->resize(model.bodies.size());
  visit_outwards(model, workers, [&](int i) {
    (*V_WB)[i] = calc_twist(model, i, X_WB, v, t, *V_WB);
  });
}

void update_accelerations(const Model& model, const Motion& motion, std::vector<Twist>* A_WB,
                          const Workers* workers) {
  A_WB->resize(model.bodies.size());
  visit_outwards(model, workers, [&](int i) {
    (*A_WB)[i] = calc_acceleration(model, i, motion, *A_WB);
  });
}

void update_poses(const Model& model, const Mechanism& mechanism, ConstVecRef q, double t,
                  std::vector<Pose>* X_WB) {
  for (const int i : mechanism.bases) (*X_WB)[i] = calc_pose(model, i, q, t, *X_WB);
  for (const int i : mechanism.bodies) (*X_WB)[i] = calc_pose(model, i, q, t, *X_WB);
}

void update_twists(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
                   ConstVecRef v, double t, std::vector<Twist>* V_WB) {
  for (const int i : mechanism.bases) (*V_WB)[i] = calc_twist(model, i, X_WB, v, t, *V_WB);
  for (const int i : mechanism.bodies) (*V_WB)[i] = calc_twist(model, i, X_WB, v, t, *V_WB);
}

void update_accelerations(const Model& model, const Mechanism& mechanism, const Motion& motion,
                          std::vector<Twist>* A_WB) {
  for (const int i : mechanism.bases) (*A_WB)[i] = calc_acceleration(model, i, motion, *A_WB);
  for (const int i : mechanism.bodies) (*A_WB)[i] = calc_acceleration(model, i, motion, *A_WB);
}

void update_pose(const Model& model, int body, ConstVecRef q, double t, std::vector<Pose>* X_WB) {
  (*X_WB)[body] = calc_pose(model, body, q, t, *X_WB);
}

void update_twist(const Model& model, int body, const std::vector<Pose>& X_WB, ConstVecRef v,
                  double t, std::vector<Twist>* V_WB) {
  (*V_WB)[body] = calc_twist(model, body, X_WB, v, t, *V_WB);
}

void add_jacobian_row(const Model& model, const std::vector<Pose>& X_WB, int body,
                      const PointDirection& of, double* row) {
  if (body == kWorld || !model.bodies[body].is_mobile()) return;
  const int begin = model.mechanisms[model.bodies[body].mechanism].v_begin;
  for (int i = body; i != kWorld && model.bodies[i].is_mobile(); i = model.bodies[i].joint.parent) {
    const Body& b = model.bodies[i];
    const int nv = num_velocities(b.joint.type);
    if (nv == 0) continue;
    const Subspace S = calc_subspace(b, parent_pose(b, X_WB), X_WB[i]);
    const Vec3 torque = of.angular + (of.p_W - X_WB[i].p).cross(of.linear);
    for (int k = 0; k < nv; ++k) {
      row[b.joint.v_begin - begin + k] +=
          S.col(k).head<3>().dot(of.linear) + S.col(k).tail<3>().dot(torque);
    }
  }
}

void displace(const Model& model, ConstVecRef q, ConstVecRef dq, VecRef q_end) {
  for (const Body& body : model.bodies) {
    if (num_velocities(body.joint.type) > 0) displace(body.joint, q, dq, q_end);
  }
}

}  // namespace tenpin::dynamics
