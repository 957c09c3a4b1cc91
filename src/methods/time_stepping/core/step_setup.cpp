#include "methods/time_stepping/core/step_setup.h"

#include <algorithm>
#include <cmath>

#include "dynamics/prescribed.h"
#include "shapes/bounds.h"

namespace tenpin::methods::time_stepping {

namespace {

double calc_radius(const dynamics::Model& model, const dynamics::Body& body) {
  double radius = 0.0;
  for (int i = body.parts_begin; body.is_mobile() && i < body.parts_end; ++i) {
    const shapes::PlacedShape& part = model.parts[i].placed;
    const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
    radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
  }
  return radius > 0.0 ? radius : calc_gyration_radius(body);
}

bool is_pushed_by_scene(const dynamics::Body& body) {
  return !body.applied.is_zero() || !body.pushed.isZero(0.0) || !body.twisted.isZero(0.0);
}

bool hangs_from_motion(const dynamics::Model& model, const dynamics::Mechanism& mechanism) {
  return is_driven(model, mechanism) ||
         std::any_of(mechanism.bases.begin(), mechanism.bases.end(), [&](int base) {
           return !stands_still(model, base);
         });
}

}  // namespace

StepSetup::StepSetup(const dynamics::Model& of_model,
                     const scene::TimeSteppingOptions& with_options, const Workers& by_workers)
    : model(&of_model),
      options(with_options),
      workers(&by_workers),
      by_cone(options.solver == scene::TimeSteppingOptions::Solver::kCone),
      cone(by_cone ? contact::FrictionCone::round()
                   : contact::FrictionCone(*options.directions, options.direction_phase)),
      none(of_model.mechanisms.size()),
      zero(VecX::Zero(of_model.nv)),
      rest(of_model.bodies.size()) {
  for (const dynamics::Body& body : model->bodies) radius.push_back(calc_radius(*model, body));
  for (const dynamics::Mechanism& m : model->mechanisms) {
    articulated.push_back(!m.is_loose);
    has_loops = has_loops || !m.loops.empty();
  }
  model_changed();
}

double StepSetup::calc_weight(const dynamics::Mechanism& mechanism) const {
  double weight = 0.0;
  for (const int i : mechanism.bodies) weight += model->bodies[i].mass * radius[i];
  return weight * gravity();
}

void StepSetup::model_changed() {
  const auto any_body = [this](const auto& has) {
    return std::any_of(model->bodies.begin(), model->bodies.end(), has);
  };
  is_pushed = any_body(is_pushed_by_scene);
  resists = any_body([](const dynamics::Body& body) {
    return body.applied.resists();
  });
  driven.clear();
  for (int i = 0; i < num_bodies(); ++i) {
    if (!model->bodies[i].is_mobile() && !stands_still(*model, i)) driven.push_back(i);
  }
  limited_motors.clear();
  for (const int i : model->jointed) {
    if (!std::isinf(model->bodies[i].joint.forces.motor.limit)) limited_motors.push_back(i);
  }
  is_driven =
      std::any_of(model->mechanisms.begin(), model->mechanisms.end(), [this](const auto& m) {
        return hangs_from_motion(*model, m);
      });
  has_viscous = has_rolling = bounces = false;
  const bool has_law = *options.restitution != scene::TimeSteppingOptions::Restitution::kNone;
  for (const dynamics::Surface& surface : model->surfaces) {
    has_viscous = has_viscous || surface.viscous > 0.0;
    has_rolling = has_rolling || surface.rolling > 0.0;
    bounces = bounces || (has_law && surface.restitution > 0.0);
  }
}

}  // namespace tenpin::methods::time_stepping
