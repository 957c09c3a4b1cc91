// Stewart and Trinkle's time step as a pure LCP.
//
//   paper      here        meaning
//   c_n        z.head(nc)  normal impulse over the step, N s (the paper's (13) folds h in)
//   beta       z.segment   friction impulse weights along the generators d_j, N s
//   lambda     z.tail      bound on the slip speed, m/s; not a Lagrange multiplier
//   e          -           ones that pair each contact with its own generators
//   alpha_0    required    enters only through the least normal velocity of the step
//
// Eliminating the velocity and position at the end of the step from (13) and (14) leaves
//
//   | N'LN  N'LD   0 |        | N'v - required |
//   | D'LN  D'LD   E | z  +   | D'v            |  >= 0,    LN = M^-1 N,  LD = M^-1 D,
//   | mu    -E'    0 |        | mu given       |
//
// with v the velocity without these impulses. A contact without friction has only its first row.

#include "methods/time_stepping/assemble.h"

#include <algorithm>

namespace tenpin::methods::time_stepping {

using complementarity::Lcp;
using contact::ContactBlock;
using contact::ContactVector;
using contact::FrictionCone;
using contact::kNormalRow;

void make_layout(const ContactProblem& problem, const FrictionCone& cone,
                 std::span<const int> island, Layout* layout) {
  const int nc = static_cast<int>(island.size());
  layout->beta.resize(nc);
  layout->count.resize(nc);
  layout->lambda.resize(nc);
  int next = nc;
  for (int i = 0; i < nc; ++i) {
    layout->beta[i] = next;
    layout->count[i] = problem.with_friction ? cone.count(problem.contacts[island[i]]) : 0;
    next += layout->count[i];
  }
  layout->num_impulses = next;
  for (int i = 0; i < nc; ++i) layout->lambda[i] = layout->count[i] > 0 ? next++ : -1;
  layout->size = next;
}

namespace {

// A contact of the island and the positions of its unknowns in z.
struct Place {
  const contact::Contact& contact;
  int normal;  // row of c_n
  int beta;    // first row of beta
  int count;   // number of them
};

// Fills the block of R that belongs to the rows of one contact and the columns of another: their
// Delassus block along the generators.
void fill_block(const FrictionCone& cone, const ContactBlock& W, const Place& of, const Place& to,
                Lcp* lcp) {
  lcp->R(of.normal, to.normal) = W(kNormalRow, kNormalRow);
  for (int a = 0; a < of.count; ++a) {
    const Vec3 d = cone.generator(of.contact, a);
    lcp->R(of.beta + a, to.normal) = d.dot(W.block<3, 1>(1, 0));
  }
  for (int b = 0; b < to.count; ++b) {
    const ContactVector column = W.rightCols<3>() * cone.generator(to.contact, b);
    lcp->R(of.normal, to.beta + b) = column[kNormalRow];
    for (int a = 0; a < of.count; ++a) {
      lcp->R(of.beta + a, to.beta + b) = cone.generator(of.contact, a).dot(column.tail<3>());
    }
  }
}

}  // namespace

void assemble_lcp(const ContactProblem& problem, const FrictionCone& cone,
                  std::span<const int> island, const Layout& layout, Lcp* lcp) {
  const int nc = static_cast<int>(island.size());
  lcp->R.resize(layout.size, layout.size);
  lcp->u.resize(layout.size);
  lcp->R.setZero();
  const auto place = [&](int i) -> Place {
    return {problem.contacts[island[i]], i, layout.beta[i], layout.count[i]};
  };
  for (int i = 0; i < nc; ++i) {
    for (int j = 0; j < nc; ++j) {
      ContactBlock W = ContactBlock::Zero();
      problem.J.add_delassus(island[i], island[j], &W);
      fill_block(cone, W, place(i), place(j), lcp);
    }
  }
  for (int i = 0; i < nc; ++i) {
    const int c = island[i];
    const ContactVector u = problem.J.velocity(c, problem.v);
    // Nonpenetration, divided by h so that its row is a velocity.   [ST00, eq. (15)]
    lcp->u[i] = u[kNormalRow] - problem.required[c];
    if (layout.count[i] == 0) continue;
    // Maximum dissipation.   [ST00, eq. (16)]
    for (int a = 0; a < layout.count[i]; ++a) {
      lcp->u[layout.beta[i] + a] = cone.generator(problem.contacts[c], a).dot(u.tail<3>());
      lcp->R(layout.beta[i] + a, layout.lambda[i]) = 1.0;
      lcp->R(layout.lambda[i], layout.beta[i] + a) = -1.0;
    }
    // Friction cone.   [ST00, eq. (17)]
    lcp->R(layout.lambda[i], i) = problem.mu[c];
    lcp->u[layout.lambda[i]] = problem.mu[c] * problem.given[c];
  }
}

void read_solution(const ContactProblem& problem, const FrictionCone& cone,
                   std::span<const int> island, const Layout& layout, ConstVecRef z,
                   ContactAnswer* answer) {
  for (int i = 0; i < static_cast<int>(island.size()); ++i) {
    const int c = island[i];
    ContactVector p = ContactVector::Zero();
    p[kNormalRow] = z[i] + problem.given[c];
    for (int a = 0; a < layout.count[i]; ++a) {
      p.tail<3>() += z[layout.beta[i] + a] * cone.generator(problem.contacts[c], a);
    }
    answer->impulses[c] = p;
  }
}

}  // namespace tenpin::methods::time_stepping
