// Large heaps are cut into parts that are swept at the same time.
#include "methods/time_stepping/sweep_groups.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "contact/finder.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;
using time_stepping::ContactProblem;
using time_stepping::SweepGroups;

// Balls that touch their neighbours in a grid.
std::string heap(const std::string& grid, const std::string& options = "",
                 const std::string& spacing = "[0.0998, 0.0998, 0.0998]") {
  return "tenpin: 1\nname: heap\nseed: 3\nmaterials: {m: {friction: 0.4, restitution: "
         "0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.0499], shapes: [{sphere: "
         "{radius: 0.05}}], repeat: {grid: " +
         grid + ", spacing: " + spacing + "}}\nmethod: {time-stepping: {step: 0.004" + options +
         "}}\n";
}

struct Touching {
  explicit Touching(const std::string& yaml) : run(yaml) {
    const dynamics::Model& model = run.built.model;
    std::vector<Pose> X_WB;
    update_poses(model, run.built.state.q, 0.0, &X_WB);
    contact::ContactFinder(model).find(X_WB, std::vector<double>(model.bodies.size(), 1e-4),
                                       &problem.contacts);
    update_jacobian();
    contacts.resize(problem.contacts.size());
    std::iota(contacts.begin(), contacts.end(), 0);
    groups.update(model, problem, contacts);
  }
  void update_jacobian() {
    const dynamics::Model& model = run.built.model;
    std::vector<Pose> X_WB;
    update_poses(model, run.built.state.q, 0.0, &X_WB);
    const std::vector<dynamics::Twist> still(model.bodies.size());
    dynamics::MassMatrix M;
    M.update(model, X_WB, run.built.state.q, VecX::Zero(model.nv));
    problem.J.update(model, problem.contacts, X_WB, still, M, contact::FrictionPoint::kSurface);
  }
  SceneRun run;
  ContactProblem problem;
  std::vector<int> contacts;
  SweepGroups groups{nullptr};
};

// All contacts are in groups, those of a phase move no body in common, and bodies get their lead
// before they are moved.
void expect_phases(Touching& heap_of) {
  SweepGroups& groups = heap_of.groups;
  std::set<int> seen;
  std::set<int> led;
  int last_phase = 0;
  std::set<int> moved_in_phase;
  for (int g = 0; g < groups.size(); ++g) {
    const SweepGroups::Group group = groups.group(g);
    EXPECT_TRUE(!group.positions.empty() || g + 1 == groups.size()) << g;
    EXPECT_GE(group.phase, last_phase);
    if (group.phase != last_phase) moved_in_phase.clear();
    last_phase = group.phase;
    for (int body = group.first_body; body < group.end_body; ++body) led.insert(body);
    std::set<int> moved;
    for (const int i : group.positions) {
      EXPECT_TRUE(seen.insert(i).second) << "a contact in two groups";
      const auto [a, b] = groups.bodies(i);
      moved.insert({a, b});
    }
    moved.erase(0);
    for (const int body : moved) {
      EXPECT_TRUE(moved_in_phase.insert(body).second) << "body " << body << " in two groups";
      EXPECT_TRUE(led.contains(body)) << "moved before it got its lead";
    }
  }
  EXPECT_EQ(seen.size(), heap_of.contacts.size());
  EXPECT_EQ(static_cast<int>(led.size()), groups.num_bodies() - 1);
}

TEST(SweepGroups, OfOnePhaseMoveNoBodyInCommon) {
  Touching heap_of({heap("[20, 12, 4]")});
  ASSERT_EQ(heap_of.groups.size(), 4 + 2 * 3 + 1)
      << "partitions, halves of interfaces, what is left";
  expect_phases(heap_of);
}

// Some contacts touch across the middle of an interface.
TEST(SweepGroups, LeaveForLastWhatTouchesInTwo) {
  Touching heap_of({heap("[20, 12, 4]", "", "[0.08, 0.055, 0.0998]")});
  ASSERT_GT(heap_of.groups.size(), 2);
  EXPECT_FALSE(heap_of.groups.group(heap_of.groups.size() - 1).positions.empty());
  expect_phases(heap_of);
}

TEST(SweepGroups, ThinWallsAndSmallHeapsStayWhole) {
  EXPECT_EQ(Touching(heap("[40, 1, 30]")).groups.size(), 2) << "lanes would not be filled";
  EXPECT_EQ(Touching(heap("[6, 6, 6]")).groups.size(), 2) << "threads would not be busy";
}

