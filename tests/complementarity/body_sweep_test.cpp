// Sweeps over bodies, judged by the certificate of the same problem in contact space.
#include "complementarity/cone/body_sweep.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "complementarity/cone/cone_problem.h"
#include "complementarity/draw.h"
#include "math/types.h"
#include "support/allocation_count.h"

namespace tenpin::complementarity::cone {
namespace {

struct TestContact {
  BodyPair pair;
  SweptLaw law;
  SweptRows rows;
  RoundRows round;
  bool is_round = false;
};

Vec3 draw_direction(Draw* draw) {
  Vec3 n = Vec3::Zero();
  while (n.norm() < 0.1) {
    for (double& x : n) x = draw->uniform(-1.0, 1.0);
  }
  return n.normalized();
}

// Rows of a contact through the centres of balls, said in both ways.
void draw_round(Draw* draw, TestContact* c) {
  const Vec3 n = draw_direction(draw);
  const Vec3 t1 = n.cross(draw_direction(draw)).normalized();
  const Vec3 t2 = n.cross(t1);
  const Vec3 frame[3] = {n, t1, t2};
  const Vec3 turning[3] = {Vec3::Zero(), t2, -t1};
  for (int side = 0; side < 2; ++side) {
    if ((side == 0 ? c->pair.a : c->pair.b) == 0) continue;
    c->round.linear[side] = (side == 0 ? -1.0 : 1.0) * draw->uniform(0.5, 2.0);
    c->round.spin[side] = draw->uniform(0.5, 2.0);
    auto& rows = side == 0 ? c->rows.a : c->rows.b;
    for (int k = 0; k < 3; ++k) {
      Eigen::Map<Vec3>{rows[k]} = c->round.linear[side] * frame[k];
      Eigen::Map<Vec3>{rows[k] + 3} = c->round.spin[side] * turning[k];
    }
  }
  Eigen::Map<Vec3>{c->round.n} = n;
  Eigen::Map<Vec3>{c->round.t1} = t1;
  c->is_round = true;
}

void draw_rows(Draw* draw, TestContact* c) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kBodySize; ++i) {
      if (c->pair.a > 0) c->rows.a[k][i] = draw->uniform(-1.0, 1.0);
      if (c->pair.b > 0) c->rows.b[k][i] = draw->uniform(-1.0, 1.0);
    }
  }
}

// Contacts among `num_bodies` bodies and the ground, which is body 0; a share of them is round.
std::vector<TestContact> draw_contacts(int num_bodies, int num_contacts, double round, Draw* draw) {
  std::vector<TestContact> contacts(num_contacts);
  for (TestContact& c : contacts) {
    c.pair.b = draw->integer(1, num_bodies);
    do {
      c.pair.a = draw->integer(0, num_bodies);
    } while (c.pair.a == c.pair.b);
    if (draw->chance(round)) {
      draw_round(draw, &c);
    } else {
      draw_rows(draw, &c);
    }
    for (double& q : c.law.q) q = draw->uniform(-1.0, 0.5);
    c.law.softness[0] = draw->uniform(0.05, 0.2);
    c.law.softness[1] = draw->uniform(0.05, 0.2);
    c.law.mu = draw->chance(0.15) ? 0.0 : draw->uniform(0.1, 1.0);
    // A frictionless contact has no tangential rows; its certificate would ask for them.
    if (c.law.mu == 0.0) c.law.q[1] = c.law.q[2] = 0.0;
  }
  return contacts;
}

double dot_body_rows(const double* x, const double* y) {
  double sum = 0.0;
  for (int i = 0; i < kBodySize; ++i) sum += x[i] * y[i];
  return sum;
}

// W = J J' + softness, in full.
ConeProblem make_contact_space_problem(const std::vector<TestContact>& contacts) {
  const int nc = static_cast<int>(contacts.size());
  std::vector<double> mu;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < nc; ++i) {
    mu.push_back(contacts[i].law.mu);
    for (int j = 0; j < i; ++j) pairs.emplace_back(i, j);
  }
  ConeProblem problem;
  set_structure(mu, {}, pairs, &problem);
  for (int i = 0; i < nc; ++i) {
    for (int k = 0; k < 3; ++k) problem.q[3 * i + k] = contacts[i].law.q[k];
    for (int j = 0; j < nc; ++j) {
      double* entry = problem.W.entry(problem.W.find(i, j));
      const std::pair<int, const double(*)[kBodySize]> sides_i[2] = {
          {contacts[i].pair.a, contacts[i].rows.a}, {contacts[i].pair.b, contacts[i].rows.b}};
      const std::pair<int, const double(*)[kBodySize]> sides_j[2] = {
          {contacts[j].pair.a, contacts[j].rows.a}, {contacts[j].pair.b, contacts[j].rows.b}};
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          for (const auto& si : sides_i) {
            for (const auto& sj : sides_j) {
              if (si.first == sj.first)
                entry[r + 3 * c] += dot_body_rows(si.second[r], sj.second[c]);
            }
          }
        }
        if (i == j) entry[r + 3 * r] += contacts[i].law.softness[r == 0 ? 0 : 1];
      }
    }
  }
  return problem;
}

