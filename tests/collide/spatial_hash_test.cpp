#include "collide/spatial_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/random_pairs.h"

namespace tenpin::collide {
namespace {

shapes::Aabb make_box(PairMaker* maker) {
  const Vec3 center = maker->uniform(0.0, 10.0) * maker->make_direction();
  const double size = std::pow(10.0, maker->uniform(-3.0, 1.0));
  const Vec3 half(size, size * maker->uniform(0.1, 1.0), size * maker->uniform(0.1, 1.0));
  return {.lower = center - half, .upper = center + half};
}

bool overlap(const shapes::Aabb& a, const shapes::Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

// Boxes come, move and go in any order; queries find those and only those that overlap.
TEST(SpatialHash, FindsWhatOverlaps) {
  PairMaker maker(91);
  constexpr int kBoxes = 200;
  SpatialHash hash;
  hash.reset(kBoxes);
  std::vector<bool> filed(kBoxes);
  std::vector<int> found;
  for (int i = 0; i < 4000 * test_scale(); ++i) {
    const int box = maker.pick(kBoxes);
    if (filed[box] && maker.pick(4) == 0) {
      hash.remove(box);
      filed[box] = false;
    } else {
      hash.place(box, make_box(&maker));
      filed[box] = true;
    }
    const shapes::Aabb query = make_box(&maker);
    found.clear();
    hash.find(query, &found);
    std::vector<int> expected;
    for (int k = 0; k < kBoxes; ++k) {
      if (filed[k] && overlap(hash.bounds(k), query)) expected.push_back(k);
    }
    ASSERT_EQ(found, expected) << i;
  }
}

TEST(SpatialHash, InfiniteBoxesAreFoundAndFind) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  SpatialHash hash;
  hash.reset(2);
  hash.place(0, {.lower = Vec3::Constant(-kInfinity), .upper = Vec3(kInfinity, kInfinity, 0.0)});
  hash.place(1, {.lower = Vec3(0, 0, -0.1), .upper = Vec3(1, 1, 1)});
  std::vector<int> found;
  hash.find(hash.bounds(1), &found);
  EXPECT_EQ(found, (std::vector{0, 1}));
  found.clear();
  hash.find(hash.bounds(0), &found);
  EXPECT_EQ(found, (std::vector{0, 1}));
}

// Evenly spread boxes of one size: each query compares a bounded number, however many there are.
TEST(SpatialHash, CostPerQueryDoesNotGrow) {
  for (const int edge : {8, 24}) {
    SpatialHash hash;
    const int count = edge * edge * edge;
    hash.reset(count);
    for (int i = 0; i < count; ++i) {
      const Vec3 lower(i % edge, i / edge % edge, i / edge / edge);
      hash.place(i, {.lower = lower, .upper = lower + Vec3::Constant(0.9)});
    }
    std::vector<int> found;
    for (int i = 0; i < count; ++i) hash.find(hash.bounds(i), &found);
    EXPECT_LE(hash.num_looks(), 30 * count) << edge;
  }
}

}  // namespace
}  // namespace tenpin::collide
