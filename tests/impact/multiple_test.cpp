#include "impact/multiple.h"

#include <gtest/gtest.h>

#include "impact/certify.h"
#include "impact/golden.h"

namespace tenpin::impact {
namespace {

using complementarity::SolveStatus;

constexpr double kGolden = 1e-9;  // of the data's own statement
constexpr double kRounding = 1e-12;

// Bodies on a line; a contact is a pair of neighbours, -1 the ground.
struct Row {
  VecX masses, v0;
  MatX J;
  Collision collision;

  Row(VecX m, VecX v, const std::vector<std::pair<int, int>>& contacts, double eps)
      : masses(std::move(m)), v0(std::move(v)) {
    const auto n = static_cast<Eigen::Index>(contacts.size());
    J = MatX::Zero(n, masses.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto [a, b] = contacts[static_cast<std::size_t>(i)];
      if (a >= 0) J(i, a) = -1.0;
      if (b >= 0) J(i, b) = 1.0;
    }
    collision.W = J * masses.cwiseInverse().asDiagonal() * J.transpose();
    collision.v = J * v0;
    collision.restitution = VecX::Constant(n, eps);
  }
  VecX after(const VecX& impulse) const {
    return v0 + masses.cwiseInverse().asDiagonal() * J.transpose() * impulse;
  }
  double kinetic(const VecX& v) const { return 0.5 * v.dot(masses.cwiseProduct(v)); }
};

VecX list(std::initializer_list<double> values) {
  VecX vector(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), vector.begin());
  return vector;
}

// [B89, eq. (27)-(29)], [B89, Fig. 11], [B89, Fig. 13]
TEST(Multiple, MeetsTheReference) {
  int num_collisions = 0;
  for (const auto& c : read_cases("baraff.json")) {
    if (c["kind"] != "collision") continue;
    ++num_collisions;
    std::vector<std::pair<int, int>> contacts;
    for (const auto& pair : c["contacts"]) {
      contacts.emplace_back(pair[0].is_null() ? -1 : pair[0].get<int>(),
                            pair[1].is_null() ? -1 : pair[1].get<int>());
    }
    const Row row(read_vector(c["masses"]), read_vector(c["v0"]), contacts, c["eps"]);
    const CollisionSolution all = solve_simultaneous(row.collision);
    const CollisionSolution one = solve_propagation(row.collision);
    ASSERT_EQ(all.status, SolveStatus::kSolved) << c["name"];
    ASSERT_EQ(one.status, SolveStatus::kSolved) << c["name"];
    EXPECT_LE((row.after(all.impulse) - read_vector(c["v_simultaneous"])).norm(), kGolden);
    EXPECT_LE((all.impulse - read_vector(c["j_simultaneous"])).norm(), kGolden) << c["name"];
    EXPECT_LE((row.after(one.impulse) - read_vector(c["v_propagation"])).norm(), kGolden);
    EXPECT_EQ(one.num_rounds, c["propagation_impulses"].get<int>()) << c["name"];
    EXPECT_TRUE(certify_simultaneous(row.collision, all).passes(kRounding, false)) << c["name"];
    EXPECT_TRUE(certify_propagation(row.collision, one).passes(kRounding, false)) << c["name"];
  }
  EXPECT_GE(num_collisions, 5);
}

// [B89, Fig. 11]
TEST(Multiple, ThreeEqualBalls) {
  const Row row(list({1, 1, 1}), list({3, 0, 0}), {{0, 1}, {1, 2}}, 1.0);
  const CollisionSolution all = solve_simultaneous(row.collision);
  EXPECT_LE((row.after(all.impulse) - list({-1, 2, 2})).norm(), kRounding);
  EXPECT_LE((all.impulse - list({4, 2})).norm(), kRounding);
  EXPECT_NEAR(row.kinetic(row.after(all.impulse)), row.kinetic(row.v0), kRounding);
  EXPECT_LE((row.after(solve_propagation(row.collision).impulse) - list({0, 0, 3})).norm(),
            kRounding);
}

// The heavy ball keeps (k / (k + 1))^n of its speed after n rounds of propagation; all at once
// both rest.   [B89, Fig. 12]
TEST(Multiple, HeavyOnLightConvergesSlowlyByPropagation) {
  for (const double ratio : {9.0, 99.0}) {
    const Row row(list({1, ratio}), list({0, -1}), {{-1, 0}, {0, 1}}, 0.0);
    const CollisionSolution all = solve_simultaneous(row.collision);
    EXPECT_EQ(all.num_rounds, 1);
    EXPECT_LE(row.after(all.impulse).norm(), kRounding);
    double speed = 1.0;
    for (int round = 1; round <= 3; ++round) {
      speed *= ratio / (ratio + 1.0);
      // A round is two impulses: between the balls, then with the floor.
      const CollisionSolution some = solve_propagation(row.collision, {.max_impulses = 2 * round});
      EXPECT_EQ(some.status, SolveStatus::kIterationLimit);
      EXPECT_NEAR(row.after(some.impulse)[1], -speed, kRounding);
    }
    EXPECT_LE(row.after(solve_propagation(row.collision).impulse).norm(), 1e-11);
  }
}

// [B89, Fig. 13]
TEST(Multiple, BodyThatIsPushedAwayTakesNoImpulse) {
  const Row row(list({1, 1}), list({2, 0}), {{0, 1}, {-1, 1}}, 0.5);
  EXPECT_EQ(solve_simultaneous(row.collision).impulse[1], 0.0);
}

// A pair that separates is left out, and comes back when a third body drives it together.
// [B89, §8]
TEST(Multiple, SeparatingContactTakesAnotherRound) {
  const Row row(list({1, 1, 1}), list({3, 0, 0.5}), {{0, 1}, {1, 2}}, 0.5);
  const CollisionSolution all = solve_simultaneous(row.collision);
  EXPECT_GE(all.num_rounds, 2);
  EXPECT_GE((row.J * row.after(all.impulse)).minCoeff(), -kRounding);
  EXPECT_LE(row.kinetic(row.after(all.impulse)), row.kinetic(row.v0));
  EXPECT_NEAR(row.after(all.impulse).sum(), row.v0.sum(), kRounding);
}

// A heavy ball drives a light one against a wall: pi times the root of their masses' ratio, rounded
// down, times. By both models, since one contact separates while the other collides.
TEST(Multiple, RoundsCountTheDigitsOfPi) {
  const double ratio = 1e6;
  Collision collision;
  collision.W = (MatX(2, 2) << 1.0, -1.0, -1.0, 1.0 + 1.0 / ratio).finished();  // wall, heavy
  collision.v = (VecX(2) << 1e-6, -1.0).finished();
  collision.restitution = VecX::Ones(2);
  const auto calc_energy = [&](const VecX& v) {
    return 0.5 * v.dot(collision.W.ldlt().solve(v));
  };
  for (const CollisionSolution& solution :
       {solve_propagation(collision), solve_simultaneous(collision)}) {
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_EQ(solution.num_rounds, 3141);
    EXPECT_NEAR(calc_energy(solution.v_after) / calc_energy(collision.v), 1.0, 1e-9);
  }
}

TEST(Multiple, NothingToDo) {
  const Row apart(list({1, 1}), list({0, 1}), {{0, 1}}, 1.0);
  EXPECT_EQ(solve_simultaneous(apart.collision).num_rounds, 0);
  EXPECT_EQ(solve_propagation(apart.collision).num_rounds, 0);
  EXPECT_EQ(solve_simultaneous({MatX(), VecX(), VecX()}).status, SolveStatus::kSolved);
}

}  // namespace
}  // namespace tenpin::impact
