// What a caller may change while a simulation runs. The values are written into the simulation's
// own model, where every method reads them as if they were in the scene file.
#include "simulation/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dynamics/prescribed.h"

namespace tenpin {

namespace {

using dynamics::JointType;

// Starts a motion at time t from the body's current pose, so that the pose does not jump.
void begin_motion(dynamics::Body body, double t, const PrescribedMotion& motion,
                  BodyControls* controls) {
  dynamics::begin_motion(
      t, {.velocity = motion.velocity, .angular_velocity = motion.angular_velocity}, &body);
  controls->motion = body.motion;
  controls->X_PJ = body.joint.X_PJ;
}

}  // namespace

// Writes the forces of the scene, of set_body_force() and, for loose bodies, of set_joint_force().
void Simulation::Impl::write_body(int index) {
  const BodyControls& c = controls.bodies[index];
  dynamics::Body& body = model.bodies[index];
  dynamics::Joint& joint = body.joint;
  body.applied = scene_forces[index];
  if (!c.force.isZero(0.0)) body.applied.force += c.force;
  if (!c.torque.isZero(0.0)) body.applied.torque += c.torque;
  joint.forces.motor.target = c.motor_target;
  joint.forces.motor.curve = c.motor_curve;
  if (joint.type == JointType::kPrescribed) {
    body.motion = c.motion;
    joint.X_PJ = c.X_PJ;
  }
  const int nv = num_velocities(joint.type);
  if (nv == 0) return;
  const Eigen::Map<const VecX> push(controls.joint_forces.data() + joint.v_begin, nv);
  const bool is_loose = body.is_mobile() && model.mechanisms[body.mechanism].is_loose;
  if (joint.type == JointType::kFree && !push.isZero(0.0)) {
    body.applied.force += push.head<3>();
    body.applied.torque += push.tail<3>();
  } else if (joint.type == JointType::kPlanar && is_loose && !push.isZero(0.0)) {
    const Mat3& R_WJ = joint.X_PJ.R;
    body.applied.force += R_WJ.col(0) * push[0] + R_WJ.col(1) * push[1];
    body.applied.torque += R_WJ.col(2) * push[2];
  } else if (joint.type != JointType::kFree && !(joint.type == JointType::kPlanar && is_loose)) {
    joint.forces.applied.setZero();
    joint.forces.applied.head(nv) = push;
  }
}

void Simulation::Impl::write_controls() {
  model.gravity = controls.gravity;
  model.surfaces = controls.surfaces;
  for (int k = 0; k < model.num_bodies(); ++k) write_body(k);
}

void Simulation::Impl::write_joint_forces(const std::vector<double>& old) {
  for (int k = 0; k < model.num_bodies(); ++k) {
    const dynamics::Joint& joint = model.bodies[k].joint;
    const int nv = num_velocities(joint.type);
    if (nv == 0) continue;
    const auto begin = controls.joint_forces.begin() + joint.v_begin;
    if (!std::equal(begin, begin + nv, old.begin() + joint.v_begin)) write_body(k);
  }
}

void Simulation::Impl::use(Controls its_controls) {
  keep_records();
  controls = calc_controls();
  std::swap(controls, its_controls);
  write_controls();
  try {
    method->model_changed();
  } catch (const InputError&) {
    std::swap(controls, its_controls);
    write_controls();
    method->model_changed();
    throw;
  }
  kinematics.is_current = false;
}

void Simulation::Impl::use_joint_forces() {
  if (joint_forces == controls.joint_forces) return;
  keep_records();
  if (!model.events.empty()) controls = calc_controls();
  const std::vector<double> old = controls.joint_forces;
  try {
    check_numbers("joint force", joint_forces.data(), static_cast<Eigen::Index>(model.nv),
                  kLargestForce);
    controls.joint_forces = joint_forces;
    write_joint_forces(old);
    method->model_changed();
  } catch (const InputError&) {
    std::copy(old.begin(), old.end(), joint_forces.begin());  // the buffer must keep its address
    const std::vector<double> refused = std::exchange(controls.joint_forces, old);
    write_joint_forces(refused);
    method->model_changed();
    throw;
  }
}

void Simulation::set_body_force(BodyId body, const Vec3& force, const Vec3& torque) {
  Impl& i = *impl_;
  const int index = i.check(body);
  check_vector("force", force, kLargestForce);
  check_vector("torque", torque, kLargestForce);
  TENPIN_REQUIRE(i.model.bodies[index].is_mobile(),
                 fmt::format("force: on {}, which no force moves", name(body)));
  Controls changed = i.calc_controls();
  changed.bodies[index].force = force;
  changed.bodies[index].torque = torque;
  i.use(std::move(changed));
}

void Simulation::set_joint_force(JointId joint, const VecX& force) {
  const JointLayout of = layout(joint);
  TENPIN_REQUIRE(of.nv > 0, fmt::format("joint: {} is {}, want one that moves",
                                        name(BodyId{joint.body}), to_string(of.kind)));
  check_size("force", force.size(), of.nv);
  check_numbers("force", force.data(), force.size(), kLargestForce);
  std::copy(force.begin(), force.end(), impl_->joint_forces.begin() + of.v_begin);
}

void Simulation::set_joint_force(JointId joint, double force) {
  set_joint_force(joint, VecX(VecX::Constant(1, force)));
}

std::span<double> Simulation::joint_forces() {
  return impl_->joint_forces;
}

void Simulation::set_motor_target(JointId joint, double target) {
  Impl& i = *impl_;
  const int index = i.check(joint);
  check_numbers("target", &target, 1, kLargestForce);
  TENPIN_REQUIRE(i.model.bodies[index].joint.forces.motor.kind != dynamics::Motor::Kind::kNone,
                 fmt::format("joint: {} has no motor", name(BodyId{index})));
  Controls changed = i.calc_controls();
  changed.bodies[index].motor_target = target;
  changed.bodies[index].motor_curve = {};
  i.use(std::move(changed));
}

void Simulation::set_motion(BodyId body, const PrescribedMotion& motion) {
  Impl& i = *impl_;
  const int index = i.check(body);
  check_vector("velocity", motion.velocity, kLargestVelocity);
  check_vector("angular velocity", motion.angular_velocity, kLargestVelocity);
  const dynamics::Body& of = i.model.bodies[index];
  TENPIN_REQUIRE(of.joint.type == JointType::kPrescribed,
                 fmt::format("body: {} has no prescribed motion; give it `motion: {{}}` in the "
                             "scene, want a body that has",
                             of.name));
  const bool is_same = of.motion.velocity == motion.velocity &&
                       of.motion.angular_velocity == motion.angular_velocity &&
                       of.motion.amplitude.isZero(0.0) && of.motion.displacement.empty() &&
                       of.motion.angle.empty();
  if (is_same) return;
  Controls changed = i.calc_controls();
  begin_motion(of, i.state.t, motion, &changed.bodies[index]);
  i.use(std::move(changed));
}

void Simulation::set_gravity(const Vec3& gravity) {
  check_vector("gravity", gravity, kLargestVelocity);
  Controls changed = impl_->calc_controls();
  changed.gravity = gravity;
  impl_->use(std::move(changed));
}

const Vec3& Simulation::gravity() const {
  return impl_->controls.gravity;
}

void Simulation::set_material_pair(const std::string& a, const std::string& b, double friction,
                                   double restitution) {
  Impl& i = *impl_;
  constexpr double kLargestFriction = 1000.0;  // -   the same limit as in scene files
  check_numbers("friction", &friction, 1, kLargestFriction);
  check_numbers("restitution", &restitution, 1, 1.0);
  TENPIN_REQUIRE(friction >= 0.0, fmt::format("friction: got {}, want 0 to 1000", friction));
  TENPIN_REQUIRE(restitution >= 0.0, fmt::format("restitution: got {}, want 0 to 1", restitution));
  const auto find = [&](const std::string& name) {
    for (std::size_t k = 0; k < i.model.materials.size(); ++k) {
      if (i.model.materials[k].name == name) return k;
    }
    throw InputError(fmt::format("material: got '{}', want one of the scene's", name));
  };
  const std::size_t first = find(a);
  const std::size_t second = find(b);
  const std::size_t n = i.model.materials.size();
  Controls changed = i.calc_controls();
  for (const auto& [k, l] : {std::pair(first, second), std::pair(second, first)}) {
    dynamics::Surface& s = changed.surfaces[k * n + l];
    s.mu_along = s.mu_across = s.mu_static = friction;
    s.limit = -1;
    s.limits_clash = false;
    s.restitution = restitution;
  }
  i.use(std::move(changed));
}

}  // namespace tenpin
