#include "complementarity/cone/least_reactions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rng.h"

namespace tenpin::complementarity::cone {
namespace {

Reaction draw_vector(const RandomStream& random, std::uint64_t* at, int rows) {
  Reaction x = Reaction::Zero();
  for (int k = 0; k < rows; ++k) x[k] = 2.0 * random.uniform((*at)++) - 1.0;
  return x;
}

std::vector<Vec2> make_directions(int count, double phase) {
  std::vector<Vec2> directions;
  for (int j = 0; j < count; ++j) {
    const double angle = 2.0 * 3.14159265358979323846 * (j + phase) / count;
    directions.emplace_back(std::cos(angle), std::sin(angle));
  }
  return directions;
}

// A point of the set that is drawn at random.
Reaction draw_member(const ReactionSet& set, const RandomStream& random, std::uint64_t* at) {
  const double n = 2.0 * random.uniform((*at)++);
  Reaction x = Reaction::Zero();
  switch (set.kind) {
    case ReactionSet::Kind::kRay:
      return n * set.ray;
    case ReactionSet::Kind::kCone: {
      const Reaction t = draw_vector(random, at, set.num_rows - 1);
      x[0] = n;
      for (int k = 1; k < set.num_rows; ++k) x[k] = set.mu * n * t[k - 1] / std::max(1.0, t.norm());
      return x;
    }
    case ReactionSet::Kind::kPolygon: {
      double sum = 0.0;
      for (const Vec2& d : set.directions) {
        const double share = random.uniform((*at)++);
        sum += share;
        x.segment<2>(1) += share * set.mu * n * d;
      }
      x /= std::max(1.0, sum);
      x[0] = n;
      return x;
    }
    case ReactionSet::Kind::kInterval:
      x[1] = set.bound * (2.0 * random.uniform((*at)++) - 1.0);
      return x;
  }
  return x;
}

std::vector<ReactionSet> make_sets(const std::vector<Vec2>& eight, const std::vector<Vec2>& five) {
  using Kind = ReactionSet::Kind;
  return {{.kind = Kind::kCone, .num_rows = 3, .mu = 0.5},
          {.kind = Kind::kCone, .num_rows = 4, .mu = 0.8},
          {.kind = Kind::kCone, .num_rows = 2, .mu = 0.3},
          {.kind = Kind::kCone, .num_rows = 3, .mu = 0.0},
          {.kind = Kind::kPolygon, .num_rows = 3, .mu = 0.7, .directions = eight},
          {.kind = Kind::kPolygon, .num_rows = 3, .mu = 1.3, .directions = five},
          {.kind = Kind::kRay, .num_rows = 3, .ray = {1.0, 0.3, -0.4, 0.0}},
          {.kind = Kind::kInterval, .num_rows = 3, .bound = 0.4}};
}

// The nearest point of a convex set: no member lies on x's side of the plane through it.
TEST(ReactionSet, ProjectionIsTheNearestMember) {
  const std::vector<Vec2> eight = make_directions(8, 0.0);
  const std::vector<Vec2> five = make_directions(5, 0.3);
  const RandomStream random(7, 0);
  std::uint64_t at = 0;
  for (const ReactionSet& set : make_sets(eight, five)) {
    for (int round = 0; round < 300; ++round) {
      const Reaction x = draw_vector(random, &at, set.num_rows);
      const Reaction nearest = project(set, x).point;
      EXPECT_LE((project(set, nearest).point - nearest).norm(), 1e-14);  // it is a member
      EXPECT_NEAR(nearest.dot(x - nearest), 0.0,
                  set.kind == ReactionSet::Kind::kInterval ? 1.0 : 1e-14);
      for (int k = 0; k < 30; ++k) {
        const Reaction member = draw_member(set, random, &at);
        EXPECT_LE((member - nearest).dot(x - nearest), 1e-14);
      }
    }
  }
}

TEST(ReactionSet, SlopeIsThatOfTheProjection) {
  constexpr double kStep = 1e-6;
  const std::vector<Vec2> eight = make_directions(8, 0.0);
  const std::vector<Vec2> five = make_directions(5, 0.3);
  const RandomStream random(8, 0);
  std::uint64_t at = 0;
  for (const ReactionSet& set : make_sets(eight, five)) {
    for (int round = 0; round < 100; ++round) {
      const Reaction x = draw_vector(random, &at, set.num_rows);
      const Reaction d = draw_vector(random, &at, set.num_rows);
      const Projection here = project(set, x);
      const Reaction rise =
          (project(set, x + kStep * d).point - project(set, x - kStep * d).point) / (2.0 * kStep);
      EXPECT_LE((here.slope * d - rise).norm(), 1e-5);
    }
  }
}

struct Drawn {
  std::vector<ReactionSet> sets;
  std::vector<Reaction> given;
  std::vector<Eigen::Matrix<double, 4, 6>> B;
};

// Many contacts on one body: far more rows than columns.
Drawn draw_problem(std::uint64_t seed, const std::vector<Vec2>& eight,
                   const std::vector<Vec2>& five) {
  const RandomStream random(seed, 1);
  std::uint64_t at = 0;
  Drawn drawn;
  for (int round = 0; round < 2; ++round) {
    for (const ReactionSet& set : make_sets(eight, five)) {
      drawn.sets.push_back(set);
      drawn.given.push_back(draw_member(set, random, &at));
      drawn.B.emplace_back();
      for (int k = 0; k < 24; ++k) drawn.B.back()(k / 6, k % 6) = 2.0 * random.uniform(at++) - 1.0;
      drawn.B.back().bottomRows(4 - set.num_rows).setZero();
    }
  }
  return drawn;
}

// Shortest: no other member that acts alike is nearer to zero, in particular not the given ones,
// and r + the null space leads out of the sets or away. Checked by the inequality of projections
// against many members of the same loads: mixtures of the given ones and of the answer.
TEST(LeastReactions, KeepTheLoadsAndAreTheShortest) {
  const std::vector<Vec2> eight = make_directions(8, 0.0);
  const std::vector<Vec2> five = make_directions(5, 0.3);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Drawn drawn = draw_problem(seed, eight, five);
    LeastReactions least;
    const int widths[] = {6};
    least.reset(widths);
    for (std::size_t i = 0; i < drawn.sets.size(); ++i) {
      least.add(drawn.sets[i], drawn.given[i], {}, {.group = 0, .values = drawn.B[i].data()});
    }
    ASSERT_TRUE(least.solve(40)) << seed;
    Eigen::Matrix<double, 6, 1> change = Eigen::Matrix<double, 6, 1>::Zero();
    double inner = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < drawn.sets.size(); ++i) {
      const Reaction& r = least.reaction(static_cast<int>(i));
      change += drawn.B[i].transpose() * (r - drawn.given[i]);
      inner += r.dot(drawn.given[i] - r);
      size += r.squaredNorm();
      EXPECT_LE((project(drawn.sets[i], r).point - r).norm(), 1e-13);
    }
    EXPECT_LE(change.norm(), 1e-11) << seed;
    EXPECT_GE(inner, -1e-11) << seed;  // the answer is nearer to zero than all between them
    // A second start, from the answer itself, ends where it began.
    LeastReactions again;
    again.reset(widths);
    for (std::size_t i = 0; i < drawn.sets.size(); ++i) {
      again.add(drawn.sets[i], least.reaction(static_cast<int>(i)), {},
                {.group = 0, .values = drawn.B[i].data()});
    }
    ASSERT_TRUE(again.solve(40)) << seed;
    for (std::size_t i = 0; i < drawn.sets.size(); ++i) {
      const int k = static_cast<int>(i);
      EXPECT_LE((again.reaction(k) - least.reaction(k)).norm(), 1e-9 * std::sqrt(size)) << seed;
    }
  }
}

TEST(LeastReactions, RefuseReactionsThatAreNotInTheirSets) {
  LeastReactions least;
  const int widths[] = {6};
  least.reset(widths);
  const Eigen::Matrix<double, 4, 6> B = Eigen::Matrix<double, 4, 6>::Ones();
  least.add({.num_rows = 3, .mu = 0.5}, {1.0, 0.6, 0.0, 0.0}, {}, {.group = 0, .values = B.data()});
  EXPECT_FALSE(least.solve(40));
  EXPECT_EQ(least.reaction(0), Reaction(1.0, 0.6, 0.0, 0.0));
}

}  // namespace
}  // namespace tenpin::complementarity::cone
