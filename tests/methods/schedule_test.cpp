// The schedule of a step of second order, its groups, and the value of a substep.
#include "methods/time_stepping/order2/schedule.h"

#include <gtest/gtest.h>

#include "methods/time_stepping/order2/booking.h"
#include "methods/time_stepping/order2/impact.h"
#include "methods/time_stepping/order2/substep.h"
#include "support/step_fixture.h"

namespace tenpin::methods::time_stepping::order2 {
namespace {

using test::balls;
using test::StepFixture;

constexpr double kStep = 0.1;  // s

TEST(Schedule, TimesOfSubstepsEndExactly) {
  Schedule schedule;
  schedule.restart(0.2, 0.1, 0.3, 3);
  EXPECT_EQ(schedule.driven_node(), 2);
  EXPECT_EQ(schedule.time(0, 0.0), 0.1);
  EXPECT_EQ(schedule.time(0, 1.0), 0.3);  // not 0.1 + 0.2, which is larger by rounding
  EXPECT_NE(0.1 + 0.2, 0.3);
  schedule.nodes[1].begin = 0.02;
  schedule.nodes[1].end = 0.06;
  EXPECT_DOUBLE_EQ(schedule.length(1), 0.04);
  EXPECT_DOUBLE_EQ(schedule.time(1, 0.5), 0.14);
  NodeSet set;
  schedule.select(
      [&](int node) {
        return schedule.nodes[node].begin == 0.0;
      },
      &set);
  EXPECT_EQ(set.list, std::vector<int>({0, 2}));
  EXPECT_TRUE(set.contains(2));
  EXPECT_FALSE(set.contains(1));
}

TEST(NodeGroups, ContactsConnectMechanismsButFixedBodiesDoNot) {
  // Balls 1 and 2 touch each other; all touch the floor.
  StepFixture f(balls({Vec3(0, 0, 0.1), Vec3(0.2, 0, 0.1), Vec3(1, 0, 0.1)}));
  const std::vector<contact::Contact> contacts = f.find_contacts();
  ASSERT_EQ(contacts.size(), 4U);
  NodeGroups groups;
  groups.reset(f.setup, contacts);
  EXPECT_EQ(groups.root(0), groups.root(1));
  EXPECT_NE(groups.root(0), groups.root(2));
  EXPECT_EQ(groups.root(3), 3);  // nothing is driven
  groups.mark(1);
  EXPECT_TRUE(groups.is_marked(0));
  EXPECT_FALSE(groups.is_marked(2));
  EXPECT_EQ(groups.count_marked(), 1);
  groups.reset(f.setup);
  EXPECT_NE(groups.root(0), groups.root(1));
  EXPECT_EQ(groups.count_marked(), 0);
}

TEST(NodeGroups, DrivenBodiesAreOneNode) {
  StepFixture f(
      "tenpin: 1\nname: belt\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: belt, material: m, motion: {velocity: [1, 0, 0]}, shapes: [{plane: {}}]}\n"
      "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1], shapes: [{sphere: {radius: "
      "0.1}}]}\n");
  const std::vector<contact::Contact> contacts = f.find_contacts();
  ASSERT_EQ(contacts.size(), 1U);
  NodeGroups groups;
  groups.reset(f.setup, contacts);
  EXPECT_EQ(groups.root(1), 0);  // node 1 stands for the belt
  EXPECT_EQ(bodies_of(f.setup, 1).front(), 0);
}

TEST(ImpactBudget, ClustersWithTooManyImpactsAreNotDivided) {
  StepFixture f(balls({Vec3(0, 0, 0.1), Vec3(1, 0, 0.1)}));
  NodeGroups clusters;
  clusters.reset(f.setup);
  Schedule schedule;
  schedule.restart(kStep, 0.0, kStep, 3);
  std::vector<int> impacts = {64, 65, 0};
  apply_impact_budget(clusters, &impacts, &schedule);
  EXPECT_FALSE(schedule.nodes[0].is_over_budget);
  EXPECT_TRUE(schedule.nodes[1].is_over_budget);
  // Divisions that were made count as well, if there are impacts ahead.
  schedule.nodes[0].divisions = 64;
  impacts = {0, 0, 0};
  apply_impact_budget(clusters, &impacts, &schedule);
  EXPECT_FALSE(schedule.nodes[0].is_over_budget);
  impacts = {1, 0, 0};
  apply_impact_budget(clusters, &impacts, &schedule);
  EXPECT_TRUE(schedule.nodes[0].is_over_budget);
}

class SubstepTest : public testing::Test {
 protected:
  SubstepTest() {
    step_.schedule.restart(kStep, 0.0, kStep, 2);
    step_.path.begin = {.q = f_.built.state.q, .v = f_.built.state.v, .motion = {f_.X, f_.V}};
    step_.path.mid = step_.path.predicted = step_.path.end = step_.path.begin;
    step_.path.v_kicked = f_.built.state.v;
    step_.start.speeds.assign(2, 0.0);
    step_.active.contacts = f_.find_contacts();
  }

