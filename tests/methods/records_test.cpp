// Compares the contact records with the motion of the bodies.
#include <gtest/gtest.h>

#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::ContactRecord;
using test::SceneRun;

// Momentum changes by weight and by the impulses in the records, slips that end at once included.
TEST(Records, MomentumOfAnalyticClosesWithTheRecordedImpulses) {
  for (const std::string& coin : {
           std::string("orientation: {axis: [1, 0, 0], degrees: 40}, angular_velocity: [1, 2, 12]"),
           std::string("orientation: {axis: [1, 0, 0], degrees: 70}, angular_velocity: [8, -3, 4]"),
           std::string("orientation: {axis: [1, 0, 0], degrees: 15}, angular_velocity: [0, 5, 20]"),
       }) {
    SceneRun run(
        "tenpin: 1\nname: coin\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
        "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
        "  - {name: coin, material: m, mass: 1, position: [0, 0, 0.15], velocity: [0.5, 0.2, 0], " +
        coin +
        ", shapes: [{cylinder: {radius: 0.1, length: 0.01}}]}\n"
        "method: {analytic: {}}\n");
    const int body = run.body("coin");
    const int begin = run.built.model.bodies[body].joint.v_begin;
    Vec3 v = run.built.state.v.segment<3>(begin);
    Vec3 missing = Vec3::Zero();
    double t = 0.0;
    double worst = 0.0;
    run.watch = [&](const StepReport& report, auto contacts, const dynamics::State& state) {
      const Vec3 v_new = state.v.segment<3>(begin);
      missing += v_new - v - (report.t - t) * run.built.model.gravity;
      for (const ContactRecord& r : contacts) {
        missing -= (r.body_b == body ? 1.0 : -1.0) * r.impulse;
      }
      worst = std::max(worst, missing.norm());
      v = v_new;
      t = report.t;
    };
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE(worst, 1e-7) << coin;  // N s, of 1 kg
  }
}

}  // namespace
}  // namespace tenpin::methods
