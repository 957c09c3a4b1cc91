// A scene written in the test, run with its method, every step looked at.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/kinematics.h"
#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::test {

struct SceneRun final : methods::StepObserver {
  using Watch = std::function<void(
      const methods::StepReport&, std::span<const contact::ContactRecord>, const dynamics::State&)>;

  explicit SceneRun(const std::string& yaml, int threads = 1)
      : scene(scene::parse_scene(yaml + "until: 1000\n", "test.yaml")), built(scene::build(scene)) {
    method = methods::make_method(built.model, scene.method, threads);
  }

  methods::AdvanceStatus run_until(double t) { return method->advance(t, t, &built.state, this); }

  bool on_step(const methods::StepReport& report, std::span<const contact::ContactRecord> contacts,
               const dynamics::State& state) override {
    last = report;
    worst_residual = std::max(worst_residual, report.certificate.residual);
    worst_penetration = std::max(worst_penetration, report.certificate.penetration);
    const double energy = std::fabs(report.ledger.kinetic) + std::fabs(report.ledger.potential);
    largest_energy = std::max(largest_energy, energy);
    worst_closure = std::max(worst_closure, std::fabs(report.ledger.closure));
    for (std::size_t k = 0; k < work.size(); ++k) work[k] += report.ledger.work[k];
    if (watch) watch(report, contacts, state);
    return true;
  }

  int body(const std::string& name) const {
    for (int i = 0; i < built.model.num_bodies(); ++i) {
      if (built.model.bodies[i].name == name) return i;
    }
    ADD_FAILURE() << "no body " << name;
    return 0;
  }
  Pose pose(const std::string& name) const {
    std::vector<Pose> X_WB;
    update_poses(built.model, built.state.q, built.state.t, &X_WB);
    return X_WB[body(name)];
  }
  Vec3 position(const std::string& name) const { return pose(name).p; }
  dynamics::Twist twist(const std::string& name) const {
    std::vector<Pose> X_WB;
    std::vector<dynamics::Twist> V_WB;
    update_poses(built.model, built.state.q, built.state.t, &X_WB);
    update_twists(built.model, X_WB, built.state.v, built.state.t, &V_WB);
    return V_WB[body(name)];
  }

  // The stages of every step add up to the change of energy.
  void expect_ledger_closes() const { EXPECT_LE(worst_closure, 1e-12 * largest_energy); }

  scene::Scene scene;
  scene::Built built;
  std::unique_ptr<methods::Method> method;
  Watch watch;
  methods::StepReport last;
  double worst_residual = 0.0;
  double worst_penetration = 0.0;
  double worst_closure = 0.0;
  double largest_energy = 0.0;
  std::array<double, contact::Ledger::kNumStages> work = {};
};

}  // namespace tenpin::test
