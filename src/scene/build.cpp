#include "scene/build.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/check.h"
#include "dynamics/breaks.h"
#include "math/frame.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "scene/assemble.h"
#include "scene/make_limit.h"
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
    case JointKind::kHinge:
      return JointType::kHinge;
    case JointKind::kSlider:
      return JointType::kSlider;
    case JointKind::kBall:
      return JointType::kBall;
  }
  return JointType::kFixed;
}

// Places a planar joint. The plane goes through the body; x and y are measured from the parent's
// origin. The angle is that between the body's x axis and the plane's x axis (or the body's y axis,
// if its x axis is not in the plane), so that a rod along its own x axis has the visible angle.
// X_PB is in the parent's frame at its origin.
Vec3 place_planar(const Body& body, const Pose& X_PB, dynamics::Joint* joint) {
  const Vec3 e1 = body.planar.x;
  const Vec3 e2 = body.planar.y;
  const Vec3 e3 = e1.cross(e2);
  joint->X_PJ.R << e1, e2, e3;
  joint->X_PJ.p = e3 * e3.dot(X_PB.p);
  const Mat3 R_JB = joint->X_PJ.R.transpose() * X_PB.R;
  const bool x_in_plane = R_JB.block<2, 1>(0, 0).norm() > 0.5;
  const int axis = x_in_plane ? 0 : 1;
  const double angle = arc_tangent(R_JB(1, axis), R_JB(0, axis));
  const auto [s, c] = sin_cos(angle);
  Mat3 turn;
  turn << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  joint->X_MB = {.R = turn.transpose() * R_JB, .p = Vec3::Zero()};
  return {e1.dot(X_PB.p), e2.dot(X_PB.p), angle};
}

// Sets the joint frames of a body whose origin is at X_PO in the parent's frame P when the joint is
// at zero.
void place_joint(const Body& body, const Pose& X_PO, dynamics::Joint* joint) {
  const Pose X_OB{.R = Mat3::Identity(), .p = body.center};
  switch (joint->type) {
    case JointType::kHinge:
    case JointType::kSlider: {
      const Vec3 at = joint->type == JointType::kHinge ? body.properties.anchor : body.center;
      const Pose X_OJ{.R = frame_along(body.properties.axis), .p = at};
      joint->X_PJ = X_PO * X_OJ;
      joint->X_MB = X_OJ.inverse() * X_OB;
      break;
    }
    case JointType::kBall: {  // J has the parent's axes, so coordinates are relative to the parent
      joint->X_PJ = {.R = Mat3::Identity(), .p = X_PO * body.properties.anchor};
      joint->X_MB = joint->X_PJ.inverse() * X_PO * X_OB;
      break;
    }
    default:
      joint->X_PJ = X_PO * X_OB;
  }
}

dynamics::JointForces make_joint_forces(const JointProperties& p) {
  const Motor& m = p.motor;
  return {.lower = p.lower,
          .upper = p.upper,
          .stiffness = p.stiffness,
          .rest = p.rest,
          .damping = p.damping,
          .friction = p.friction,
          .armature = p.armature,
          .motor = {.kind = static_cast<dynamics::Motor::Kind>(m.kind),
                    .target = m.target,
                    .amplitude = m.amplitude,
                    .frequency = m.frequency,
                    .stiffness = m.stiffness,
                    .damping = m.damping,
                    .limit = m.limit,
                    .curve = dynamics::TimeCurve(m.table),
                    .begin = m.during.begin,
                    .end = m.during.end}};
}

bool has_properties(JointKind kind) {
  return kind == JointKind::kHinge || kind == JointKind::kSlider || kind == JointKind::kBall;
}

dynamics::AppliedForce sum_forces(const std::vector<Force>& forces) {
  dynamics::AppliedForce sum;
  for (const Force& f : forces) {
    if (f.is_timed()) {
      sum.timed.push_back({.terms = {.force = f.force,
                                     .torque = f.torque,
                                     .viscous = f.viscous,
                                     .viscous_spin = f.viscous_spin,
                                     .drag = f.drag},
                           .force = dynamics::TimeCurve(f.force_table),
                           .torque = dynamics::TimeCurve(f.torque_table),
                           .begin = f.during.begin,
                           .end = f.during.end});
      continue;
    }
    sum.force += f.force;
    sum.torque += f.torque;
    sum.viscous += f.viscous;
    sum.viscous_spin += f.viscous_spin;
    sum.drag += f.drag;
  }
  return sum;
}

dynamics::PrescribedMotion make_motion(const PrescribedMotion& motion, const Vec3& pivot) {
  using dynamics::TimeCurve;
  return {.velocity = motion.velocity,
          .angular_velocity = motion.angular_velocity,
          .pivot = pivot,
          .amplitude = motion.amplitude,
          .frequency = motion.frequency,
          .displacement = motion.velocity_table.empty()
                              ? TimeCurve(motion.position_table)
                              : TimeCurve(motion.velocity_table).integral(),
          .axis = motion.axis,
          .angle = motion.rate_table.empty() ? TimeCurve(motion.angle_table)
                                             : TimeCurve(motion.rate_table).integral()};
}

