#include "shapes/decompose.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "math/trig.h"
#include "shapes/mass_properties.h"

namespace tenpin::shapes {
namespace {

// A prism over a polygon (counter-clockwise) from z = 0 to `height`; `fan` lists its triangles.
TriangleMesh make_prism(const std::vector<Vec2>& outline,
                        const std::vector<std::array<int, 3>>& fan, double height) {
  TriangleMesh mesh;
  const int n = static_cast<int>(outline.size());
  for (const double z : {0.0, height}) {
    for (const Vec2& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  }
  for (const auto& [a, b, c] : fan) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + n, b + n, c + n});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, j, j + n});
    mesh.triangles.push_back({i, j + n, i + n});
  }
  return mesh;
}

TriangleMesh make_l() {
  return make_prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}},
                    {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 0.5);
}

TriangleMesh make_u() {
  return make_prism({{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
                    {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}}, 1.0);
}

TriangleMesh make_torus(int around, int tube) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i) {
    const SinCos big = sin_cos(2.0 * kPi * i / around);
    for (int k = 0; k < tube; ++k) {
      const SinCos small = sin_cos(2.0 * kPi * k / tube);
      const double r = 1.0 + 0.3 * small.cos;
      mesh.vertices.emplace_back(r * big.cos, r * big.sin, 0.3 * small.sin);
    }
  }
  const auto at = [&](int i, int k) {
    return i % around * tube + k % tube;
  };
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < tube; ++k) {
      mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  }
  return mesh;
}

double sum_volumes(const Decomposition& decomposition) {
  double sum = 0.0;
  for (const auto& hull : decomposition.pieces) {
    const PlacedShape solid = {Polyhedron{hull}, Pose()};
    sum += calc_mass_properties({&solid, 1}, 1.0).mass;
  }
  return sum;
}

TEST(Decompose, AConvexMeshStaysWhole) {
  const TriangleMesh box = make_prism({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 1, 2}, {0, 2, 3}}, 1);
  const Decomposition whole = decompose(box, 20);
  EXPECT_EQ(whole.pieces.size(), 1U);
  EXPECT_NEAR(whole.volume, 1.0, 1e-15);
}

TEST(Decompose, AnLIsTwoBoxesAndAUIsThree) {
  const Decomposition l = decompose(make_l(), 20);
  EXPECT_EQ(l.pieces.size(), 2U);
  EXPECT_NEAR(l.volume, 2.0, 1e-14);
  EXPECT_NEAR(l.added, 0.0, 1e-12);
  const Decomposition u = decompose(make_u(), 20);
  EXPECT_EQ(u.pieces.size(), 3U);
  EXPECT_NEAR(u.volume, 5.0, 1e-14);
  EXPECT_NEAR(u.added, 0.0, 1e-12);
  EXPECT_NEAR(sum_volumes(u), 5.0, 1e-12);
}

TEST(Decompose, MorePiecesOfATorusAddLess) {
  const TriangleMesh torus = make_torus(32, 12);
  ASSERT_TRUE(check_closed(torus).closed());
  double last = 1e9;
  for (const int most : {1, 4, 8, 20}) {
    const Decomposition pieces = decompose(torus, most);
    EXPECT_LE(static_cast<int>(pieces.pieces.size()), most);
    EXPECT_NEAR(pieces.volume + pieces.added, sum_volumes(pieces), 1e-9);
    EXPECT_LT(pieces.added / pieces.volume, last);
    last = pieces.added / pieces.volume;
  }
  EXPECT_LT(last, 0.03);  // 20 pieces; measured: 0.015
}

TEST(Decompose, TheSameMeshGivesTheSameBits) {
  const TriangleMesh torus = make_torus(24, 8);
  const Decomposition first = decompose(torus, 8);
  const Decomposition second = decompose(torus, 8);
  ASSERT_EQ(first.pieces.size(), second.pieces.size());
  for (std::size_t i = 0; i < first.pieces.size(); ++i) {
    EXPECT_EQ(first.pieces[i]->vertices, second.pieces[i]->vertices);
  }
}

}  // namespace
}  // namespace tenpin::shapes
