#include "methods/analytic/analytic.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "base/float_environment.h"
#include "methods/analytic/simulator.h"
#include "methods/used_surfaces.h"

namespace tenpin::methods::analytic {

namespace {

bool has_dry_joints(const dynamics::Model& model) {
  return std::any_of(model.bodies.begin(), model.bodies.end(), [](const dynamics::Body& body) {
    return body.joint.forces.friction > 0.0;
  });
}

// The law of friction of this surface that the method has no theory for, or "".
std::string find_unsupported(const dynamics::Surface& s) {
  if (s.limit >= 0) return "limit surfaces of friction";
  if (s.mu_along != s.mu_across) return "friction that depends on direction";
  if (s.torsion > 0.0) return "torsional friction";
  if (s.rolling > 0.0) return "rolling friction";
  if (s.viscous > 0.0) return "viscous friction";
  return s.mu_static != s.mu_along ? "static friction beyond the sliding one" : "";
}

// The feature of the model for which this method has no theory, or "".
std::string find_what_is_missing(const dynamics::Model& model,
                                 const scene::AnalyticOptions& options) {
  for (const dynamics::Body& body : model.bodies) {
    const dynamics::JointForces& f = body.joint.forces;
    const bool has_stops = f.lower > -dynamics::kNoLimit || f.upper < dynamics::kNoLimit;
    if (has_stops && body.joint.type == dynamics::JointType::kBall) {
      return "the limit of the ball joint of " + body.name;
    }
  }
  for (const dynamics::Part& part : model.parts) {
    if (std::holds_alternative<shapes::TriangleSurface>(part.placed.shape)) {
      return "triangle surfaces";
    }
    if (!part.surface_velocity.isZero(0.0)) return "surface velocities";
  }
  if (options.friction == scene::AnalyticOptions::Friction::kNone) return "";
  const bool by_programs = options.forces == scene::AnalyticOptions::Forces::kLp;
  if (by_programs && (has_rough_surfaces(model) || has_dry_joints(model))) {
    return "friction with forces: lp";
  }
  for (const dynamics::Surface& s : model.surfaces) {
    std::string unsupported = find_unsupported(s);
    if (!unsupported.empty()) return unsupported;
  }
  return "";
}

class Analytic final : public Method {
 public:
  Analytic(const dynamics::Model& model, const scene::AnalyticOptions& options)
      : model_(&model), options_(options), simulator_(model, options) {}

  // The method's own times are those of events and of the integrator's steps. Only t_limit bounds
  // them; t_target does not.
  AdvanceStatus advance(double t_target, double t_limit, dynamics::State* state,
                        StepObserver* observer) override {
    while (state->t < t_target && state->t < t_limit) {
      const AdvanceStatus status = step(t_limit, state, observer);
      if (status != AdvanceStatus::kReachedEnd) return status;
    }
    return AdvanceStatus::kReachedEnd;
  }

  // Advances to the next event, or by one step of the integrator if that is shorter.
  AdvanceStatus step(double t_limit, dynamics::State* state, StepObserver* observer) override {
    if (!(state->t < t_limit)) return AdvanceStatus::kReachedEnd;
    return follow(std::min(t_limit, state->t + options_.max_step), state, observer);
  }

  void model_changed() override {
    check(*model_, options_);
    simulator_.model_changed();
  }

  static void check(const dynamics::Model& model, const scene::AnalyticOptions& options) {
    const std::string missing = find_what_is_missing(model, options);
    TENPIN_REQUIRE(missing.empty(),
                   "method.analytic: cannot do " + missing + ", want another method");
  }

 private:
  AdvanceStatus follow(double t_end, dynamics::State* state, StepObserver* observer) {
    const FloatEnvironment environment;
    simulator_.step(t_end, state, &report_);
    const bool go_on =
        observer == nullptr || observer->on_step(report_, simulator_.contacts(), *state);
    if (report_.status != AdvanceStatus::kReachedEnd) return report_.status;
    return go_on ? AdvanceStatus::kReachedEnd : AdvanceStatus::kStopped;
  }

  const dynamics::Model* model_;
  scene::AnalyticOptions options_;
  Simulator simulator_;
  StepReport report_;
};

}  // namespace

std::unique_ptr<Method> make(const dynamics::Model& model, const scene::MethodOptions& options,
                             int /*threads*/) {
  const auto& own = std::get<scene::AnalyticOptions>(options);
  Analytic::check(model, own);
  return std::make_unique<Analytic>(model, own);
}

}  // namespace tenpin::methods::analytic
