#include "scene/build.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "math/trig.h"
#include "shapes/mass_properties.h"

namespace tenpin::scene {

namespace {

using dynamics::JointType;

JointType joint_type(JointKind kind) {
  switch (kind) {
    case JointKind::kFree:
      return JointType::kFree;
    case JointKind::kPlanar:
      return JointType::kPlanar;
    case JointKind::kFixed:
      return JointType::kFixed;
    case JointKind::kPrescribed:
      return JointType::kPrescribed;
  }
  return JointType::kFixed;
}

// The plane goes through the body; x and y are measured from the world's origin. The angle is that
// of the body's x axis from the plane's (of its y axis, if x sticks out of the plane), so that a
// rod along its own x axis has the angle that one sees.
void place_planar(const Body& body, const Pose& X_WB, dynamics::Joint* joint, VecX* q) {
  const Vec3 e1 = body.planar.x;
  const Vec3 e2 = body.planar.y;
  const Vec3 e3 = e1.cross(e2);
  joint->X_WJ.R << e1, e2, e3;
  joint->X_WJ.p = e3 * e3.dot(X_WB.p);
  const Mat3 R_JB = joint->X_WJ.R.transpose() * X_WB.R;
  const bool x_in_plane = R_JB.block<2, 1>(0, 0).norm() > 0.5;
  const int axis = x_in_plane ? 0 : 1;
  const double angle = arc_tangent(R_JB(1, axis), R_JB(0, axis));
  const auto [s, c] = sin_cos(angle);
  Mat3 turn;
  turn << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  joint->X_JB.R = turn.transpose() * R_JB;
  q->segment<3>(joint->q_begin) << e1.dot(X_WB.p), e2.dot(X_WB.p), angle;
}

dynamics::AppliedForce sum_forces(const std::vector<Force>& forces) {
  dynamics::AppliedForce sum;
  for (const Force& f : forces) {
    sum.force += f.force;
    sum.torque += f.torque;
    sum.viscous += f.viscous;
    sum.viscous_spin += f.viscous_spin;
    sum.drag += f.drag;
  }
  return sum;
}

// Everything about a body but its coordinates.
dynamics::Body make_body(const Body& body, const Pose& X_WB) {
  dynamics::Body result;
  result.name = body.name;
  result.joint.type = joint_type(body.joint);
  result.joint.X_WJ = X_WB;
  result.p_BO = -body.center;
  result.material = body.material;
  result.applied = sum_forces(body.forces);
  result.motion = {.velocity = body.motion.velocity,
                   .angular_velocity = body.motion.angular_velocity,
                   .pivot = body.position,
                   .amplitude = body.motion.amplitude,
                   .frequency = body.motion.frequency};
  if (result.is_mobile()) {
    result.mass = body.mass;
    result.inertia = body.inertia;
    const shapes::PrincipalAxes principal = shapes::principal_axes(body.inertia);
    result.q_BP = to_quaternion(principal.R);
    result.moments = principal.moments;
  }
  return result;
}

void set_coordinates(const Body& body, const Pose& X_WB, dynamics::Body* b,
                     dynamics::State* state) {
  const int iv = b->joint.v_begin;
  const Vec3 velocity = body.velocity + body.angular_velocity.cross(X_WB.R * body.center);
  if (b->joint.type == JointType::kFree) {
    state->q.segment<3>(b->joint.q_begin) = X_WB.p;
    state->q.segment<4>(b->joint.q_begin + 3) << body.orientation.w(), body.orientation.x(),
        body.orientation.y(), body.orientation.z();
    state->v.segment<3>(iv) = velocity;
    state->v.segment<3>(iv + 3) = body.angular_velocity;
  } else if (b->joint.type == JointType::kPlanar) {
    place_planar(body, X_WB, &b->joint, &state->q);
    const Mat3& R_WJ = b->joint.X_WJ.R;
    state->v.segment<3>(iv) << R_WJ.col(0).dot(velocity), R_WJ.col(1).dot(velocity),
        R_WJ.col(2).dot(body.angular_velocity);
  }
}

dynamics::Material make_material(const Material& m) {
  const Friction& f = m.friction;
  return {.name = m.name,
          .mu_along = f.along,
          .mu_across = f.across,
          .axis = f.axis,
          .torsion = f.torsion,
          .mu_static = std::max(f.stat, f.along),
          .stribeck_speed = f.stribeck_speed,
          .viscous = f.viscous,
          .restitution = m.restitution};
}

// Two surfaces meet: coefficients by geometric mean, the larger restitution, patch and viscosity.
dynamics::Surface mix(const dynamics::Material& a, const dynamics::Material& b) {
  const double along = std::sqrt(a.mu_along * b.mu_along);
  return {.mu_along = along,
          .mu_across = std::sqrt(a.mu_across * b.mu_across),
          .torsion = std::max(a.torsion, b.torsion),
          .mu_static = std::max(along, std::sqrt(a.mu_static * b.mu_static)),
          .stribeck_speed = std::max(a.stribeck_speed, b.stribeck_speed),
          .viscous = std::max(a.viscous, b.viscous),
          .restitution = std::max(a.restitution, b.restitution)};
}

void set_surfaces(const Scene& scene, dynamics::Model* model) {
  for (const Material& m : scene.materials) model->materials.push_back(make_material(m));
  const int n = static_cast<int>(model->materials.size());
  model->surfaces.resize(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      // A material on itself keeps its numbers exactly: sqrt(x x) may round.
      dynamics::Surface s = mix(model->materials[i], model->materials[j]);
      if (i == j) {
        s.mu_along = model->materials[i].mu_along;
        s.mu_across = model->materials[i].mu_across;
        s.mu_static = model->materials[i].mu_static;
      }
      model->surfaces[i * n + j] = s;
    }
  }
  for (const MaterialPair& pair : scene.pairs) {
    for (const auto& [i, j] :
         {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      dynamics::Surface& s = model->surfaces[i * n + j];
      s.mu_along = s.mu_across = s.mu_static = pair.friction;
      s.restitution = pair.restitution;
    }
  }
}

}  // namespace

Built build(const Scene& scene) {
  Built built;
  dynamics::Model& model = built.model;
  model.gravity = scene.gravity;
  set_surfaces(scene, &model);
  for (const Body& body : scene.bodies) {
    const Mat3 R = to_matrix(body.orientation);
    const Pose X_WB{.R = R, .p = body.position + R * body.center};
    dynamics::Body b = make_body(body, X_WB);
    b.joint.q_begin = model.nq;
    b.joint.v_begin = model.nv;
    model.nq += num_positions(b.joint.type);
    model.nv += num_velocities(b.joint.type);
    b.parts_begin = static_cast<int>(model.parts.size());
    for (const shapes::PlacedShape& part : body.parts) {
      shapes::PlacedShape placed = part;
      placed.X_BS.p -= body.center;
      model.parts.push_back({.body = model.num_bodies(), .placed = placed});
    }
    b.parts_end = static_cast<int>(model.parts.size());
    model.bodies.push_back(std::move(b));
  }
  built.state.q.setZero(model.nq);
  built.state.v.setZero(model.nv);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const Pose X_WB{.R = to_matrix(body.orientation),
                    .p = body.position + to_matrix(body.orientation) * body.center};
    set_coordinates(body, X_WB, &model.bodies[i], &built.state);
  }
  return built;
}

}  // namespace tenpin::scene
