#include "methods/impulse/joint_stops.h"

#include <algorithm>

#include "contact/joint_contacts.h"
#include "methods/impulse/mobility.h"
#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

using contact::Contact;
using dynamics::Body;
using dynamics::JointType;

JointStops::JointStops(FlyingBodies* bodies) : bodies_(bodies) {
  const dynamics::Model& model = *bodies->model;
  for (int i = 0; i < model.num_bodies(); ++i) {
    begins_.push_back(size());
    const dynamics::JointForces& f = model.bodies[i].joint.forces;
    const double lever = calc_lever(i);
    if (f.lower != -dynamics::kNoLimit) stops_.push_back({i, false, lever});
    if (f.upper != dynamics::kNoLimit) stops_.push_back({i, true, lever});
  }
  begins_.push_back(size());
}

double JointStops::calc_lever(int i) const {
  const dynamics::Model& model = *bodies_->model;
  const Body& body = model.bodies[i];
  if (body.joint.type == JointType::kSlider) return 1.0;
  const Vec3 origin = body.joint.X_MB.inverse().p;  // of the joint, in the body
  double farthest = origin.norm();
  for (int k = body.parts_begin; k < body.parts_end; ++k) {
    const shapes::PlacedShape& part = model.parts[k].placed;
    const Vec3 center = part.X_BS.inverse() * origin;
    farthest = std::max(farthest, shapes::calc_bounding_radius(part.shape, center));
  }
  return farthest > 0.0 ? farthest : 1.0;
}

Contact JointStops::calc_contact(int stop) const {
  return contact::make_joint_limit(*bodies_->model, stops_[stop].body, stops_[stop].upper,
                                   bodies_->q);
}

double JointStops::calc_velocity(const Contact& contact, int stop) const {
  const dynamics::Joint& joint = bodies_->model->bodies[contact.body_b].joint;
  const int count = std::min(3, num_velocities(joint.type));
  return lever(stop) * contact.direction.head(count).dot(bodies_->v.segment(joint.v_begin, count));
}

double JointStops::calc_unsteadiness(int stop) const {
  const int i = stops_[stop].body;
  const auto of = [this, stop](int body) {
    const collide::BallisticMotion m = calc_motion(*bodies_, body);
    return m.unsteadiness + lever(stop) * m.spin_rate_bound;
  };
  const int parent = bodies_->model->bodies[i].joint.parent;
  return of(i) + (parent == dynamics::kWorld ? 0.0 : of(parent));
}

double JointStops::update(const Contact& contact, int stop) {
  const dynamics::Model& model = *bodies_->model;
  const Body& body = model.bodies[contact.body_b];
  const dynamics::Mechanism& mechanism = model.mechanisms[body.mechanism];
  const int count = std::min(3, num_velocities(body.joint.type));
  J_.setZero(mechanism.nv);
  J_.segment(body.joint.v_begin - mechanism.v_begin, count) =
      lever(stop) * contact.direction.head(count);
  L_.resize(mechanism.nv);
  zero_.setZero(model.nv);
  inverse_.update(model, mechanism, bodies_->X_WB, bodies_->q, zero_);
  inverse_.solve(J_.data(), L_.data());
  return J_.dot(L_);
}

void JointStops::apply(int stop, double impulse) {
  const dynamics::Model& model = *bodies_->model;
  add_velocities(model.mechanisms[model.bodies[body(stop)].mechanism], impulse * L_, bodies_);
}

}  // namespace tenpin::methods::impulse
