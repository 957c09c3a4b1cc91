// Slides at order 2: slow ones, beside fast bodies, and several bodies on each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;
constexpr const char* kBox = "box: {size: [0.3, 0.2, 0.1]}";
constexpr const char* kDisc = "cylinder: {radius: 0.1, length: 0.1}";
constexpr const char* kBystander =
    "  - {name: ball, material: m, mass: 1, position: [-100, 5, 40], velocity: [100, 0, 0],"
    " angular_velocity: [0, 90, 0], shapes: [{sphere: {radius: 0.1}}]}\n";

struct Slide {
  double angle = 0.0;    // rad   of the ramp
  double heading = 0.0;  // rad   of the slope's fall, from x
  double ratio = 0.0;    // -     friction over what would hold
  double h = 0.01;       // s
};

double calc_friction(const Slide& slide) {
  return slide.ratio * std::tan(slide.angle);
}

// m   in t seconds from rest
double calc_way(const Slide& slide, double t) {
  return 0.5 * kG * t * t * (std::sin(slide.angle) - calc_friction(slide) * std::cos(slide.angle));
}

// Gravity is tilted instead of the ramp.
std::string on_a_ramp(const Slide& slide, const char* shape, const std::string& more,
                      const std::string& options) {
  const double down = kG * std::sin(slide.angle);
  const auto text = [](double x) {
    return to_text(x);
  };
  return "tenpin: 1\nname: slide\ngravity: [" + text(down * std::cos(slide.heading)) + ", " +
         text(down * std::sin(slide.heading)) + ", " + text(-kG * std::cos(slide.angle)) +
         "]\nmaterials: {m: {friction: " + text(calc_friction(slide)) +
         ", restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: slider, material: m, mass: 1, position: [0, 0, 0.05], shapes: [{" +
         shape + "}]}\n" + more + "method: {time-stepping: {order: 2, step: " + text(slide.h) +
         options + "}}\n";
}

// The slip's direction must not be played to and fro between the contacts under a body: that took
// these boxes 15 % to 56 % too far.
TEST(SecondOrderSlide, SlowSlidesAreAsLongAsTheyShould) {
  for (const char* shape : {kBox, kDisc}) {
    for (const char* more : {"", kBystander}) {
      for (const Slide slide : {Slide{.angle = 0.38, .heading = 0.0, .ratio = 0.998},
                                Slide{.angle = 0.29, .heading = 0.0, .ratio = 0.9995},
                                Slide{.angle = 0.52, .heading = 0.7, .ratio = 0.9995}}) {
        SceneRun run(on_a_ramp(slide, shape, more, ", solver: cone"));
        ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
        const double way = calc_way(slide, 1.0);
        const Vec3 ahead(std::cos(slide.heading), std::sin(slide.heading), 0.0);
        EXPECT_NEAR(run.position("slider").dot(ahead), way, 1e-3 * way) << shape << more;
        EXPECT_NEAR(run.position("slider").head<2>().norm(), way, 1e-3 * way) << shape << more;
        EXPECT_LE(run.worst_residual, 1e-6);
      }
    }
  }
}

// One that holds stays, however fast another body is.
TEST(SecondOrderSlide, WhatHoldsDoesNotCreepBesideAFastBody) {
  const Slide slide{.angle = 0.38, .heading = 0.3, .ratio = 1.0005};
  SceneRun run(on_a_ramp(slide, kBox, kBystander, ", solver: cone"));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.position("slider").head<2>().norm(), 1e-9);
}

// A block is thrown up a ramp and slides back. In the step in which it stops, friction acts against
// the slip at the end from the start on. It slides back within that step only if it began slower
// than a step of sliding back makes it, so its velocity is off by at most 2 mu g cos h times the
// ratio of both accelerations, and half of this at order 2: the error that docs/second-order.md
// promises. Before and after that step nothing is off.
TEST(SecondOrderSlide, ReversalOfSlipIsOffByOneStepOfFriction) {
  const double angle = 20.0 * kPi / 180.0;
  const double mu = 0.2;
  const double t_end = 0.8;
  const double up = kG * (std::sin(angle) + mu * std::cos(angle));
  const double down = kG * (std::sin(angle) - mu * std::cos(angle));
  double worst[2] = {0.0, 0.0};  // over the bound, by order
  for (const char* solver : {"cone", "lemke"}) {
    for (const int order : {1, 2}) {
      for (const int steps : {60, 240, 960}) {
        for (const double speed : {0.9, 0.94, 0.98, 1.0, 1.06, 1.1}) {
          const double h = 1.0 / steps;
          const double t_stop = speed / up;
          const double way =  // m, upwards
              0.5 * speed * t_stop - 0.5 * down * (t_end - t_stop) * (t_end - t_stop);
          const double v_end = -down * (t_end - t_stop);
          SceneRun run(
              "tenpin: 1\nname: throw\ngravity: [" + to_text(-kG * std::sin(angle)) + ", 0, " +
              to_text(-kG * std::cos(angle)) + "]\nmaterials: {m: {friction: " + to_text(mu) +
              "}}\nbodies:\n"
              "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
              "  - {name: block, material: m, mass: 1, position: [0, 0, 0.05],"
              " velocity: [" +
              to_text(speed) +
              ", 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.1]}}]}\n"
              "method: {time-stepping: {order: " +
              std::to_string(order) + ", step: " + to_text(h) + ", solver: " + solver + "}}\n");
          ASSERT_EQ(run.run_until(t_end), AdvanceStatus::kReachedEnd) << run.last.message;
          const double late = 2.0 * mu * kG * std::cos(angle) * h * (down / up) / order;  // m/s
          const double off = std::fabs(run.twist("block").v.x() - v_end);
          EXPECT_LE(off, 1.001 * late) << solver << order << steps << speed;
          worst[order - 1] = std::max(worst[order - 1], off / late);
          if (order == 1) continue;  // whose positions are of order 1 in every step
          EXPECT_LE(std::fabs(run.position("block").x() - way), 1.001 * late * (t_end - t_stop + h))
              << solver << steps << speed;
        }
      }
    }
  }
  for (const double share : worst) EXPECT_GE(share, 0.5);  // the bound is not an empty one
}

}  // namespace
}  // namespace tenpin::methods
