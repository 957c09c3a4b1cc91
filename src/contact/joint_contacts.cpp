#include "contact/joint_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.h"
#include "math/rotation.h"

namespace tenpin::contact {

using dynamics::Body;
using dynamics::JointType;

namespace {

// The keys of joints sort before those of parts, in the order of the bodies.
ContactKey joint_key(int num_bodies, int body, int k, ContactKind kind, bool upper) {
  return {.part_a = body - num_bodies,
          .part_b = k,
          .feature_a = static_cast<std::uint32_t>(kind),
          .feature_b = upper ? 1U : 0U};
}

Contact make_joint_contact(const dynamics::Model& model, int body, int k, ContactKind kind,
                           bool upper) {
  Contact c;
  c.key = joint_key(model.num_bodies(), body, k, kind, upper);
  c.kind = kind;
  c.body_a = c.body_b = body;
  c.is_planar = true;  // friction acts along one line
  return c;
}

void append_near(const Contact& contact, double speed, double h, std::vector<Contact>* contacts) {
  if (contact.gap <= kNearStop + h * std::fabs(speed)) contacts->push_back(contact);
}

}  // namespace

Contact make_joint_limit(const dynamics::Model& model, int body, bool upper, ConstVecRef q) {
  const dynamics::Joint& joint = model.bodies[body].joint;
  Contact c = make_joint_contact(model, body, 0, ContactKind::kJointLimit, upper);
  const int i = joint.q_begin;
  if (joint.type == JointType::kBall) {
    const Vec3 turn = log_map(Quat(q[i], q[i + 1], q[i + 2], q[i + 3]));
    const double angle = turn.norm();
    if (angle > 0.0)
      c.direction = -turn / angle;  // the rate of the angle is the angular velocity along it
    c.gap = joint.forces.upper - angle;
    return c;
  }
  c.direction.x() = upper ? -1.0 : 1.0;
  c.gap = upper ? joint.forces.upper - q[i] : q[i] - joint.forces.lower;
  return c;
}

void append_joint_limits(const dynamics::Model& model, ConstVecRef q, ConstVecRef v, double h,
                         std::vector<Contact>* contacts) {
  for (const int body : model.jointed) {
    const dynamics::Joint& joint = model.bodies[body].joint;
    const dynamics::JointForces& f = joint.forces;
    for (const bool upper : {false, true}) {
      if (std::isinf(upper ? f.upper : f.lower)) continue;
      const Contact c = make_joint_limit(model, body, upper, q);
      if (c.direction.isZero()) continue;
      const int count = std::min(3, num_velocities(joint.type));
      append_near(c, v.segment(joint.v_begin, count).norm(), h, contacts);
    }
  }
}

void append_joint_friction(const dynamics::Model& model, std::vector<Contact>* contacts) {
  for (const int body : model.jointed) {
    const dynamics::Joint& joint = model.bodies[body].joint;
    if (joint.forces.friction == 0.0) continue;
    for (int k = 0; k < num_velocities(joint.type); ++k) {
      Contact c = make_joint_contact(model, body, k, ContactKind::kJointFriction, false);
      c.direction = Vec3::Unit(k);
      c.mu = c.mu_across = c.mu_static = 1.0;
      contacts->push_back(c);
    }
  }
}

double calc_joint_friction(const dynamics::Model& model, const Contact& contact, double h) {
  return h * model.bodies[contact.body_b].joint.forces.friction;
}

}  // namespace tenpin::contact
