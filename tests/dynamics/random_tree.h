// Mechanisms for tests: trees of random joints, and named ones.
#pragma once

#include "base/rng.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "math/rotation.h"

namespace tenpin::dynamics {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : stream_(seed, 0) {}
  double uniform(double lower, double upper) {
    return lower + (upper - lower) * stream_.uniform(next_++);
  }
  int below(int n) { return static_cast<int>(uniform(0.0, n)); }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Pose pose(double size) { return {.R = to_matrix(exp_map(vector(3.0))), .p = vector(size)}; }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

inline Body random_body(JointType type, int parent, Dice* dice) {
  Body body;
  body.joint.type = type;
  body.joint.parent = parent;
  body.joint.X_PJ = dice->pose(1.0);
  if (type != JointType::kFixed && type != JointType::kPrescribed) {
    body.joint.X_MB = dice->pose(0.5);
  }
  if (type == JointType::kPlanar) body.joint.X_MB.p.setZero();
  body.mass = dice->uniform(0.5, 2.0);
  const Vec3 a = Vec3(dice->uniform(0.2, 1.0), dice->uniform(0.2, 1.0), dice->uniform(0.2, 1.0));
  body.moments = body.mass / 5.0 * Vec3(a.y() + a.z(), a.z() + a.x(), a.x() + a.y());
  body.q_BP = exp_map(dice->vector(2.0));
  const Mat3 R = to_matrix(body.q_BP);
  body.inertia = R * body.moments.asDiagonal() * R.transpose();
  return body;
}

// A tree of n links with every kind of joint; on a free or a fixed base.
inline Model random_tree(int n, Dice* dice) {
  constexpr JointType kTypes[] = {JointType::kHinge, JointType::kHinge,  JointType::kSlider,
                                  JointType::kBall,  JointType::kPlanar, JointType::kFixed};
  Model model;
  model.gravity = dice->vector(10.0);
  for (int i = 0; i < n; ++i) {
    const bool is_free = i == 0 && dice->below(2) == 0;
    const JointType type = is_free  ? JointType::kFree
                           : i == 0 ? kTypes[dice->below(5)]
                                    : kTypes[dice->below(6)];
    model.bodies.push_back(random_body(type, i == 0 ? kWorld : dice->below(i), dice));
    if (type == JointType::kHinge) model.bodies.back().joint.forces.armature = 0.1;
  }
  assign_coordinates(&model);
  return model;
}

inline State random_state(const Model& model, Dice* dice) {
  State state;
  state.q.setZero(model.nq);
  state.v.setZero(model.nv);
  for (int i = 0; i < model.nv; ++i) state.v[i] = dice->uniform(-2.0, 2.0);
  for (const Body& body : model.bodies) {
    const int iq = body.joint.q_begin;
    const int nq = num_positions(body.joint.type);
    for (int k = 0; k < nq; ++k) state.q[iq + k] = dice->uniform(-2.0, 2.0);
    if (body.joint.type == JointType::kFree) state.q.segment<4>(iq + 3).normalize();
    if (body.joint.type == JointType::kBall) state.q.segment<4>(iq).normalize();
  }
  return state;
}

// Slender bars of length r and mass m, each hinged to the end of the one before, about y; angles
// from the x axis up, as M11 counts them.
inline Model bar_chain(int n, double m, double r) {
  Model model;
  model.gravity = {0.0, 0.0, -9.81};
  Mat3 axis;  // J's z along -y: a growing angle lifts the bar
  axis << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  for (int i = 0; i < n; ++i) {
    Body body;
    body.joint.type = JointType::kHinge;
    body.joint.parent = i - 1;
    body.joint.X_PJ = {.R = i == 0 ? axis : Mat3(Mat3::Identity()),
                       .p = i == 0 ? Vec3(Vec3::Zero()) : Vec3(0.5 * r, 0.0, 0.0)};
    body.joint.X_MB.p = {0.5 * r, 0.0, 0.0};
    body.mass = m;
    body.moments = Vec3(1e-9, m * r * r / 12.0, m * r * r / 12.0);
    body.inertia = body.moments.asDiagonal();
    model.bodies.push_back(body);
  }
  assign_coordinates(&model);
  return model;
}

}  // namespace tenpin::dynamics
