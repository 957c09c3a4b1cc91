// Lemke in floating point against Lemke in rational numbers, on random problems of n <= 8.
// TENPIN_TEST_SCALE multiplies the number of problems.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "complementarity/draw.h"
#include "complementarity/exact_lemke.h"
#include "complementarity/friction_lcp.h"
#include "complementarity/lemke.h"

namespace tenpin::complementarity {
namespace {

constexpr int kMaxSize = 8;
constexpr int kNumProblems = 12500;   // of each of the eight classes in floating point
constexpr double kTolerance = 1e-12;  // LemkeOptions' own: the gate must hold without rounding

int calc_num_problems() {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  return kNumProblems * std::max(1, scale == nullptr ? 1 : std::atoi(scale));
}

MatX draw_integers(int rows, int cols, int bound, Draw* draw) {
  MatX matrix(rows, cols);
  for (double& value : matrix.reshaped()) value = draw->integer(-bound, bound);
  return matrix;
}

Lcp make_small_integers(int n, Draw* draw) {
  return {draw_integers(n, n, 5, draw), draw_integers(n, 1, 9, draw)};
}

Lcp make_degenerate(int n, Draw* draw) {
  return {draw_integers(n, n, 1, draw), draw_integers(n, 1, 1, draw)};
}

// G G' with fewer columns than rows, and a u for which a solution exists (u = w - R z).
Lcp make_rank_deficient(int n, Draw* draw) {
  const MatX G = draw_integers(n, std::max(1, n - draw->integer(1, 4)), 3, draw);
  Lcp lcp{G * G.transpose(), VecX(n)};
  VecX z(n);
  for (int i = 0; i < n; ++i) {
    const int kind = draw->integer(0, 2);  // both zero one time in three: degenerate
    z[i] = kind == 0 ? draw->integer(1, 4) : 0;
    lcp.u[i] = kind == 1 ? draw->integer(1, 4) : 0;
  }
  lcp.u -= lcp.R * z;
  return lcp;
}

// A semidefinite part, a skew part and a nonnegative part: copositive.
Lcp make_copositive(int n, Draw* draw) {
  const MatX G = draw_integers(n, std::max(1, n / 2), 2, draw);
  const MatX K = draw_integers(n, n, 2, draw);
  MatX R = G * G.transpose() + (K - K.transpose());
  if (draw->chance(0.5)) R += draw_integers(n, n, 2, draw).cwiseAbs();
  return {R, draw_integers(n, 1, 4, draw)};
}

// Planar contacts with two directions, or one with four: the structure of a time step. Few
// freedoms make contacts redundant.
Lcp make_friction(int n, Draw* draw) {
  const int nc = n >= 8 ? 2 : 1;
  const int k = n >= 8 || n < 6 ? 2 : 4;
  const int nv = draw->integer(1, 4);
  const MatX N = draw_integers(nv, nc, 2, draw);
  MatX D(nv, nc * k);
  for (int j = 0; j < nc * k; j += 2) {
    D.col(j) = draw_integers(nv, 1, 2, draw);
    D.col(j + 1) = -D.col(j);
  }
  MatX W = MatX::Identity(nv, nv);
  for (int i = 0; i < nv; ++i) W(i, i) = draw->integer(1, 3);
  const VecX mu = 0.25 * draw_integers(nc, 1, 4, draw).cwiseAbs();
  return assemble_friction_lcp(W, N, D, mu, draw_integers(nv, 1, 4, draw));
}

// A positive definite symmetric part: one solution.
Lcp make_p_matrix(int n, Draw* draw) {
  Lcp lcp = make_copositive(n, draw);
  const MatX G = draw_integers(n, n, 2, draw);
  const MatX K = draw_integers(n, n, 3, draw);
  lcp.R = G * G.transpose() + (K - K.transpose()) + MatX::Identity(n, n);
  return lcp;
}

// A row that no z >= 0 lifts to zero.
Lcp make_without_solution(int n, Draw* draw) {
  Lcp lcp = make_small_integers(n, draw);
  const int i = draw->integer(0, n - 1);
  lcp.R.row(i) = -lcp.R.row(i).cwiseAbs();
  lcp.u[i] = -draw->integer(1, 9);
  return lcp;
}

// All 53 bits in use, and rows and columns in units up to a million apart.
Lcp make_uniform(int n, Draw* draw) {
  Lcp lcp{MatX(n, n), VecX(n)};
  for (double& value : lcp.R.reshaped()) value = draw->uniform(-1.0, 1.0);
  for (double& value : lcp.u) value = draw->uniform(-1.0, 1.0);
  for (int i = 0; i < n; ++i) {
    const double row = std::ldexp(1.0, draw->integer(-20, 20));
    lcp.R.row(i) *= row;
    lcp.u[i] *= row;
    lcp.R.col(i) *= std::ldexp(1.0, draw->integer(-20, 20));
  }
  return lcp;
}

// Integers with ties that are broken by 2^-34 to 2^-50 only. Where several meet, products of
// such differences decide, which no fixed number of digits resolves.
Lcp make_nearly_degenerate(int n, Draw* draw) {
  Lcp lcp = draw->chance(0.5) ? make_degenerate(n, draw) : make_rank_deficient(n, draw);
  const auto nudge = [draw](double* value) {
    if (draw->chance(0.3)) *value += std::ldexp(draw->integer(-1, 1), -draw->integer(34, 50));
  };
  for (double& value : lcp.R.reshaped()) nudge(&value);
  for (double& value : lcp.u) nudge(&value);
  return lcp;
}

struct Counts {
  int solved = 0;
  int rays = 0;
  int others = 0;        // neither: a failure of ours, since exact Lemke always ends
  int false_solved = 0;  // the exact residual of z exceeds the tolerance
  int false_rays = 0;    // the exact path ends at a solution
  int beyond_exact = 0;  // solved where the exact path ends on a ray: allowed, hoped for rarely
  int tried_again = 0;   // the first attempt was not enough
};

class LemkeExact : public testing::Test {
 protected:
  void check(const Lcp& lcp, const std::string& problem) {
    lemke_.solve(lcp, &solution_);
    const ExactEnd exact = follow_exact_lemke(lcp, lemke_.calc_covering());
    counts_.tried_again += lemke_.tried_again() ? 1 : 0;
    if (solution_.status == SolveStatus::kSolved) {
      ++counts_.solved;
      counts_.beyond_exact += exact == ExactEnd::kRay ? 1 : 0;
      const mpq_class residual = calc_exact_residual(lcp, solution_.z);
      if (residual > kTolerance) {
        ++counts_.false_solved;
        ADD_FAILURE() << problem << ": called solved with residual " << residual.get_d();
      }
    } else if (solution_.status == SolveStatus::kRayTermination) {
      ++counts_.rays;
      if (exact != ExactEnd::kRay) {
        ++counts_.false_rays;
        ADD_FAILURE() << problem << ": called a ray, but exact Lemke solves it";
      }
    } else {
      ++counts_.others;
      ADD_FAILURE() << problem << ": " << to_string(solution_.status);
    }
  }

