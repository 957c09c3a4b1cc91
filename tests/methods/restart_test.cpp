// Equal states advance equally: a method that takes up a state which another one left goes on with
// the same bits, whatever it did before.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/rng.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

std::string heap(const std::string& friction, const std::string& method) {
  return "tenpin: 1\nname: heap\nmaterials: {m: {friction: " + friction +
         ", restitution: 0.3}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: box, material: m, mass: 1, position: [0, 0, 0.1],"
         " shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n"
         "  - {name: ball, material: m, mass: 1, position: [0.05, 0.02, 0.4], velocity: [0.1, 0, "
         "0], shapes: [{sphere: {radius: 0.1}}]}\n"
         "  - {name: slider, material: m, mass: 2, position: [0.5, 0, 0.1], velocity: [-1, 0.1, 0],"
         " shapes: [{box: {half: [0.1, 0.2, 0.1]}}]}\n"
         "  - {name: rod, joint: {hinge: {axis: [0, 1, 0], at: 0.4}}, material: m, mass: 1,"
         " inertia: 0.1, center_of_mass: [0.3, 0, 0], position: [-1, 0, 0.8]}\n"
         "method: {" +
         method + "}\n";
}

void expect_restart(const std::string& yaml) {
  SceneRun whole(yaml);
  SceneRun part(yaml);
  const RandomStream random(7, 0);
  double t = 0.0;
  for (int k = 0; k < 12; ++k) {
    t += 0.02 + 0.06 * random.uniform(static_cast<std::uint64_t>(k));
    ASSERT_EQ(whole.method->advance(t, 1000.0, &whole.built.state, &whole),
              AdvanceStatus::kReachedEnd)
        << whole.last.message;
    part.method = make_method(part.built.model, part.scene.method, 1);
    ASSERT_EQ(part.method->advance(t, 1000.0, &part.built.state, &part),
              AdvanceStatus::kReachedEnd);
    ASSERT_EQ(whole.built.state.t, part.built.state.t);
    ASSERT_EQ(whole.built.state.step, part.built.state.step);
    ASSERT_EQ(whole.built.state.q, part.built.state.q) << yaml << " at t = " << t;
    ASSERT_EQ(whole.built.state.v, part.built.state.v);
    ASSERT_EQ(whole.built.state.memory, part.built.state.memory);
  }
}

TEST(Restart, TimeSteppingGoesOnWithTheSameBits) {
  for (const std::string options :
       {"order: 1", "order: 2", "order: 1, solver: lemke", "order: 2, solver: lemke",
        "formulation: velocity", "formulation: nonlinear", "order: 1, sleeping: true",
        "order: 2, sleeping: true", "contact: {compliance: 0.03}", "restitution: poisson"}) {
    expect_restart(heap("0.4", "time-stepping: {" + options + "}"));
  }
}

TEST(Restart, AnalyticGoesOnWithTheSameBits) {
  for (const std::string options :
       {"integrator: dormand-prince", "integrator: runge-kutta", "integrator: adams"}) {
    expect_restart(heap("0.4", "analytic: {" + options + "}"));
  }
}

}  // namespace
}  // namespace tenpin::methods
