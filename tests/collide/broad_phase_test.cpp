#include "collide/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/rng.h"

namespace tenpin::collide {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Pair> find_by_force(const std::vector<Aabb>& boxes) {
  std::vector<Pair> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      const bool apart = !((boxes[i].lower.array() <= boxes[j].upper.array()).all() &&
                           (boxes[j].lower.array() <= boxes[i].upper.array()).all());
      if (!apart) {
        pairs.push_back({i, j});
      }
    }
  }
  return pairs;
}

void expect_same_as_force(BroadPhase* broad_phase, const std::vector<Aabb>& boxes,
                          const Workers* workers = nullptr) {
  const auto pairs = broad_phase->update(boxes, workers);
  const std::vector<Pair> wanted = find_by_force(boxes);
  ASSERT_EQ(std::vector<Pair>(pairs.begin(), pairs.end()), wanted);
}

struct Recipe {
  double room = 1.0;          // m   centres lie within +-room
  double size = 1.0;          // m   largest half edge
  int size_octaves = 0;       // halvings over which sizes spread
  Vec3 shift = Vec3::Zero();  // m
  double lattice = 0.0;       // m   > 0: all corners are rounded to multiples
};

std::vector<Aabb> make_boxes(const RandomStream& random, int num, const Recipe& recipe) {
  std::vector<Aabb> boxes(num);
  for (int i = 0; i < num; ++i) {
    Vec3 center, half;
    const auto octave = static_cast<int>(random.index(8 * i + 7, recipe.size_octaves + 1));
    for (int k = 0; k < 3; ++k) {
      center[k] = recipe.shift[k] + random.uniform(8 * i + k, -recipe.room, recipe.room);
      half[k] = random.uniform(8 * i + 3 + k, 0.0, std::ldexp(recipe.size, -octave));
    }
    boxes[i] = {center - half, center + half};
    if (recipe.lattice > 0.0) {
      boxes[i].lower = (boxes[i].lower / recipe.lattice).array().floor() * recipe.lattice;
      boxes[i].upper = (boxes[i].upper / recipe.lattice).array().floor() * recipe.lattice;
    }
  }
  return boxes;
}

int test_scale() {
  const char* text = std::getenv("TENPIN_TEST_SCALE");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

// Every kind of scene in turn through one object, so that stale buffers would show.
TEST(BroadPhase, FindsWhatBruteForceFinds) {
  const std::vector<Recipe> recipes = {
      {.room = 10.0, .size = 1.0},
      {.room = 1.0, .size = 1.0},
      {.room = 100.0, .size = 0.5},
      {.room = 20.0, .size = 10.0, .size_octaves = 13},
      {.room = 3.0, .size = 3.0, .size_octaves = 40},
      {.room = 10.0, .size = 1.0, .shift = Vec3(1e7, -1e7, 1e7)},
      {.room = 1e7, .size = 1e6, .size_octaves = 20},
      {.room = 1e7, .size = 1e-4},
      {.room = 4.0,
       .size = 1.0,
       .lattice = 0.5},  // touching faces, equal corners, exact cell sizes
      {.room = 8.0, .size = 1.0, .shift = Vec3(-3, 0, 3), .lattice = 1.0},
      {.room = 0.0, .size = 0.0},
      {.room = 1e-300, .size = 1e-305},
  };
  BroadPhase broad_phase;
  for (int trial = 0; trial < 20 * test_scale(); ++trial) {
    for (std::size_t r = 0; r < recipes.size(); ++r) {
      const RandomStream random(trial, r);
      const int num = static_cast<int>(random.index(~0U, 300));
      ASSERT_NO_FATAL_FAILURE(
          expect_same_as_force(&broad_phase, make_boxes(random, num, recipes[r])))
          << "trial " << trial << " recipe " << r;
    }
  }
}

TEST(BroadPhase, FindsPairsInClustersFarApart) {
  std::vector<Aabb> boxes;
  for (int cluster = 0; cluster < 20; ++cluster) {
    const RandomStream random(5, cluster);
    const Vec3 shift = 1e5 * Vec3(cluster % 3, cluster % 5, cluster % 7);
    const auto some = make_boxes(random, 40, {.room = 0.01, .size = 0.003, .shift = shift});
    boxes.insert(boxes.end(), some.begin(), some.end());
  }
  BroadPhase broad_phase;
  expect_same_as_force(&broad_phase, boxes);
}

TEST(BroadPhase, HandlesInfiniteEmptyAndNanBoxes) {
  std::vector<Aabb> boxes = make_boxes(RandomStream(3), 100, {.room = 5.0, .size = 1.0});
  boxes.push_back({Vec3::Constant(-kInfinity), Vec3(kInfinity, kInfinity, 0.0)});
  boxes.push_back({Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)});
  boxes.push_back({Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)});
  boxes.push_back({Vec3::Constant(std::nan("")), Vec3::Constant(std::nan(""))});
  boxes.insert(boxes.begin(), {Vec3::Constant(-1e308), Vec3::Constant(1e308)});
  BroadPhase broad_phase;
  expect_same_as_force(&broad_phase, boxes);
}

TEST(BroadPhase, BoxesThatTouchOverlap) {
  const std::vector<Aabb> boxes = {{Vec3(0, 0, 0), Vec3(1, 1, 1)}, {Vec3(1, 1, 1), Vec3(2, 2, 2)}};
  BroadPhase broad_phase;
  EXPECT_EQ(broad_phase.update(boxes).size(), 1U);
}

TEST(BroadPhase, NoBoxesAndOneBoxHaveNoPairs) {
  BroadPhase broad_phase;
  EXPECT_TRUE(broad_phase.update({}).empty());
  EXPECT_TRUE(broad_phase.update(std::vector<Aabb>(1)).empty());
}

TEST(BroadPhase, AllAtOnePointIsEveryPair) {
  const std::size_t num = 3000;
  const std::vector<Aabb> boxes(num, {Vec3::Constant(7.0), Vec3::Constant(7.5)});
  BroadPhase broad_phase;
  const auto pairs = broad_phase.update(boxes);
  ASSERT_EQ(pairs.size(), num * (num - 1) / 2);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
}

TEST(BroadPhase, KeepsItsBuffer) {
  const auto boxes = make_boxes(RandomStream(9), 500, {.room = 3.0, .size = 0.5});
  BroadPhase broad_phase;
  const Pair* before = broad_phase.update(boxes).data();
  EXPECT_EQ(broad_phase.update(boxes).data(), before);
}

// Fewer and more boxes than a thread takes at a time, with some that no grid suits.
TEST(BroadPhase, ThreadsFindTheSamePairs) {
  const Workers workers(3);
  BroadPhase broad_phase;
  for (const int num : {3000, 100, 1700}) {
    std::vector<Aabb> boxes =
        make_boxes(RandomStream(17, num), num, {.room = 3.0, .size = 0.3, .size_octaves = 4});
    boxes.front().upper.z() = kInfinity;
    expect_same_as_force(&broad_phase, boxes, &workers);
  }
}

}  // namespace
}  // namespace tenpin::collide
