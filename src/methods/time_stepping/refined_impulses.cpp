#include "methods/time_stepping/refined_impulses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "methods/time_stepping/open_impulses.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;

namespace {

constexpr int kMostContacts = 64;    // of an island: the matrix is dense
constexpr int kRemainderRounds = 2;  // of these, the last ones
// -   of the impulses' own velocities: less is no load and no slip. Solvers end there.
constexpr double kNothing = 1e-9;

bool can_refine(const ContactProblem& problem, std::span<const int> island) {
  if (island.size() > kMostContacts || !problem.with_friction) return false;
  return std::all_of(island.begin(), island.end(), [&problem](int i) {
    const Contact& c = problem.contacts[i];
    return !is_dry(c) && c.limit == nullptr && c.torsion == 0.0 && c.rolling == 0.0 &&
           is_isotropic(c) && problem.compliance[i].isZero(0.0);
  });
}

// Computes the velocities with the impulses of one island.
void update_velocities(const ContactProblem& problem, std::span<const int> island,
                       const ContactAnswer& answer, VecX* v) {
  for (const int i : island) {
    for (const int which : {0, 1}) {
      const contact::ContactJacobian::Side& side = problem.J.side(i, which);
      v->segment(side.v_begin, side.nv) = problem.v.segment(side.v_begin, side.nv);
    }
  }
  for (const int i : island) {
    const ContactVector given(problem.given[i], 0.0, 0.0, 0.0);
    problem.J.add_velocity_change(i, answer.impulses[i] - given, *v);
  }
  for (const int i : island) problem.J.add_velocity_change(i, answer.remainders[i], *v);
}

// Moves an impulse to the nearest one that does not pull and lies in its cone.
void bound_impulse(double given, double mu, ContactVector* impulse) {
  double& load = (*impulse)[kNormalRow];
  load = std::max(load, given);
  const double friction = impulse->tail<3>().norm();
  if (friction > mu * load) impulse->tail<3>() *= mu * load / friction;
}

}  // namespace

void RefinedImpulses::choose_rows(const ContactProblem& problem, std::span<const int> island,
                                  double small, const VecX& v, const ContactAnswer& answer) {
  rows_.clear();
  for (const int i : island) {
    const Contact& c = problem.contacts[i];
    const ContactVector& p = answer.impulses[i];
    const ContactVector u = problem.J.velocity(i, v);
    const double load = (p[kNormalRow] - problem.given[i]) * problem.calc_mobility(i);
    if (load <= small && u[kNormalRow] - problem.required[i] >= 0.0) continue;
    Row normal{.contact = i,
               .measured = ContactVector::Unit(kNormalRow),
               .impulse = ContactVector::Unit(kNormalRow),
               .target = problem.required[i]};
    const Eigen::Vector2d slip = u.segment<2>(1);
    const double mu = problem.mu[i];
    const bool is_at_edge = p.tail<3>().norm() >= (1.0 - kConeEdge) * mu * p[kNormalRow];
    const bool slides = mu > 0.0 && is_at_edge && slip.norm() > small;
    if (slides) normal.impulse.segment<2>(1) = -mu * slip.normalized();
    rows_.push_back(normal);
    if (slides || mu == 0.0) continue;
    for (const int row : {1, 2}) {
      if (row == 2 && c.is_planar) continue;
      rows_.push_back({.contact = i,
                       .measured = ContactVector::Unit(row),
                       .impulse = ContactVector::Unit(row)});
    }
  }
}

void RefinedImpulses::correct(const ContactProblem& problem, const VecX& v,
                              std::vector<ContactVector>* impulses) {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  MatX A(n, n);
  VecX b(n);
  VecX unit(n);  // sqrt(kg)   by row: impulses that cause 1 m/s have equal size
  for (Eigen::Index k = 0; k < n; ++k) {
    const contact::ContactBlock& W = problem.J.own_delassus(rows_[k].contact);
    unit[k] = 1.0 / std::sqrt(rows_[k].measured.dot(W * rows_[k].measured));
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    const Row& row = rows_[k];
    b[k] = unit[k] * (row.target - row.measured.dot(problem.J.velocity(row.contact, v)));
    for (Eigen::Index l = 0; l < n; ++l) {
      contact::ContactBlock W = contact::ContactBlock::Zero();
      problem.J.add_delassus(row.contact, rows_[l].contact, &W);
      A(k, l) = unit[k] * unit[l] * row.measured.dot(W * rows_[l].impulse);
    }
  }
  solver_.factorize(A, kRefinedRank);
  const VecX change = solver_.solve(b);
  for (Eigen::Index k = 0; k < n; ++k) {
    (*impulses)[rows_[k].contact] += unit[k] * change[k] * rows_[k].impulse;
  }
}

double RefinedImpulses::refine(const ContactProblem& problem, const contact::FrictionCone& cone,
                               std::span<const int> island, const Accuracy& accuracy, VecX* v,
                               ContactAnswer* answer) {
  if (!can_refine(problem, island)) return std::numeric_limits<double>::infinity();
  const auto judge = [&] {
    update_velocities(problem, island, *answer, v);
    double pushed = accuracy.speed;
    for (const int i : island) {
      const double impulse = answer->impulses[i].head<3>().norm();
      pushed = std::max(pushed, problem.calc_mobility(i) * impulse);
    }
    const double scale = std::min(pushed, kMaxCancellation * accuracy.speed);
    return std::pair(calc_law_residual(problem, cone, island, scale, *v, *answer), pushed);
  };
  for (const int i : island) answer->remainders[i].setZero();
  auto [best, pushed] = judge();
  if (best <= accuracy.tolerance) return best;
  const auto keep = [&] {
    best_.clear();
    best_remainders_.clear();
    for (const int i : island) {
      best_.push_back(answer->impulses[i]);
      best_remainders_.push_back(answer->remainders[i]);
    }
  };
  const auto restore = [&] {
    for (std::size_t k = 0; k < island.size(); ++k) {
      answer->impulses[island[k]] = best_[k];
      answer->remainders[island[k]] = best_remainders_[k];
    }
  };
  keep();
  for (int round = 0; round < kMostRefinements && best > accuracy.tolerance; ++round) {
    choose_rows(problem, island, kNothing * pushed, *v, *answer);
    if (rows_.empty()) break;
    const bool is_last = round + kRemainderRounds >= kMostRefinements;
    correct(problem, *v, is_last ? &answer->remainders : &answer->impulses);
    for (const int i : island) {
      bound_impulse(problem.given[i], problem.mu[i], &answer->impulses[i]);
    }
    const auto [residual, now_pushed] = judge();
    pushed = now_pushed;
    if (residual < best) {
      best = residual;
      keep();
    } else {
      restore();
      (void)judge();
    }
  }
  restore();
  return best;
}

}  // namespace tenpin::methods::time_stepping
