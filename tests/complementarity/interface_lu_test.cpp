// Linear systems in the bases of interfaces.
#include "complementarity/cone/interface_lu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "complementarity/cone_scenes.h"

namespace tenpin::complementarity::cone {
namespace {

std::vector<unsigned char> all_may_join(const BlockMatrix& W) {
  return std::vector<unsigned char>(W.num_blocks(), 1);
}

// Pairs of bodies with three to ten contacts each, some of them with spin, one pair after the
// other.
ConeProblem make_ladder(int num_bodies, Draw* draw) {
  ConeScene scene;
  for (int b = 0; b < num_bodies; ++b) {
    scene.add_body(draw->uniform(0.1, 10.0), Vec3::Constant(draw->uniform(0.1, 1.0)),
                   {0.0, 0.0, b + 0.5}, draw_vector(draw, 1.0), draw_vector(draw, 1.0));
    const int num_contacts = draw->integer(3, 10);
    for (int k = 0; k < num_contacts; ++k) {
      const double torsion = draw->chance(0.3) ? draw->uniform(0.1, 0.5) : 0.0;
      scene.add_contact(b - 1, b, Vec3(0.0, 0.0, b) + draw_vector(draw, 0.5), draw_direction(draw),
                        0.5, 0.0, torsion);
    }
  }
  return scene.make_problem();
}

TEST(Interfaces, PassOnNoMoreThanAWrench) {
  const ConeProblem problem = make_stack(5, 1.0, 0.5, Vec3::Zero());
  Interfaces interfaces;
  interfaces.reset(problem.W, all_may_join(problem.W));
  ASSERT_EQ(interfaces.list.size(), 5);
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(interfaces.list[k].num_members, 4);
    EXPECT_EQ(interfaces.list[k].num_rows, 12);
    EXPECT_EQ(interfaces.list[k].rank, 6);
  }
  EXPECT_EQ(interfaces.W_hat.num_rows(), problem.W.num_rows());
}

TEST(Interfaces, KeepApartWhatHasFullRank) {
  ConeProblem problem = make_stack(3, 1.0, 0.5, Vec3::Zero());
  BlockMatrix& W = problem.W;
  for (int a = 0; a < W.num_blocks(); ++a) {
    for (int i = 0; i < 3; ++i) W.entry(W.diagonal[a])[4 * i] += 1e-3;  // compliance
  }
  Interfaces interfaces;
  interfaces.reset(W, all_may_join(W));
  EXPECT_EQ(interfaces.list.size(), 12);
  EXPECT_EQ(interfaces.W_hat.values, W.values);
}

// What the solver meets: D over many decades, neither D nor W symmetric. The basis is turned back
// exactly enough for the residual of the system as it was.
TEST(InterfaceLu, SolvesTheSystemOfTheContacts) {
  for (int seed = 0; seed < 40; ++seed) {
    Draw draw(31, seed);
    ConeProblem problem = make_ladder(draw.integer(1, 6), &draw);
    BlockMatrix& W = problem.W;
    const double skew = draw.chance(0.5) ? 0.02 : 0.0;
    for (int a = 0; a < W.num_blocks(); ++a) {
      for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
        if (W.col[e] <= a) continue;
        for (int k = W.value_begin[e]; k < W.value_begin[e + 1]; ++k) W.values[k] *= 1.0 + skew;
      }
    }
    std::vector<double> D;
    BlockMatrix A = W;
    for (int a = 0; a < W.num_blocks(); ++a) {
      const int n = W.size(a);
      MatX block(n, n);
      for (double& x : block.reshaped()) x = draw.uniform(-0.2, 0.2);
      block.diagonal().array() += 1.0;
      block *= draw.chance(0.5) ? 1e-6 : 1e4;
      D.insert(D.end(), block.data(), block.data() + n * n);
      Eigen::Map<MatX>(A.entry(A.diagonal[a]), n, n) += block;
    }
    std::vector<double> f(W.num_rows());
    for (double& x : f) x = draw.uniform(-1.0, 1.0);
    std::vector<double> x = f;
    InterfaceLu lu;
    lu.reset(W, all_may_join(W));
    ASSERT_TRUE(lu.factorize(D));
    lu.solve(x);
    std::vector<double> product(x.size());
    multiply(A, x, std::vector<double>(x.size(), 0.0), product);
    double largest = 1.0;
    for (const double v : x) largest = std::max(largest, std::fabs(v));
    // Rounding of D, 1e4, times x.
    for (std::size_t i = 0; i < f.size(); ++i)
      EXPECT_NEAR(product[i], f[i], 1e-10 * largest) << seed;
  }
}

}  // namespace
}  // namespace tenpin::complementarity::cone