struct SweptAnswer {
  std::vector<double> r;
  BodySweep::Outcome outcome;
};

SweptAnswer solve_by_sweeps(const std::vector<TestContact>& contacts, int num_bodies,
                            const BodySweep::Options& options, bool use_round, BodySweep* sweep) {
  std::vector<BodySweep::Place> places;
  sweep->reset(num_bodies + 1);
  for (const TestContact& c : contacts) {
    places.push_back(sweep->file(c.pair, use_round && c.is_round));
  }
  sweep->prepare();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (places[i].is_round) {
      sweep->set(places[i], contacts[i].law, contacts[i].round);
    } else {
      sweep->set(places[i], contacts[i].law, contacts[i].rows);
    }
  }
  sweep->start();
  SweptAnswer answer{.r = std::vector<double>(3 * contacts.size()), .outcome = {}};
  answer.outcome = sweep->solve(options);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    sweep->read_reaction(places[i], &answer.r[3 * i]);
    EXPECT_FALSE(sweep->read_error(places[i]) > answer.outcome.error);
  }
  return answer;
}

TEST(BodySweep, CertificateInContactSpaceAgrees) {
  constexpr double kTolerance = 1e-10;
  BodySweep sweep;
  for (int seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const int num_bodies = draw.integer(2, 20);
    const auto contacts =
        draw_contacts(num_bodies, draw.integer(1, 3 * num_bodies), draw.uniform(-0.3, 1.3), &draw);
    const SweptAnswer answer =
        solve_by_sweeps(contacts, num_bodies, {.tolerance = kTolerance}, true, &sweep);
    ASSERT_LE(answer.outcome.error, kTolerance) << seed;
    // The certificate sums over contacts and divides by the velocities, which are of order one.
    const ConeResidual residual = certify_cone(make_contact_space_problem(contacts), answer.r);
    EXPECT_LE(residual.energy, 20.0 * kTolerance) << seed;
    EXPECT_LE(residual.cone_violation, 1e-15) << seed;
  }
}

// A contact on balls is the same contact, however it is written down.
TEST(BodySweep, RoundContactsAreContacts) {
  BodySweep sweep;
  for (int seed = 0; seed < 20; ++seed) {
    Draw draw(seed, 1);
    const auto contacts = draw_contacts(12, 30, 1.0, &draw);
    const SweptAnswer round = solve_by_sweeps(contacts, 12, {.tolerance = 1e-12}, true, &sweep);
    const SweptAnswer general = solve_by_sweeps(contacts, 12, {.tolerance = 1e-12}, false, &sweep);
    for (std::size_t i = 0; i < round.r.size(); ++i) {
      EXPECT_NEAR(round.r[i], general.r[i], 1e-9) << seed;
    }
  }
}

// Bodies in a row, each pressed on the one before; the first one lies on the ground. Some slide.
std::vector<TestContact> stack_bodies(int num_bodies) {
  std::vector<TestContact> contacts(num_bodies);
  for (int i = 0; i < num_bodies; ++i) {
    TestContact& c = contacts[i];
    c.pair = {.a = i, .b = i + 1};
    for (int k = 0; k < 3; ++k) {
      if (i > 0) c.rows.a[k][k] = -1.0;
      c.rows.b[k][k] = 1.0;
    }
    c.law.mu = 0.5;
    // The velocity that gravity gives all alike is seen at the ground alone.
    if (i == 0) c.law.q[0] = -1.0;
    if (i % 10 == 5) c.law.q[1] = 40.0;
    c.law.softness[0] = c.law.softness[1] = 2e-4;
  }
  return contacts;
}

TEST(BodySweep, NewtonStepsReachTheEndOfHighStacks) {
  constexpr double kTolerance = 1e-9;
  BodySweep sweep;
  const auto contacts = stack_bodies(200);
  const SweptAnswer swept = solve_by_sweeps(
      contacts, 200, {.tolerance = kTolerance, .sweeps_before_newton = 100000}, true, &sweep);
  EXPECT_GT(swept.outcome.sweeps, 500);
  EXPECT_EQ(swept.outcome.newton_steps, 0);
  const SweptAnswer answer =
      solve_by_sweeps(contacts, 200, {.tolerance = kTolerance}, true, &sweep);
  EXPECT_LE(answer.outcome.error, kTolerance);
  EXPECT_LT(answer.outcome.sweeps, 100);
  EXPECT_GT(answer.outcome.newton_steps, 0);
  const ConeResidual residual = certify_cone(make_contact_space_problem(contacts), answer.r);
  EXPECT_LE(residual.energy, 20.0 * kTolerance);
  EXPECT_LE(residual.cone_violation, 1e-15);
}

