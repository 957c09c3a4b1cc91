#include "methods/impulse/impulse.h"

#include <string>

#include "base/check.h"
#include "methods/fixed_step.h"
#include "methods/impulse/shared_interval.h"

namespace tenpin::methods::impulse {

namespace {

bool resists(const dynamics::AppliedForce& force) {
  const auto turns = [](const dynamics::TimedForce& f) {
    return f.terms.torque.squaredNorm() > 0.0 || !f.torque.empty();
  };
  return force.resists() || force.torque.squaredNorm() > 0.0 ||
         std::any_of(force.timed.begin(), force.timed.end(), turns);
}

// Flights are parabolas, so a force must be constant between two stops of the method.
bool bends(const dynamics::AppliedForce& force) {
  return std::any_of(force.timed.begin(), force.timed.end(), [](const dynamics::TimedForce& f) {
    return !f.force.is_stepwise();
  });
}

// Names the feature that the method does not support; empty if it supports all. Resistance bends
// the flight of loose bodies; mechanisms integrate it.
std::string find_unsupported_body(const dynamics::Model& model) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[i];
    const dynamics::JointForces& joint = body.joint.forces;
    const bool is_loose = body.is_mobile() && model.mechanisms[body.mechanism].is_loose;
    if (is_loose && resists(body.applied)) {
      return "torques, viscous forces or drag on the loose body " + body.name;
    }
    const auto twists = [i](const dynamics::Setting& s) {
      return s.kind == dynamics::Setting::Kind::kForce && s.body == i && !s.rotation.isZero(0.0);
    };
    for (const dynamics::Event& event : model.events) {
      if (is_loose && std::any_of(event.settings.begin(), event.settings.end(), twists)) {
        return "the torque that event " + event.name + " sets on the loose body " + body.name;
      }
    }
    if (is_loose && bends(body.applied)) {
      return "a linear or cubic table of a force on the loose body " + body.name;
    }
    if (joint.friction > 0.0) return "dry friction in the joint of " + body.name;
    const bool is_told = !body.is_mobile() && !stands_still(model, i);
    if (is_told && body.joint.parent != dynamics::kWorld &&
        !stands_still(model, body.joint.parent)) {
      return "a prescribed motion on another one, of " + body.name;
    }
    if (is_told && body.joint.type != dynamics::JointType::kPrescribed) {
      return "a body fixed to a prescribed motion, " + body.name;
    }
  }
  return "";
}

// Separating planes bound how long shapes stay apart; a hollow shape has none.
std::string find_unsupported_shape(const dynamics::Model& model) {
  for (const dynamics::Part& part : model.parts) {
    if (std::holds_alternative<shapes::Bowl>(part.placed.shape)) {
      return "the bowl of " + model.bodies[part.body].name;
    }
    if (std::holds_alternative<shapes::TriangleSurface>(part.placed.shape)) {
      return "the triangle surface of " + model.bodies[part.body].name;
    }
    if (!part.surface_velocity.isZero(0.0)) {
      return "the surface velocity of " + model.bodies[part.body].name;
    }
  }
  return "";
}

std::string find_unsupported_surface(const dynamics::Model& model) {
  for (const dynamics::Surface& surface : model.surfaces) {
    if (surface.limit >= 0) return "limit surfaces of friction";
    if (surface.mu_along != surface.mu_across) return "anisotropic friction";
    if (surface.torsion > 0.0) return "torsional friction";
    if (surface.rolling > 0.0) return "rolling friction";
    if (surface.viscous > 0.0) return "viscous friction";
    if (surface.stribeck_speed > 0.0) return "the Stribeck effect";
  }
  return "";
}

void check(const dynamics::Model& model) {
  std::string unsupported = find_unsupported_body(model);
  if (unsupported.empty()) unsupported = find_unsupported_shape(model);
  if (unsupported.empty()) unsupported = find_unsupported_surface(model);
  TENPIN_REQUIRE(unsupported.empty(),
                 "method: impulse cannot do " + unsupported + ", got impulse, want another method");
}

class Impulse final : public FixedStep {
 public:
  Impulse(const dynamics::Model& model, const scene::ImpulseOptions& options, int threads)
      : FixedStep(options.interval), model_(&model), simulator_(model, options, threads) {}

  void model_changed() override {
    check(*model_);
    simulator_.model_changed();
  }

 private:
  std::span<const contact::ContactRecord> take_step(const Span& span, dynamics::State* state,
                                                    StepReport* report,
                                                    StepObserver* observer) override {
    simulator_.advance(span.t_end, state, report, observer);
    return simulator_.contacts();
  }

  const dynamics::Model* model_;
  SharedInterval simulator_;
};

}  // namespace

std::unique_ptr<Method> make(const dynamics::Model& model, const scene::MethodOptions& options,
                             int threads) {
  check(model);
  return std::make_unique<Impulse>(model, std::get<scene::ImpulseOptions>(options), threads);
}

}  // namespace tenpin::methods::impulse
