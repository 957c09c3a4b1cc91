#include "complementarity/cone/cone_solver.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "complementarity/cone/local_contact.h"
#include "complementarity/cone/local_patch.h"
#include "complementarity/cone_scenes.h"

namespace tenpin::complementarity::cone {
namespace {

int test_scale() {
  const char* text = std::getenv("TENPIN_TEST_SCALE");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

ConeSolution solve(const ConeProblem& problem, const ConeOptions& options = {}) {
  ConeSolver solver(options);
  ConeSolution solution;
  solver.solve(problem, &solution);
  return solution;
}

// A block of 2 kg on a ramp: gravity over one step, normal and downhill.
ConeProblem make_ramp(double mu, double normal_speed, double downhill_speed) {
  ConeProblem problem;
  const double list[] = {mu};
  set_structure(list, {}, {}, &problem);
  Eigen::Map<Mat3>(problem.W.entry(0)) = 0.5 * Mat3::Identity();
  problem.q = {-normal_speed, downhill_speed, 0.0};
  return problem;
}

TEST(ConeSolver, BlockSticksOnARamp) {
  const ConeSolution solution = solve(make_ramp(0.5, 1.0, 0.4));
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_DOUBLE_EQ(solution.r[0], 2.0);
  EXPECT_DOUBLE_EQ(solution.r[1], -0.8);
  EXPECT_NEAR(solution.u[1], 0.0, 1e-15);
}

TEST(ConeSolver, BlockSlidesOnARamp) {
  const ConeSolution solution = solve(make_ramp(0.3, 1.0, 0.4));
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_DOUBLE_EQ(solution.r[0], 2.0);
  EXPECT_NEAR(solution.r[1], -0.6, 1e-14);
  EXPECT_NEAR(solution.u[1], 0.1, 1e-14);
}

TEST(ConeSolver, WithoutFrictionOnlyTheNormalActs) {
  const ConeSolution solution = solve(make_ramp(0.0, 1.0, 0.4));
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_DOUBLE_EQ(solution.r[0], 2.0);
  EXPECT_EQ(solution.r[1], 0.0);
  EXPECT_EQ(solution.r[2], 0.0);
}

// A sweep solves one contact exactly, whatever the guess: balls on a table cost no factorization.
TEST(ConeSolver, SingleContactNeedsNoLinearSystem) {
  Draw draw(3);
  ConeSolver solver({.tolerance = 1e-12});
  for (int i = 0; i < 50; ++i) {
    ConeScene scene;
    const Vec3 p(draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0.5), 1.0);
    const Vec3 v(draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0), draw.uniform(-1.0, -0.1));
    const int body = scene.add_body(2.0, Vec3(0.5, 0.6, 0.7), p, v, Vec3(0.3, -0.2, 0.1));
    scene.add_contact(-1, body, Vec3::Zero(), Vec3::UnitZ(), draw.uniform(0.0, 1.0));
    const ConeProblem problem = scene.make_problem();
    const std::vector<double> guess = {1.0, draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0.5)};
    ConeSolution solution;
    solver.solve(problem, guess, &solution);
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_EQ(solution.effort.newton + solution.effort.interior_point, 0);
    EXPECT_LE(solution.effort.sweeps, 1);
  }
}

TEST(ConeSolver, EmptyAndQuietProblemsNeedNothing) {
  ConeProblem empty;
  set_structure({}, {}, {}, &empty);
  EXPECT_EQ(solve(empty).status, SolveStatus::kSolved);
  const ConeSolution quiet = solve(make_ramp(0.5, 0.0, 0.0));
  EXPECT_EQ(quiet.status, SolveStatus::kSolved);
  EXPECT_EQ(quiet.r, (std::vector<double>{0.0, 0.0, 0.0}));
}