  void run(Lcp (*make)(int, Draw*), std::uint64_t seed, int count = calc_num_problems()) {
    for (int p = 0; p < count; ++p) {
      Draw draw(seed, static_cast<std::uint64_t>(p));
      const Lcp lcp = make(draw.integer(1, kMaxSize), &draw);
      check(lcp, "seed " + std::to_string(seed) + " problem " + std::to_string(p));
    }
    std::printf(
        "%d problems: %d solved, %d rays, %d others, %d false solved, %d false rays, "
        "%d beyond exact, %d tried again\n",
        count, counts_.solved, counts_.rays, counts_.others, counts_.false_solved,
        counts_.false_rays, counts_.beyond_exact, counts_.tried_again);
  }

  // No rational numbers of its own: the second attempt is that of large problems.
  Lemke lemke_{{.max_exact_size = 0}};
  LcpSolution solution_;
  Counts counts_;
};

// The judge rejects what is wrong, and agrees with the certificate about how wrong it is.
TEST(ExactResidual, AgreesWithTheCertificate) {
  for (std::uint64_t p = 0; p < 1000; ++p) {
    Draw draw(10, p);
    const Lcp lcp = make_uniform(draw.integer(1, kMaxSize), &draw);
    VecX z(lcp.size());
    for (double& value : z) value = std::max(0.0, draw.uniform(-1.0, 1.0));
    const double exact = calc_exact_residual(lcp, z).get_d();
    ASSERT_NEAR(certify(lcp, z).relative, exact, 1e-15);
  }
}

TEST_F(LemkeExact, SmallIntegers) {
  run(make_small_integers, 11);
}

TEST_F(LemkeExact, Degenerate) {
  run(make_degenerate, 12);
}

TEST_F(LemkeExact, RankDeficientSemidefinite) {
  run(make_rank_deficient, 13);
  EXPECT_EQ(counts_.rays, 0);  // semidefinite and feasible: Lemke solves it
}

TEST_F(LemkeExact, Copositive) {
  run(make_copositive, 14);
}

TEST_F(LemkeExact, Friction) {
  run(make_friction, 15);
}

TEST_F(LemkeExact, PMatrix) {
  run(make_p_matrix, 16);
  EXPECT_EQ(counts_.rays, 0);
}

TEST_F(LemkeExact, WithoutSolution) {
  run(make_without_solution, 17);
  EXPECT_EQ(counts_.solved, 0);
}

TEST_F(LemkeExact, UniformInAllUnits) {
  run(make_uniform, 18);
}

// The second attempt of small problems, against rational numbers of another make.
TEST_F(LemkeExact, NearlyDegenerateByRationals) {
  lemke_ = Lemke({.max_exact_size = kMaxSize});
  run(make_nearly_degenerate, 19, calc_num_problems() / 2);
}

TEST_F(LemkeExact, DegenerateByRationals) {
  lemke_ = Lemke({.max_exact_size = kMaxSize});
  run(make_degenerate, 20, calc_num_problems() / 4);
}

}  // namespace
}  // namespace tenpin::complementarity