// The pose of the body's origin in its parent's frame at the centre of mass, or in the world.
Pose calc_origin(const Scene& scene, const Body& body) {
  const Vec3 shift = body.parent == kWorld ? Vec3(Vec3::Zero()) : scene.bodies[body.parent].center;
  return {.R = to_matrix(body.orientation), .p = body.position - shift};
}

// Makes a body, without its coordinates.
dynamics::Body make_body(const Scene& scene, const Body& body) {
  dynamics::Body result;
  result.name = body.name;
  result.joint.type = joint_type(body.joint);
  result.joint.parent = body.parent;
  const Pose X_PO = calc_origin(scene, body);
  place_joint(body, X_PO, &result.joint);
  if (has_properties(body.joint)) result.joint.forces = make_joint_forces(body.properties);
  result.touches_parent = body.touches_parent;
  result.p_BO = -body.center;
  result.material = body.material;
  result.applied = sum_forces(body.forces);
  result.motion = make_motion(body.motion, X_PO.p);
  if (body.mass > 0.0) {
    result.mass = body.mass;
    result.inertia = body.inertia;
    const shapes::PrincipalAxes principal = shapes::principal_axes(body.inertia);
    result.q_BP = to_quaternion(principal.R);
    result.moments = principal.moments;
  }
  return result;
}

void set_coordinates(const Scene& scene, const Body& body, dynamics::Body* b,
                     dynamics::State* state) {
  const int iq = b->joint.q_begin;
  const int iv = b->joint.v_begin;
  const Mat3 R = to_matrix(body.orientation);
  const Vec3 center = body.position + R * body.center;
  const Vec3 velocity = body.velocity + body.angular_velocity.cross(R * body.center);
  switch (b->joint.type) {
    case JointType::kFree:
      state->q.segment<3>(iq) = center;
      state->q.segment<4>(iq + 3) << body.orientation.w(), body.orientation.x(),
          body.orientation.y(), body.orientation.z();
      state->v.segment<3>(iv) = velocity;
      state->v.segment<3>(iv + 3) = body.angular_velocity;
      break;
    case JointType::kPlanar: {
      state->q.segment<3>(iq) = place_planar(body, {.R = R, .p = center}, &b->joint);
      const Mat3& R_PJ = b->joint.X_PJ.R;
      state->v.segment<3>(iv) << R_PJ.col(0).dot(velocity), R_PJ.col(1).dot(velocity),
          R_PJ.col(2).dot(body.angular_velocity);
      if (body.parent != kWorld) b->joint.X_PJ.p -= scene.bodies[body.parent].center;
      break;
    }
    case JointType::kHinge:
    case JointType::kSlider:
      state->q[iq] = body.properties.at;
      state->v[iv] = body.properties.rate;
      break;
    case JointType::kBall: {
      const Quat& at = body.properties.ball_at;
      state->q.segment<4>(iq) << at.w(), at.x(), at.y(), at.z();
      state->v.segment<3>(iv) = b->joint.X_MB.R * body.properties.ball_rate;
      break;
    }
    case JointType::kFixed:
    case JointType::kPrescribed:
      break;
  }
}

dynamics::Material make_material(const Material& m) {
  const Friction& f = m.friction;
  return {.name = m.name,
          .mu_along = f.along,
          .mu_across = f.across,
          .axis = f.axis,
          .torsion = f.torsion,
          .rolling = f.rolling,
          .mu_static = std::max(f.stat, f.along),
          .stribeck_speed = f.stribeck_speed,
          .viscous = f.viscous,
          .restitution = m.restitution,
          .stiffness = m.stiffness,
          .has_limit = f.limit.has_value()};
}

// N/m   Stiffness of two springs in series; a rigid one, written as 0, adds no compliance.
double mix_stiffness(double a, double b) {
  return a > 0.0 && b > 0.0 ? a * b / (a + b) : std::max(a, b);
}

// Combines two materials: geometric mean of the coefficients; the larger restitution, patch and
// viscosity.
dynamics::Surface mix(const dynamics::Material& a, const dynamics::Material& b) {
  const double along = std::sqrt(a.mu_along * b.mu_along);
  return {.mu_along = along,
          .mu_across = std::sqrt(a.mu_across * b.mu_across),
          .torsion = std::max(a.torsion, b.torsion),
          .rolling = std::max(a.rolling, b.rolling),
          .mu_static = std::max(along, std::sqrt(a.mu_static * b.mu_static)),
          .stribeck_speed = std::max(a.stribeck_speed, b.stribeck_speed),
          .viscous = std::max(a.viscous, b.viscous),
          .restitution = std::max(a.restitution, b.restitution),
          .stiffness = mix_stiffness(a.stiffness, b.stiffness)};
}

