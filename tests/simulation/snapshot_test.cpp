// Snapshots continue bit for bit, and so do copies with a method of their own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

std::uint64_t run(Simulation* sim, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = sim->step();
    EXPECT_TRUE(report.ok()) << report.message;
  }
  return sim->state_hash();
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, ContinuesFromASnapshotBitForBit) {
  Simulation sim(make_falling_things(GetParam()));
  run(&sim, 12);
  const Snapshot there = sim.save();
  const std::uint64_t first = run(&sim, 12);
  sim.restore(there);
  EXPECT_EQ(sim.time(), there.time());
  EXPECT_EQ(run(&sim, 12), first);
}

TEST_P(EveryMethod, ACopyGoesOnWithTheSameBits) {
  Simulation sim(make_falling_things(GetParam()));
  run(&sim, 12);
  Simulation copy = sim.clone();
  EXPECT_EQ(run(&sim, 12), run(&copy, 12));
}

TEST_P(EveryMethod, ResetBeginsAgain) {
  Simulation sim(make_falling_things(GetParam()));
  const std::uint64_t first = run(&sim, 8);
  sim.set_gravity({0.0, 0.0, -1.0});
  run(&sim, 3);
  sim.reset();
  EXPECT_EQ(sim.time(), 0.0);
  EXPECT_EQ(sim.num_steps(), 0);
  EXPECT_EQ(run(&sim, 8), first);
}

TEST_P(EveryMethod, AdvanceLandsOnTheTime) {
  Simulation sim(make_falling_things(GetParam()));
  EXPECT_TRUE(sim.advance_to(0.0303).ok());
  EXPECT_EQ(sim.time(), 0.0303);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values("time-stepping", "order-1", "analytic", "impulse",
                                         "penalty"),
                         name_of_method);

// One step of a method that steps is one step of its length.
TEST(Step, TakesOneStepOfTheMethod) {
  Simulation stepping(make_falling_things("order-1"));
  stepping.step();
  EXPECT_EQ(stepping.time(), 0.005);
  Simulation impulse(make_falling_things("impulse"));
  impulse.step();
  EXPECT_EQ(impulse.time(), 0.01);
}

// The ball falls 1 cm, touches at sqrt(2 h / g): the event ends there and no step goes past it.
TEST(Step, OfTheAnalyticMethodEndsAtTheEvent) {
  SceneBuilder builder;
  builder.method("analytic");
  builder.body("floor").fixed().plane(Vec3::UnitZ());
  builder.body("ball").mass(1.0).position({0.0, 0.0, 0.11}).sphere(0.1);
  Simulation sim(builder.build());
  const double t_impact = std::sqrt(2.0 * 0.01 / 9.81);
  while (sim.time() < t_impact - 1e-6) ASSERT_TRUE(sim.step().ok());
  EXPECT_NEAR(sim.time(), t_impact, 1e-8);
  const StepReport& report = sim.step();  // the impact itself
  EXPECT_EQ(report.duration, 0.0);
  ASSERT_EQ(sim.contacts().size(), 1U);
  EXPECT_NEAR(sim.contacts()[0].normal_impulse, 9.81 * t_impact, 1e-6);
}

TEST(Snapshot, OfAnotherSceneIsRefused) {
  Simulation a(make_falling_things("order-1"));
  SceneBuilder builder;
  builder.body("ball").mass(1.0).sphere(0.1);
  Simulation b(builder.build());
  EXPECT_THROW(b.restore(a.save()), InputError);
}

}  // namespace
}  // namespace tenpin
