#include "methods/event_watch.h"

#include <algorithm>
#include <limits>

#include "dynamics/prescribed.h"

namespace tenpin::methods {

using dynamics::Event;
using dynamics::Measure;
using dynamics::Setting;

void EventWatch::look_at(const dynamics::State& state) {
  state_ = &state;
  has_poses_ = false;
}

double EventWatch::calc_margin(const Event& event) {
  const double value = calc_measure(event.measure);
  return event.when == Event::When::kAbove ? value - event.bound : event.bound - value;
}

double EventWatch::calc_measure(const Measure& measure) {
  const int i = measure.body_a;
  switch (measure.kind) {
    case Measure::Kind::kTime:
      return state_->t;
    case Measure::Kind::kCoordinate:
      return state_->q[model_->bodies[i].joint.q_begin + measure.component];
    case Measure::Kind::kRate:
      return state_->v[model_->bodies[i].joint.v_begin + measure.component];
    default:
      break;
  }
  if (!has_poses_) {
    update_poses(*model_, state_->q, state_->t, &X_WB_);
    update_twists(*model_, X_WB_, state_->v, state_->t, &V_WB_);
    has_poses_ = true;
  }
  if (measure.kind == Measure::Kind::kDistance) return calc_distance(i, measure.body_b);
  const Vec3 arm = X_WB_[i].R * model_->bodies[i].p_BO;
  if (measure.kind == Measure::Kind::kPosition) return (X_WB_[i].p + arm)[measure.component];
  if (measure.kind == Measure::Kind::kVelocity) return V_WB_[i].at(arm)[measure.component];
  return V_WB_[i].w[measure.component];
}

double EventWatch::calc_distance(int body_a, int body_b) {
  double least = std::numeric_limits<double>::infinity();
  const dynamics::Body& a = model_->bodies[body_a];
  const dynamics::Body& b = model_->bodies[body_b];
  for (int k = a.parts_begin; k < a.parts_end; ++k) {
    for (int l = b.parts_begin; l < b.parts_end; ++l) {
      const shapes::PlacedShape& A = model_->parts[k].placed;
      const shapes::PlacedShape& B = model_->parts[l].placed;
      const Pose X_WA = X_WB_[body_a] * A.X_BS;
      const Pose X_WB = X_WB_[body_b] * B.X_BS;
      const collide::Distance d =
          narrow_phase_.calc_distance({.A = A.shape, .X_WA = X_WA, .B = B.shape, .X_WB = X_WB});
      least = std::min(least, d.gap);
    }
  }
  return least;
}

bool is_contact_made(const Event& event, std::span<const contact::ContactRecord> contacts) {
  return std::any_of(contacts.begin(), contacts.end(), [&](const contact::ContactRecord& c) {
    const bool is_pair = (c.body_a == event.body_a && c.body_b == event.body_b) ||
                         (c.body_a == event.body_b && c.body_b == event.body_a);
    return is_pair && c.key.part_a >= 0 && c.normal_impulse > 0.0;
  });
}

EventValues::EventValues(const dynamics::Model& model)
    : gravity_(model.gravity), surfaces_(model.surfaces) {
  for (const dynamics::Body& body : model.bodies) {
    bodies_.push_back({.target = body.joint.forces.motor.target,
                       .curve = body.joint.forces.motor.curve,
                       .motion = body.motion,
                       .X_PJ = body.joint.X_PJ});
  }
}

void EventValues::restore(dynamics::Model* model) const {
  model->gravity = gravity_;
  model->surfaces = surfaces_;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    dynamics::Body& body = model->bodies[k];
    body.joint.forces.motor.target = bodies_[k].target;
    body.joint.forces.motor.curve = bodies_[k].curve;
    body.motion = bodies_[k].motion;
    body.joint.X_PJ = bodies_[k].X_PJ;
  }
}

void apply_settings(const Event& event, double t, dynamics::Model* model) {
  for (const Setting& s : event.settings) {
    switch (s.kind) {
      case Setting::Kind::kGravity:
        model->gravity = s.vector;
        break;
      case Setting::Kind::kTarget: {
        dynamics::Motor& motor = model->bodies[s.body].joint.forces.motor;
        motor.target = s.target;
        motor.curve = {};
        break;
      }
      case Setting::Kind::kMotion:
        begin_motion(t, {.velocity = s.vector, .angular_velocity = s.rotation},
                     &model->bodies[s.body]);
        break;
      case Setting::Kind::kSurface:
        for (const auto& [a, b] :
             {std::pair(s.material_a, s.material_b), std::pair(s.material_b, s.material_a)}) {
          dynamics::Surface& surface = model->surfaces[a * model->materials.size() + b];
          surface.mu_along = surface.mu_across = surface.mu_static = s.friction;
          surface.limit = -1;
          surface.limits_clash = false;
          surface.restitution = s.restitution;
        }
        break;
      case Setting::Kind::kForce:
        break;  // see apply_releases
    }
  }
}

void apply_releases(std::span<const dynamics::FiredEvent> fired, dynamics::Model* model) {
  assign_loops(model);
  for (dynamics::Body& body : model->bodies) {
    body.joint.forces.motor.is_released = false;
    body.pushed.setZero();
    body.twisted.setZero();
  }
  for (const dynamics::FiredEvent& of : fired) {
    const Event& event = model->events[of.event];
    for (const int loop : event.released_loops) {
      for (dynamics::Mechanism& m : model->mechanisms) std::erase(m.loops, loop);
    }
    for (const int body : event.released_motors) {
      model->bodies[body].joint.forces.motor.is_released = true;
    }
    for (const Setting& s : event.settings) {
      if (s.kind != Setting::Kind::kForce) continue;
      model->bodies[s.body].pushed = s.vector;
      model->bodies[s.body].twisted = s.rotation;
    }
  }
}

}  // namespace tenpin::methods
