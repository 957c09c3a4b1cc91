// Every method certifies that bodies without contact keep momentum and energy.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "dynamics/flight_certificate.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using dynamics::FreeFlight;
using dynamics::MotionView;
using test::SceneRun;

// A body that tumbles, far above another one that slides on a floor.
std::string tumbling(const std::string& method, const std::string& more = "") {
  return "tenpin: 1\nmaterials: {m: {friction: 0.3}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: slider, material: m, mass: 1, position: [0, 0, 0.1], velocity: [1, 0, 0],"
         " shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n"
         "  - {name: body, material: m, mass: 2, position: [0, 0, 50], velocity: [1, 2, 3],"
         " angular_velocity: [3, -20, 1], shapes: [{box: {half: [0.3, 0.1, 0.2]}}]" +
         more + "}\nmethod: {" + method + "}\n";
}

constexpr const char* kSteppers[] = {"time-stepping: {}", "time-stepping: {solver: lemke}",
                                     "time-stepping: {order: 1}",
                                     "time-stepping: {formulation: velocity}", "analytic: {}"};

TEST(FreeFlightCertificate, PassesInEveryMethod) {
  for (const char* method : kSteppers) {
    SceneRun run(tumbling(method));
    EXPECT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << method << run.last.message;
  }
  SceneRun pushed(
      tumbling("time-stepping: {}", ", forces: [{force: [1, 2, 3], torque: [0.1, -0.2, 0.3]}]"));
  EXPECT_EQ(pushed.run_until(0.5), AdvanceStatus::kReachedEnd) << pushed.last.message;
}

// Motion that follows other principal moments than those of the body's inertia keeps neither its
// angular momentum nor its energy. No contact is there to tell.
TEST(FreeFlightCertificate, SeesAWrongRotationInEveryMethod) {
  for (const char* method : kSteppers) {
    SceneRun run(tumbling(method));
    run.built.model.bodies[run.body("body")].moments[0] *= 1.01;
    EXPECT_EQ(run.run_until(0.5), AdvanceStatus::kCertificateFailed) << method;
    EXPECT_FALSE(run.last.certificate.passed) << method;
    EXPECT_NE(run.last.message.find("the flight of body departs by"), std::string::npos)
        << method << ": " << run.last.message;
  }
}

// The two ends of a flight, with a fault.
struct Ends {
  Ends() : run(tumbling("time-stepping: {}")), body(run.body("body")) {
    look(&X0, &V0);
    EXPECT_EQ(run.run_until(0.25), AdvanceStatus::kReachedEnd);
    look(&X1, &V1);
  }
  void look(std::vector<Pose>* X, std::vector<dynamics::Twist>* V) const {
    update_poses(run.built.model, run.built.state.q, run.built.state.t, X);
    update_twists(run.built.model, *X, run.built.state.v, run.built.state.t, V);
  }
  double residual(const FreeFlight& flight = {.dt = 0.25, .end_weight = 0.5}) const {
    return calc_free_flight_residual(run.built.model, body, {.X_WB = X0, .V_WB = V0},
                                     {.X_WB = X1, .V_WB = V1}, flight);
  }
  SceneRun run;
  int body;
  std::vector<Pose> X0, X1;
  std::vector<dynamics::Twist> V0, V1;
};

TEST(FreeFlightCertificate, SeesEveryFault) {
  const Ends right;
  EXPECT_LE(right.residual(), 1e-13);
  EXPECT_GE(right.residual({.dt = 0.25, .end_weight = 1.0}), 1e-3);  // of first order
  const auto fault = [](const auto& change) {
    Ends wrong;
    change(&wrong);
    return wrong.residual();
  };
  EXPECT_GE(fault([](Ends* x) {
              x->V1[x->body].v.x() += 1e-6;
            }),
            1e-8);
  EXPECT_GE(fault([](Ends* x) {
              x->X1[x->body].p.y() += 1e-6;
            }),
            1e-8);
  EXPECT_GE(fault([](Ends* x) {
              x->V1[x->body].w *= 1.0 + 1e-6;
            }),
            1e-8);
  EXPECT_GE(fault([](Ends* x) {
              x->V1[x->body].w = x->V0[x->body].w;
            }),
            1e-3);
  EXPECT_EQ(fault([](Ends* x) {
              x->V1[x->body].w.x() = std::nan("");
            }),
            std::numeric_limits<double>::infinity());
}

// A force that depends on velocity is not known to the check, and a body on a joint is not loose.
TEST(FreeFlightCertificate, SaysWhatItDoesNotKnow) {
  SceneRun run(tumbling("time-stepping: {}", ", forces: [{viscous: 0.1}]"));
  EXPECT_FALSE(has_simple_flight(run.built.model, run.body("body")));
  EXPECT_TRUE(has_simple_flight(run.built.model, run.body("slider")));
  EXPECT_FALSE(has_simple_flight(run.built.model, run.body("floor")));
}

}  // namespace
}  // namespace tenpin::methods