// A load that acts anyway: the open block rubs with mu times it, or is held by less; a load beside
// the weight lets friction hold what the weight alone would not.
TEST(ConeSolver, FrictionLeansOnAGivenLoad) {
  struct Case {
    double normal_speed, downhill_speed, given, friction;
  };
  for (const Case& c : {Case{-1.0, 0.4, 0.9, -0.45}, Case{-1.0, 0.4, 2.0, -0.8},
                        Case{1.0, 0.8, 0.2, -1.1}, Case{1.0, 0.5, 0.2, -1.0}}) {
    ConeProblem problem = make_ramp(0.5, c.normal_speed, c.downhill_speed);
    problem.given[0] = c.given;
    for (const ConeMethod method :
         {ConeMethod::kCascade, ConeMethod::kGaussSeidel, ConeMethod::kNewton}) {
      const ConeSolution solution = solve(problem, {.tolerance = 1e-12, .method = method});
      ASSERT_EQ(solution.status, SolveStatus::kSolved) << c.given;
      EXPECT_NEAR(solution.r[0], c.normal_speed > 0.0 ? 2.0 : 0.0, 1e-11) << c.given;
      EXPECT_NEAR(solution.r[1], c.friction, 1e-11) << c.given;
    }
  }
}

// Between two fixed bodies no impulse changes anything: fine if they part, hopeless if not.
TEST(ConeSolver, ContactThatNothingMoves) {
  Draw draw(9);
  for (const double q : {0.5, -0.5}) {
    ConeScene scene;
    scene.add_body(1.0, Vec3::Ones(), Vec3::Zero(), {0, 0, -1}, Vec3::Zero());
    scene.add_contact(-1, 0, {0, 0, -0.5}, Vec3::UnitZ(), 0.5);
    scene.add_contact(-1, -1, {1, 0, 0}, Vec3::UnitZ(), 0.5, q);
    const ConeSolution solution = solve(scene.make_problem(), {.max_systems = 300});
    if (q > 0.0) {
      EXPECT_EQ(solution.status, SolveStatus::kSolved);
    } else {
      EXPECT_NE(solution.status, SolveStatus::kSolved);
      EXPECT_GT(solution.residual.err_q, 0.1);
    }
  }
}

TEST(ConeSolver, SaysWhatIsNotFinite) {
  ConeProblem problem = make_ramp(0.5, 1.0, 0.4);
  problem.q[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(problem).status, SolveStatus::kNonfinite);
}

TEST(ConeSolver, BudgetEndsHonestly) {
  Draw draw(12);
  const ConeProblem problem = make_ball_pack(3, 3, 3, 0.6, 0.0, &draw);
  const ConeSolution solution = solve(problem, {.max_systems = 5});
  EXPECT_EQ(solution.status, SolveStatus::kIterationLimit);
  EXPECT_LE(solution.effort.newton + solution.effort.interior_point, 5);
  EXPECT_GT(solution.residual.err_q, 1e-8);
}

// Every answer of the one-contact solvers obeys the law, for matrices with coupling and none.
template <typename Local, int kSize>
void expect_the_law(int stream) {
  using Block = Eigen::Matrix<double, kSize, kSize>;
  for (int seed = 0; seed < 3000; ++seed) {
    Draw draw(stream, seed);
    Block B;
    for (double& x : B.reshaped()) x = draw.uniform(-1.0, 1.0);
    const Block A = B * B.transpose() + draw.uniform(1e-3, 1.0) * Block::Identity();
    ConeProblem problem;
    const double mu[] = {draw.chance(0.1) ? 0.0 : draw.uniform(0.0, 2.0)};
    const int size[] = {kSize};
    set_contacts(mu, size, {}, &problem);
    Eigen::Map<Block>(problem.W.entry(0)) = A;
    for (double& x : problem.q) x = draw.uniform(-1.0, 1.0);
    Local local;
    prepare(A.data(), 0.0, mu[0], &local);
    if (draw.chance(0.5)) local.given = problem.given[0] = draw.uniform(0.0, 1.0);
    double r[kSize];
    solve(local, problem.q.data(), r);
    EXPECT_LT(certify_cone(problem, r).err_q, 1e-11) << seed;
  }
}

TEST(LocalContact, ObeysTheLaw) {
  expect_the_law<LocalContact, 3>(21);
}

// Spin is a third tangent.
TEST(LocalPatch, ObeysTheLaw) {
  expect_the_law<LocalPatch, 4>(22);
}