// Sets limit surfaces in the frame of a contact, in which friction acts on body b and the normal
// points from a to b. A scene describes the friction on the body of the material in the
// right-handed frame (push, along, across), where the contact pushes that body along `push`. For b
// this is the frame of the contact. For a, push and across have the opposite sign, and so do forces
// and moments.
void set_limits(const Scene& scene, dynamics::Model* model) {
  const Vec3 on_a(-1.0, 1.0, 1.0);
  const std::size_t n = scene.materials.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::optional<FrictionLimit>& limit = scene.materials[i].friction.limit;
    if (!limit) continue;
    std::string problem;
    const dynamics::LimitSurface surface = make_limit_surface(*limit, &problem);
    TENPIN_REQUIRE(problem.empty(),
                   "materials." + scene.materials[i].name + ".friction.limit: " + problem);
    const int first = static_cast<int>(model->limits.size());
    model->limits.push_back(reflect(surface, on_a));
    model->limits.push_back(surface);
    dynamics::Material& material = model->materials[i];
    material.mu_along = material.mu_across = material.mu_static = surface.mu;
    for (std::size_t j = 0; j < n; ++j) {
      const bool clash = scene.materials[j].friction.limit.has_value();
      for (const bool is_a : {true, false}) {
        dynamics::Surface& s = model->surfaces[is_a ? i * n + j : j * n + i];
        s.mu_along = s.mu_across = s.mu_static = surface.mu;
        s.limit = is_a ? first : first + 1;
        s.limits_clash = clash;
      }
    }
  }
}

void set_surfaces(const Scene& scene, dynamics::Model* model) {
  for (const Material& m : scene.materials) model->materials.push_back(make_material(m));
  const int n = static_cast<int>(model->materials.size());
  model->surfaces.resize(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      // The surface of a material with itself uses its numbers unchanged: sqrt(x x) may round.
      dynamics::Surface s = mix(model->materials[i], model->materials[j]);
      if (i == j) {
        s.mu_along = model->materials[i].mu_along;
        s.mu_across = model->materials[i].mu_across;
        s.mu_static = model->materials[i].mu_static;
      }
      model->surfaces[i * n + j] = s;
    }
  }
  set_limits(scene, model);
  for (const MaterialPair& pair : scene.pairs) {
    for (const auto& [i, j] :
         {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      dynamics::Surface& s = model->surfaces[i * n + j];
      s.mu_along = s.mu_across = s.mu_static = pair.friction;
      s.limit = -1;
      s.limits_clash = false;
      s.restitution = pair.restitution;
    }
  }
}

void append_parts(const Body& body, int index, dynamics::Model* model) {
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    const PartOptions options = i < body.part_options.size() ? body.part_options[i] : PartOptions{};
    shapes::PlacedShape placed = body.parts[i];
    placed.X_BS.p -= body.center;
    model->parts.push_back({.body = index,
                            .placed = placed,
                            .material = options.material >= 0 ? options.material : body.material,
                            .layer = options.layer,
                            .touches = options.touches,
                            .surface_velocity = options.surface_velocity});
  }
}

void set_touch_rules(const Scene& scene, dynamics::Model* model) {
  const auto sort = [](std::vector<std::pair<int, int>>* pairs) {
    for (auto& [a, b] : *pairs) {
      if (a > b) std::swap(a, b);
    }
    std::sort(pairs->begin(), pairs->end());
  };
  for (const BodyPair& p : scene.never_touch) model->never_touch.emplace_back(p.body_a, p.body_b);
  for (const PartPair& p : scene.always_touch) {
    model->always_touch.emplace_back(model->bodies[p.body_a].parts_begin + p.part_a,
                                     model->bodies[p.body_b].parts_begin + p.part_b);
  }
  sort(&model->never_touch);
  sort(&model->always_touch);
}

}  // namespace

Built build(const Scene& scene) {
  Built built;
  dynamics::Model& model = built.model;
  model.gravity = scene.gravity;
  set_surfaces(scene, &model);
  for (const Body& body : scene.bodies) {
    dynamics::Body b = make_body(scene, body);
    b.parts_begin = static_cast<int>(model.parts.size());
    append_parts(body, model.num_bodies(), &model);
    b.parts_end = static_cast<int>(model.parts.size());
    model.bodies.push_back(std::move(b));
  }
  for (const Loop& loop : scene.loops) model.loops.push_back(make_loop(scene, loop));
  assign_coordinates(&model);
  set_touch_rules(scene, &model);
  built.state.q.setZero(model.nq);
  built.state.v.setZero(model.nv);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    set_coordinates(scene, scene.bodies[i], &model.bodies[i], &built.state);
  }
  assign_coordinates(&model);  // repeated, because planes depend on the axes of planar joints
  model.events = scene.events;
  model.has_breaks = !find_breaks(model).empty();
  built.loops = assemble(scene, &model, &built.state);
  return built;
}

}  // namespace tenpin::scene
