// Filling a contact problem, and the projection of positions, which is one.
#include "methods/time_stepping/core/contact_problem.h"

#include <gtest/gtest.h>

#include "methods/time_stepping/core/positions.h"
#include "support/step_fixture.h"

namespace tenpin::methods::time_stepping {
namespace {

using test::balls;
using test::StepFixture;

constexpr double kRounding = 1e-15;
constexpr int kMaxSystems = 100;

TEST(FillProblem, SetsEveryFieldOfEveryContact) {
  StepFixture f(balls({Vec3(0, 0, 0.1), Vec3(1, 0, 0.1)}), 2);
  ContactProblem problem;
  problem.contacts = f.find_contacts();
  ASSERT_EQ(problem.size(), 2);
  problem.v = f.setup.zero;
  const contact::ContactVector drive(0.1, 0.2, 0.3, 0.4);
  fill_problem(
      f.built.model, {.X_WB = f.X, .V_drive = f.setup.rest, .M = f.M}, f.workers,
      [&](int i) {
        ContactLaw law{.required = 1.0 + i, .mu = 0.5 + i, .given = 2.0 + i};
        law.guess = Vec3(i, 1, 2);
        law.memory = Vec3(i, 3, 4);
        law.compliance = Vec3(i, 5, 6);
        if (i == 1) law.drive = drive;
        return law;
      },
      &problem);
  EXPECT_EQ(problem.M, &f.M);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(problem.required[i], 1.0 + i);
    EXPECT_EQ(problem.mu[i], 0.5 + i);
    EXPECT_EQ(problem.given[i], 2.0 + i);
    EXPECT_EQ(problem.guess[i], Vec3(i, 1, 2));
    EXPECT_EQ(problem.memory[i], Vec3(i, 3, 4));
    EXPECT_EQ(problem.compliance[i], Vec3(i, 5, 6));
  }
  EXPECT_TRUE(problem.J.drive(0).isZero(0.0));
  EXPECT_EQ(problem.J.drive(1), drive);
  // A ball of 1 kg gives way by 1 m/s per N s along the normal, and by 1 + 5/2 along the floor.
  EXPECT_NEAR(problem.calc_normal_mobility(0), 1.0, kRounding);
  EXPECT_NEAR(problem.calc_mobility(0), (1.0 + 2.0 * 3.5) / 3.0, 10.0 * kRounding);
  EXPECT_EQ(problem.calc_compliance_velocity(1, Vec3(2, 3, 4)), Vec3(1, 0, 0));
}

TEST(Positions, OverlapsAreUndoneByTheLeastMotion) {
  StepFixture f(balls({Vec3(0, 0, 0.099), Vec3(1, 0, 0.105)}));
  Projection projection(f.setup, 1e-9, kMaxSystems);
  const std::vector<contact::Contact> contacts = f.find_contacts();
  ASSERT_EQ(contacts.size(), 2U);
  const std::vector<double> loads(2, 0.0);
  const VecX* d =
      projection.solve(f.setup, {.X_WB = f.X, .V_drive = f.setup.rest, .M = f.M}, contacts, loads);
  ASSERT_NE(d, nullptr);
  VecX expected = VecX::Zero(12);
  expected[2] = 0.001;  // the second ball is 5 mm above the floor and stays there
  EXPECT_LE((*d - expected).norm(), 1e-12);
}

TEST(Positions, LoadedContactsAreClosed) {
  StepFixture f(balls({Vec3(0, 0, 0.101)}));
  Projection projection(f.setup, 1e-9, kMaxSystems);
  const std::vector<contact::Contact> contacts = f.find_contacts();
  ASSERT_EQ(contacts.size(), 1U);
  const Linearization at{.X_WB = f.X, .V_drive = f.setup.rest, .M = f.M};
  const std::vector<double> enough = {0.002};  // N s: 2 mm for 1 kg
  const VecX* d = projection.solve(f.setup, at, contacts, enough);
  ASSERT_NE(d, nullptr);
  EXPECT_NEAR((*d)[2], -0.001, 1e-12);
}

TEST(StepSetup, ReadsTheModelAgainWhenItChanges) {
  StepFixture f(balls({Vec3(0, 0, 0.1)}));
  EXPECT_NEAR(f.setup.radius[1], 0.1, kRounding);
  EXPECT_EQ(f.setup.radius[0], 0.0);
  EXPECT_FALSE(f.setup.is_pushed);
  EXPECT_FALSE(f.setup.resists);
  EXPECT_FALSE(f.setup.has_viscous);
  f.built.model.bodies[1].applied.viscous = 1.0;
  f.built.model.surfaces.front().viscous = 0.1;
  f.setup.model_changed();
  EXPECT_TRUE(f.setup.is_pushed);
  EXPECT_TRUE(f.setup.resists);
  EXPECT_TRUE(f.setup.has_viscous);
}

}  // namespace
}  // namespace tenpin::methods::time_stepping
