#include "methods/impulse/impulse.h"

#include <string>

#include "base/check.h"
#include "base/float_environment.h"
#include "methods/impulse/simulator.h"

namespace tenpin::methods::impulse {

namespace {

bool resists(const dynamics::AppliedForce& force) {
  return force.viscous > 0.0 || force.viscous_spin > 0.0 || force.drag > 0.0 ||
         force.torque.squaredNorm() > 0.0;
}

// What the method cannot do, by name; empty when it can do all. Resistance bends the flight of
// loose bodies, mechanisms integrate it.
std::string find_unsupported_body(const dynamics::Model& model) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[i];
    const dynamics::JointForces& joint = body.joint.forces;
    const bool is_loose = body.is_mobile() && model.mechanisms[body.mechanism].is_loose;
    if (is_loose && resists(body.applied)) {
      return "torques, viscous forces or drag on the loose body " + body.name;
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

// How long shapes stay apart is told by planes between them, which a hollow has not.
std::string find_unsupported_shape(const dynamics::Model& model) {
  for (const dynamics::Part& part : model.parts) {
    if (std::holds_alternative<shapes::Bowl>(part.placed.shape)) {
      return "the bowl of " + model.bodies[part.body].name;
    }
  }
  return "";
}

std::string find_unsupported_surface(const dynamics::Model& model) {
  for (const dynamics::Surface& surface : model.surfaces) {
    if (surface.mu_along != surface.mu_across) return "anisotropic friction";
    if (surface.torsion > 0.0) return "torsional friction";
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

class Impulse final : public Method {
 public:
  Impulse(const dynamics::Model& model, const scene::ImpulseOptions& options)
      : model_(&model), interval_(options.interval), simulator_(model, options) {}

  AdvanceStatus advance(double t_target, double t_limit, dynamics::State* state,
                        StepObserver* observer) override {
    while (state->t < t_limit && (state->t < t_target - slack() || t_target >= t_limit)) {
      const AdvanceStatus status = step(t_limit, state, observer);
      if (status != AdvanceStatus::kReachedEnd) return status;
    }
    return AdvanceStatus::kReachedEnd;
  }

  // Interval n ends at n times its length; a last, shorter one lands on t_limit.
  AdvanceStatus step(double t_limit, dynamics::State* state, StepObserver* observer) override {
    if (!(state->t < t_limit)) return AdvanceStatus::kReachedEnd;
    const FloatEnvironment environment;
    const double t_next = static_cast<double>(state->step + 1) * interval_;
    const double t_end = t_next > t_limit - slack() ? t_limit : t_next;
    const std::int64_t before = state->step;
    simulator_.advance(t_end, state, &report_, observer);
    if (report_.status == AdvanceStatus::kStopped) return AdvanceStatus::kStopped;
    if (t_end < t_next - slack()) state->step = before;  // a part of an interval does not count
    const bool go_on =
        observer == nullptr || observer->on_step(report_, simulator_.contacts(), *state);
    if (report_.status != AdvanceStatus::kReachedEnd) return report_.status;
    return go_on ? AdvanceStatus::kReachedEnd : AdvanceStatus::kStopped;
  }

  void model_changed() override {
    check(*model_);
    simulator_.model_changed();
  }

 private:
  double slack() const { return 1e-9 * interval_; }

  const dynamics::Model* model_;
  double interval_;  // s
  Simulator simulator_;
  StepReport report_;
};

}  // namespace

std::unique_ptr<Method> make(const dynamics::Model& model, const scene::MethodOptions& options,
                             int /*threads*/) {
  check(model);
  return std::make_unique<Impulse>(model, options.impulse);
}

}  // namespace tenpin::methods::impulse