// Slip and spin share one limit: mu N is split as the velocities are, spin in units of its radius.
TEST(ConeSolver, SlipAndSpinShareOneLimit) {
  for (const ConeMethod method : {ConeMethod::kCascade, ConeMethod::kGaussSeidel,
                                  ConeMethod::kNewton, ConeMethod::kInteriorPoint}) {
    ConeProblem problem;
    const double mu[] = {0.5};
    const int size[] = {4};
    set_contacts(mu, size, {}, &problem);
    Eigen::Map<Eigen::Matrix4d>(problem.W.entry(0)) = 0.5 * Eigen::Matrix4d::Identity();
    problem.q = {-1.0, 3.0, 0.0, 4.0};
    const ConeSolution solution = solve(problem, {.tolerance = 1e-11, .method = method});
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_NEAR(solution.r[0], 2.0, 1e-9);
    EXPECT_NEAR(solution.r[1], -0.6, 1e-9);
    EXPECT_NEAR(solution.r[3], -0.8, 1e-9);
  }
}

struct Family {
  const char* name;
  int count;
  std::function<ConeProblem(Draw*)> make;
};

class ConeFamilies : public testing::TestWithParam<Family> {};

// No failure is allowed, and the answers are checked by the certificate, not by the solver.
TEST_P(ConeFamilies, AllAreSolved) {
  const Family& family = GetParam();
  for (int seed = 0; seed < family.count * test_scale(); ++seed) {
    Draw draw(31, seed);
    const ConeProblem problem = family.make(&draw);
    const ConeSolution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << family.name << " " << seed;
    const ConeResidual residual = certify_cone(problem, solution.r);
    EXPECT_LE(residual.err_q, 1e-8) << family.name << " " << seed;
    EXPECT_LE(residual.cone_violation, 1e-6) << family.name << " " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Random, ConeFamilies,
    testing::Values(Family{"heap", 150,
                           [](Draw* d) {
                             const int n = d->integer(1, 12);
                             return make_random_heap(n, d->integer(1, 4 * n), 1.0, 1.0, d);
                           }},
                    Family{"heap of unlike masses", 60,
                           [](Draw* d) {
                             const int n = d->integer(1, 20);
                             return make_random_heap(n, d->integer(1, 5 * n), 4.0, 1.5, d);
                           }},
                    Family{"stack", 60,
                           [](Draw* d) {
                             const int height = d->integer(1, 12);
                             const double mu = d->uniform(0.0, 1.5);
                             return make_stack(height, 1.0, mu, draw_vector(d, 0.3));
                           }},
                    Family{"heavy on light", 20,
                           [](Draw* d) {
                             const int height = d->integer(2, 10);
                             const double mu = d->uniform(0.0, 1.5);
                             return make_stack(height, d->chance(0.5) ? 1e4 : 1e-4, mu,
                                               draw_vector(d, 0.3));
                           }},
                    Family{"ball pack", 8,
                           [](Draw* d) {
                             const int n = d->integer(2, 4);
                             return make_ball_pack(n, n, n, 0.3, 0.0, d);
                           }},
                    Family{"rough ball pack", 6,
                           [](Draw* d) {
                             return make_ball_pack(3, 3, 3, d->uniform(0.5, 1.2), 0.0, d);
                           }},
                    Family{"smooth ball pack", 10,
                           [](Draw* d) {
                             return make_ball_pack(4, 4, 3, 0.0, 0.0, d);
                           }},
                    Family{"chain with joints", 40, [](Draw* d) {
                             const int links = d->integer(1, 12);
                             const bool closed = d->chance(0.5);
                             return make_chain(links, closed, d->uniform(0.0, 1.0), d);
                           }}));

// The same with loads here and there, some so large that no other part of the problem matters.
ConeProblem load(ConeProblem problem, Draw* draw) {
  for (int a = 0; a < problem.num_blocks(); ++a) {
    if (problem.kind[a] != BlockKind::kContact || draw->chance(0.5)) continue;
    problem.given[a] = draw->uniform(0.0, draw->chance(0.1) ? 10.0 : 0.3);
  }
  return problem;
}

INSTANTIATE_TEST_SUITE_P(
    Loaded, ConeFamilies,
    testing::Values(Family{"loaded heap", 150,
                           [](Draw* d) {
                             const int n = d->integer(1, 12);
                             return load(make_random_heap(n, d->integer(1, 4 * n), 2.0, 1.0, d), d);
                           }},
                    Family{"loaded stack", 40,
                           [](Draw* d) {
                             const double mu = d->uniform(0.0, 1.5);
                             return load(
                                 make_stack(d->integer(1, 12), 1.0, mu, draw_vector(d, 0.3)), d);
                           }},
                    Family{"loaded ball pack", 6,
                           [](Draw* d) {
                             return load(make_ball_pack(3, 3, 3, d->uniform(0.2, 0.8), 0.0, d), d);
                           }},
                    Family{"loaded chain", 30, [](Draw* d) {
                             const int links = d->integer(1, 12);
                             const bool closed = d->chance(0.5);
                             return load(make_chain(links, closed, d->uniform(0.0, 1.0), d), d);
                           }}));

INSTANTIATE_TEST_SUITE_P(Spinning, ConeFamilies,
                         testing::Values(Family{"spinning heap", 150,
                                                [](Draw* d) {
                                                  const int n = d->integer(1, 12);
                                                  return make_random_heap(n, d->integer(1, 4 * n),
                                                                          2.0, 1.0, d, 0.5);
                                                }},
                                         Family{"loaded spinning heap", 60,
                                                [](Draw* d) {
                                                  const int n = d->integer(1, 12);
                                                  const int nc = d->integer(1, 4 * n);
                                                  return load(
                                                      make_random_heap(n, nc, 1.0, 1.0, d, 0.5), d);
                                                }},
                                         Family{"spinning ball pack", 6, [](Draw* d) {
                                                  const double mu = d->uniform(0.2, 0.8);
                                                  return make_ball_pack(3, 3, 3, mu, 0.0, d, 0.05);
                                                }}));

// Each method alone solves what it is good at.
TEST(ConeSolver, EveryMethodSolvesAStack) {
  const ConeProblem problem = make_stack(3, 1.0, 0.5, {0.05, 0.02, 0.0});
  for (const ConeMethod method : {ConeMethod::kCascade, ConeMethod::kGaussSeidel,
                                  ConeMethod::kNewton, ConeMethod::kInteriorPoint}) {
    const ConeSolution solution = solve(problem, {.method = method});
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << static_cast<int>(method);
  }
}

TEST(ConeSolver, EnergyMeasureIsMet) {
  Draw draw(3);
  const ConeProblem problem = make_random_heap(8, 30, 3.0, 0.8, &draw);
  const ConeSolution solution = solve(problem, {.measure = Measure::kEnergy});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LE(solution.residual.energy, 1e-8);
}

// The next step of a motion: q moves a little, within what W can reach.
ConeProblem disturb(ConeProblem problem, double amount, Draw* draw) {
  std::vector<double> dr(problem.num_rows());
  for (double& x : dr) x = draw->uniform(-amount, amount);
  std::vector<double> q(problem.num_rows());
  multiply(problem.W, dr, problem.q, q);
  problem.q = q;
  return problem;
}

TEST(ConeSolver, WarmStartSavesWork) {
  Draw draw(17);
  const ConeProblem first = make_ball_pack(4, 4, 3, 0.3, 0.0, &draw);
  ConeSolver solver;
  ConeSolution solution;
  solver.solve(first, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  const std::vector<double> guess = solution.r;
  // The answer itself needs no work at all.
  solver.solve(first, guess, &solution);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.effort.newton + solution.effort.interior_point + solution.effort.sweeps, 0);
  const ConeProblem next = disturb(first, 1e-5, &draw);
  solver.solve(next, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  const int cold = solution.effort.newton + solution.effort.interior_point;
  solver.solve(next, guess, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LT(2 * (solution.effort.newton + solution.effort.interior_point), cold);
}

TEST(ConeSolver, SameBitsTwice) {
  Draw draw(18);
  const ConeProblem problem = make_ball_pack(3, 3, 3, 0.5, 1.0, &draw);
  const ConeSolution fresh = solve(problem);
  ConeSolver used;
  ConeSolution other;
  used.solve(make_stack(5, 10.0, 0.4, {0.1, 0.0, 0.0}), &other);
  used.solve(problem, &other);
  ASSERT_EQ(fresh.r.size(), other.r.size());
  for (std::size_t i = 0; i < fresh.r.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(fresh.r[i]), std::bit_cast<std::uint64_t>(other.r[i]));
  }
}

}  // namespace
}  // namespace tenpin::complementarity::cone
