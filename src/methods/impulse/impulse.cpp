#include "methods/impulse/impulse.h"

#include <string>

#include "base/check.h"
#include "methods/fixed_step.h"
#include "methods/impulse/shared_interval.h"

namespace tenpin::methods::impulse {

namespace {

// Names the feature that the method does not support; empty if it supports all.
std::string find_unsupported_body(const dynamics::Model& model) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[i];
    const dynamics::JointForces& joint = body.joint.forces;
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
