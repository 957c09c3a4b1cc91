#include "base/union_find.h"

#include <gtest/gtest.h>

namespace tenpin {
namespace {

TEST(UnionFind, SmallestOfAGroupIsItsRootHoweverItWasJoined) {
  for (const bool forwards : {true, false}) {
    UnionFind nodes;
    nodes.reset(7);
    const int pairs[][2] = {{5, 3}, {6, 5}, {1, 4}, {4, 4}, {6, 3}};
    for (int k = 0; k < 5; ++k) {
      const auto& [a, b] = pairs[forwards ? k : 4 - k];
      nodes.join(a, b);
    }
    const int roots[] = {0, 1, 2, 3, 1, 3, 3};
    for (int i = 0; i < 7; ++i) EXPECT_EQ(nodes.root(i), roots[i]) << i;
    nodes.reset(2);
    EXPECT_EQ(nodes.root(1), 1) << "forgotten";
  }
}

}  // namespace
}  // namespace tenpin