// Tried at once, when hardly a contact is known to stick or to slide, steps help or are taken back.
TEST(BodySweep, NewtonStepsNeverSpoilTheAnswer) {
  constexpr double kTolerance = 1e-10;
  BodySweep sweep;
  int num_steps = 0;
  for (int seed = 0; seed < 600; ++seed) {
    Draw draw(seed, 6);
    const int num_bodies = draw.integer(2, 20);
    const auto contacts =
        draw_contacts(num_bodies, draw.integer(1, 3 * num_bodies), draw.uniform(-0.3, 1.3), &draw);
    const SweptAnswer answer = solve_by_sweeps(
        contacts, num_bodies, {.tolerance = kTolerance, .sweeps_before_newton = 1}, true, &sweep);
    ASSERT_LE(answer.outcome.error, kTolerance) << seed;
    num_steps += answer.outcome.newton_steps;
    const ConeResidual residual = certify_cone(make_contact_space_problem(contacts), answer.r);
    EXPECT_LE(residual.energy, 20.0 * kTolerance) << seed;
    EXPECT_LE(residual.cone_violation, 1e-15) << seed;
  }
  EXPECT_GT(num_steps, 60);
}

TEST(BodySweep, AnswerAsGuessNeedsOneSweep) {
  BodySweep sweep;
  Draw draw(5, 2);
  auto contacts = draw_contacts(15, 40, 0.5, &draw);
  const SweptAnswer cold = solve_by_sweeps(contacts, 15, {.tolerance = 1e-9}, true, &sweep);
  EXPECT_GT(cold.outcome.sweeps, 3);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int k = 0; k < 3; ++k) contacts[i].law.r[k] = cold.r[3 * i + k];
  }
  const SweptAnswer warm = solve_by_sweeps(contacts, 15, {.tolerance = 2e-9}, true, &sweep);
  EXPECT_EQ(warm.outcome.sweeps, 1);
}

TEST(BodySweep, SameBitsWhateverItSolvedBefore) {
  Draw draw(6, 3);
  const auto contacts = draw_contacts(15, 40, 0.5, &draw);
  const auto others = draw_contacts(9, 31, 0.5, &draw);
  BodySweep fresh;
  BodySweep used;
  (void)solve_by_sweeps(others, 9, {.tolerance = 1e-9}, true, &used);
  const SweptAnswer first = solve_by_sweeps(contacts, 15, {.tolerance = 1e-9}, true, &fresh);
  const SweptAnswer second = solve_by_sweeps(contacts, 15, {.tolerance = 1e-9}, true, &used);
  for (std::size_t i = 0; i < first.r.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(first.r[i]), std::bit_cast<std::uint64_t>(second.r[i]));
  }
}

TEST(BodySweep, NumbersThatAreNoneAreNotAnAnswer) {
  BodySweep sweep;
  Draw draw(7, 4);
  auto contacts = draw_contacts(4, 6, 0.5, &draw);
  contacts[3].law.q[0] = std::nan("");
  EXPECT_FALSE(solve_by_sweeps(contacts, 4, {.tolerance = 1e-6}, true, &sweep).outcome.error <=
               1e-6);
}

TEST(BodySweep, NoContactsAreSolved) {
  BodySweep sweep;
  const SweptAnswer answer = solve_by_sweeps({}, 3, {.tolerance = 1e-6}, true, &sweep);
  EXPECT_EQ(answer.outcome.sweeps, 1);
  EXPECT_EQ(answer.outcome.error, 0.0);
}

TEST(BodySweep, AllocatesNothingASecondTime) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer has a malloc of its own";
  BodySweep sweep;
  Draw draw(8, 5);
  const auto contacts = draw_contacts(15, 40, 0.5, &draw);
  const auto run = [&] {
    sweep.reset(16);
    for (const TestContact& c : contacts) (void)sweep.file(c.pair, c.is_round);
    sweep.prepare();
    sweep.start();
    (void)sweep.solve({});
  };
  run();
  const long before = count_allocations();
  run();
  EXPECT_EQ(count_allocations(), before);
}

}  // namespace
}  // namespace tenpin::complementarity::cone