// Large enough to be cut, loose enough to go on moving.
TEST(SweepThreads, DoNotChangeABit) {
  const std::string text = heap("[14, 14, 4]", ", solver: cone, contact: {compliance: 0.03}");
  SceneRun one(text, 1);
  ASSERT_EQ(one.run_until(0.04), AdvanceStatus::kReachedEnd) << one.last.message;
  for (const int threads : {2, 8}) {
    SceneRun many(text, threads);
    ASSERT_EQ(many.run_until(0.04), AdvanceStatus::kReachedEnd) << many.last.message;
    EXPECT_EQ(many.built.state.q, one.built.state.q) << threads;
    EXPECT_EQ(many.built.state.v, one.built.state.v) << threads;
    EXPECT_EQ(many.built.state.memory, one.built.state.memory) << threads;
    EXPECT_EQ(many.last.swept, one.last.swept) << threads;
    EXPECT_EQ(many.last.ledger.work, one.last.ledger.work) << threads;
  }
  EXPECT_GE(one.last.swept, one.last.num_active) << "each at least once";
}

// Also where more or fewer contacts were before.
TEST(SweepThreads, FindTheSameContacts) {
  const Touching heap_of(heap("[14, 14, 4]"));
  const dynamics::Model& model = heap_of.run.built.model;
  std::vector<Pose> X_WB;
  update_poses(model, heap_of.run.built.state.q, 0.0, &X_WB);
  const std::vector<double> reach(model.bodies.size(), 1e-4);
  const Workers workers(3);
  contact::ContactFinder finder(model, &workers);
  const contact::Contact first = {.key = {.part_a = -7}};
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{9000}}) {
    std::vector<contact::Contact> found(size, {.gap = 5.0});
    finder.find(X_WB, reach, {&first, 1}, &found);
    ASSERT_EQ(found.size(), heap_of.contacts.size() + 1) << size;
    EXPECT_EQ(found.front().key, first.key);
    for (const int i : heap_of.contacts) {
      ASSERT_EQ(found[i + 1].key, heap_of.problem.contacts[i].key);
      ASSERT_EQ(found[i + 1].p_b, heap_of.problem.contacts[i].p_b);
      ASSERT_EQ(found[i + 1].gap, heap_of.problem.contacts[i].gap);
    }
  }
}

TEST(SweepThreads, AddImpulsesInTheSameOrder) {
  Touching heap_of(heap("[14, 14, 4]"));
  const dynamics::Model& model = heap_of.run.built.model;
  contact::ContactJacobian& J = heap_of.problem.J;
  std::vector<contact::ContactVector> impulses(heap_of.contacts.size());
  for (const int i : heap_of.contacts) impulses[i] << 1.0 / (1 + i), 0.1 * (i % 7), -0.01 * i, 0.3;
  VecX one_by_one = VecX::Constant(model.nv, 0.7);
  VecX shared = one_by_one;
  for (const int i : heap_of.contacts) J.add_velocity_change(i, impulses[i], one_by_one);
  const Workers workers(3);
  J.set_workers(&workers);
  heap_of.update_jacobian();
  J.add_velocity_changes(impulses, shared);
  EXPECT_EQ(shared, one_by_one);
}

// A step begins where the state says, although the method knows where its last one ended.
TEST(StartOfAStep, FollowsTheState) {
  const std::string text = heap("[3, 3, 2]", ", solver: cone, contact: {compliance: 0.03}");
  SceneRun run(text);
  ASSERT_EQ(run.run_until(0.02), AdvanceStatus::kReachedEnd);
  SceneRun other(text);
  other.built.state = run.built.state;
  for (SceneRun* each : {&run, &other}) {
    each->built.state.q[2] += 0.3;
    each->built.state.v[0] += 1.0;
    ASSERT_EQ(each->run_until(0.04), AdvanceStatus::kReachedEnd) << each->last.message;
  }
  EXPECT_EQ(run.built.state.q, other.built.state.q);
  EXPECT_EQ(run.built.state.v, other.built.state.v);
  EXPECT_EQ(run.last.ledger.closure, other.last.ledger.closure);
}

}  // namespace
}  // namespace tenpin::methods