  // A ball that one step's weight pulls down, and the impulse that stops it.
  Substep make_substep() {
    Substep substep;
    const double fall = f_.setup.gravity() * kStep;
    ContactProblem& problem = substep.problem;
    problem.contacts = step_.active.contacts;
    problem.v = VecX::Zero(6);
    problem.v[2] = -fall;
    fill_problem(
        f_.built.model, {.X_WB = f_.X, .V_drive = f_.setup.rest, .M = f_.M}, f_.workers,
        [](int) {
          return ContactLaw{.mu = 0.5};
        },
        &problem);
    substep.contacts.resize(1);
    substep.contacts[0].before.setZero();
    substep.contacts[0].impulse << fall, 0.0, 0.0, 0.0;
    substep.answer.impulses = {substep.contacts[0].impulse};
    substep.answer.v = VecX::Zero(6);
    return substep;
  }

  StepFixture f_{balls({Vec3(0, 0, 0.1)})};
  StepProgress step_;
};

TEST_F(SubstepTest, LawCheckPassesTheImpulseOfRestAndNoOther) {
  SubstepLawCheck check;
  Substep substep = make_substep();
  check.check(f_.setup, step_, &substep);
  EXPECT_LE(substep.contacts[0].check.residual, 1e-15);
  // Half of it lets the ball sink with half the speed of its fall. Residuals are relative to the
  // velocities that the impulse alone would cause: its mobility is 8/3 per kg, the mean of 1 along
  // the normal and 7/2 along both tangents.
  substep.contacts[0].impulse *= 0.5;
  substep.answer.impulses[0] *= 0.5;
  substep.answer.v[2] = 0.5 * substep.problem.v[2];
  check.check(f_.setup, step_, &substep);
  EXPECT_NEAR(substep.contacts[0].speed, 8.0 / 3.0 * 0.5 * f_.setup.gravity() * kStep, 1e-12);
  EXPECT_NEAR(substep.contacts[0].check.residual, 3.0 / 8.0, 1e-12);
}

TEST_F(SubstepTest, NearContactsMayComeCloser) {
  ActiveContacts active;
  const contact::ContactKey key = step_.active.contacts.front().key;
  EXPECT_EQ(active.calc_required(key), 0.0);
  active.near.push_back({key, -0.25});
  EXPECT_EQ(active.calc_required(key), -0.25);
}

TEST_F(SubstepTest, RestartContinuesFromTheEnd) {
  JournalEntry entry;
  entry.contact = step_.active.contacts.front();
  for (contact::ContactVector* u : {&entry.impulse, &entry.before, &entry.after}) u->setZero();
  step_.journal.entries.push_back(entry);
  Node& node = step_.schedule.nodes[0];
  node.end = 0.04;
  node.state = NodeState::kFinished;
  node.works.projection = 3.0;
  step_.path.end.q[0] = 7.0;
  step_.path.end.motion.X[1].p.x() = 7.0;
  NodeSet nodes;
  step_.schedule.select(
      [](int i) {
        return i == 0;
      },
      &nodes);
  restart(f_.setup, nodes, &step_);
  EXPECT_EQ(node.begin, 0.04);
  EXPECT_EQ(node.end, kStep);
  EXPECT_EQ(node.state, NodeState::kReady);
  EXPECT_EQ(step_.path.begin.q[0], 7.0);
  EXPECT_EQ(step_.path.begin.motion.X[1].p.x(), 7.0);
  EXPECT_EQ(step_.journal.done.projection, 3.0);
  EXPECT_EQ(node.projected, 3.0);
  EXPECT_EQ(node.works.projection, 0.0);
  EXPECT_TRUE(step_.journal.entries[0].is_final);
  ASSERT_EQ(step_.journal.kinks.size(), 1U);
  EXPECT_EQ(step_.journal.kinks[0].body, 1);
  EXPECT_EQ(step_.schedule.nodes[1].begin, 0.0);
}

// A compression that fails its law fails the impact, however good the restitution is.
TEST(ImpactPhases, ImpulsesAddUpAndTheWorseResidualCounts) {
  SubstepContact contact;
  contact.impulse << 0.5, 0.1, 0.0, 0.0;
  contact.check.residual = 1e-12;
  add_compression({1.0, -0.3, 0.0, 0.0}, {.residual = 1e-3}, &contact);
  EXPECT_EQ(contact.impulse, contact::ContactVector(1.5, -0.3 + 0.1, 0.0, 0.0));
  EXPECT_EQ(contact.check.residual, 1e-3);
  add_compression(contact::ContactVector::Zero(), {.residual = 1e-9}, &contact);
  EXPECT_EQ(contact.check.residual, 1e-3);
}

}  // namespace
}  // namespace tenpin::methods::time_stepping::order2
