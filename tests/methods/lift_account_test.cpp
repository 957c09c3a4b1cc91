// The energy that lifts of `impulse` may give is bounded for bodies that touch, not for the scene.
#include "methods/impulse/lift_account.h"

#include <gtest/gtest.h>

#include <string>

#include "support/scene_run.h"

namespace tenpin::methods::impulse {
namespace {

constexpr double kLift = 9.81 * 1e-3;  // m2/s2

// Bodies 1 to 3: light, light, heavy.
test::SceneRun make_run() {
  std::string yaml =
      "tenpin: 1\nname: lifts\nmaterials: {m: {friction: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (const char* body : {"a, mass: 1", "b, mass: 1", "heavy, mass: 1000"}) {
    yaml += std::string("  - {name: ") + body +
            ", material: m, position: [0, 0, 5], shapes: [{sphere: {radius: 0.1}}]}\n";
  }
  return test::SceneRun(yaml + "method: {impulse: {}}\n");
}

struct Account {
  test::SceneRun run = make_run();
  std::vector<dynamics::Twist> still = std::vector<dynamics::Twist>(4);
  LiftAccount lifts;
  std::vector<std::uint64_t> memory;
  std::vector<double> applied = std::vector<double>(3, 0.0);  // J

  LiftAccount::Excess add(int body_a, int body_b, double work) {
    contact::ContactRecord r;
    r.body_a = body_a;
    r.body_b = body_b;
    r.normal_work = work;
    lifts.load(run.built.model, memory);
    const LiftAccount::Excess excess = lifts.add(run.built.model, {.records = {&r, 1},
                                                                   .V_start = still,
                                                                   .V_end = still,
                                                                   .applied = applied,
                                                                   .lift = kLift,
                                                                   .tolerance = 1e-8});
    memory = lifts.save();
    return excess;
  }
};

TEST(LiftAccount, AHeavyBodyElsewhereExcusesNothing) {
  Account account;
  EXPECT_EQ(account.add(0, 1, 0.9 * kLift).body, -1);
  const LiftAccount::Excess excess = account.add(0, 1, 0.2 * kLift);
  EXPECT_EQ(excess.body, 1);
  EXPECT_NEAR(excess.gained, 1.1 * kLift, 1e-15);
  EXPECT_NEAR(excess.allowed, kLift, 1e-15);
}

TEST(LiftAccount, OtherContactsTakeTheEnergyBack) {
  Account account;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(account.add(0, 1, 0.9 * kLift).body, -1);
    EXPECT_EQ(account.add(0, 1, -0.9 * kLift).body, -1);
  }
  EXPECT_TRUE(account.memory.empty());
}

TEST(LiftAccount, JointForcesTakeTheEnergyToo) {
  Account account;
  account.applied[0] = -0.5 * kLift;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(account.add(0, 1, 0.6 * kLift).body, -1);
}

TEST(LiftAccount, BodiesThatTouchShareAnAccount) {
  Account account;
  EXPECT_EQ(account.add(1, 2, 3.9 * kLift).body, -1);   // two bodies of 2 kg together
  EXPECT_EQ(account.add(0, 1, 0.04 * kLift).body, -1);  // apart, each has its half
  EXPECT_EQ(account.add(0, 1, 0.04 * kLift).body, 1);
  EXPECT_EQ(account.add(0, 2, -2.0 * kLift).body, -1);  // the bound ends with the account
  EXPECT_EQ(account.add(0, 2, 1.1 * kLift).body, 2);
}

}  // namespace
}  // namespace tenpin::methods::impulse
