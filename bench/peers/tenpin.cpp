// Tenpin as one engine among the others. The scene names the method, as everywhere.
#include <fmt/format.h>

#include <algorithm>

#include "dynamics/kinematics.h"
#include "engine.h"
#include "methods/method.h"
#include "methods/time_stepping/default_stepping.h"
#include "scene/build.h"

namespace tenpin::peers {

namespace {

std::string describe(const dynamics::Model& model, const scene::MethodOptions& method) {
  using Options = scene::TimeSteppingOptions;
  const auto* named = std::get_if<Options>(&method);
  if (named == nullptr) return std::string(name_of(method));
  const Options o = methods::time_stepping::choose_stepping(model, *named).options;
  const std::string contact =
      o.compliance > 0.0 ? fmt::format("contact compliance {:g}", o.compliance) : "rigid contacts";
  if (o.solver == Options::Solver::kLemke) {
    return fmt::format(
        "time-stepping of order {}, Lemke, {} directions, {}, certified to {:g} each step",
        *o.order, *o.directions, contact, *o.tolerance);
  }
  return fmt::format("time-stepping of order {}, round cone, {}, certified to {:g} each step",
                     *o.order, contact, *o.tolerance);
}

// Passes what a step certified on to the report.
struct WorstStep : methods::StepObserver {
  bool on_step(const methods::StepReport& report, std::span<const contact::ContactRecord>,
               const dynamics::State&) override {
    residual = std::max(residual, report.certificate.residual);
    contacts = std::max(contacts, report.num_contacts);
    message = report.message;
    return true;
  }

  double residual = 0.0;
  int contacts = 0;
  std::string message;
};

class Tenpin final : public Engine {
 public:
  explicit Tenpin(const PeerScene& scene)
      : model_(scene.built->model),
        state_(scene.built->state),
        h_(scene.h),
        options_(scene.scene->method),
        method_(methods::make_method(model_, options_, 1)) {}

  std::string version() const override { return "this tree"; }
  std::string settings() const override { return describe(model_, options_); }

  void step() override {
    ++steps_;
    const double t = static_cast<double>(steps_) * h_;
    const auto status = method_->advance(t, t, &state_, &worst_);
    if (status != methods::AdvanceStatus::kReachedEnd) {
      throw Failed(fmt::format("{} at {:g} s: {}", to_string(status), state_.t, worst_.message));
    }
  }

  void read(std::vector<BodyState>* bodies) const override {
    std::vector<Pose> X;
    std::vector<dynamics::Twist> V;
    update_poses(model_, state_.q, state_.t, &X);
    update_twists(model_, X, state_.v, state_.t, &V);
    bodies->clear();
    for (int i = 0; i < model_.num_bodies(); ++i) {
      if (!model_.bodies[i].is_mobile()) continue;
      bodies->push_back({.p = X[i].p, .v = V[i].v, .R = X[i].R, .w = V[i].w});
    }
  }

  std::map<std::string, double> remarks() const override {
    return {{"worst certified residual", worst_.residual}, {"most contacts", worst_.contacts}};
  }

 private:
  const dynamics::Model& model_;
  dynamics::State state_;
  double h_ = 0.0;
  long steps_ = 0;
  scene::MethodOptions options_;
  std::unique_ptr<methods::Method> method_;
  WorstStep worst_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const PeerScene& scene) {
  return std::make_unique<Tenpin>(scene);
}

}  // namespace tenpin::peers
