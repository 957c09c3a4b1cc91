#pragma once

#include <span>
#include <vector>

#include "complementarity/lcp.h"
#include "methods/time_stepping/core/contact_problem.h"

namespace tenpin::methods::time_stepping {

// The positions of the unknowns of an island's contacts in z = [c_n; beta; lambda].
struct Layout {
  std::vector<int> beta;    // first row of each contact's beta
  std::vector<int> count;   // number of generators; 0 if there is neither beta nor lambda
  std::vector<int> lambda;  // row of lambda, -1 without friction
  int size = 0;
  int num_impulses = 0;  // rows before the first lambda
};

void make_layout(const ContactProblem& problem, const contact::FrictionCone& cone,
                 std::span<const int> island, Layout* layout);

// The pure LCP of one island.   [ST00, eq. (13)-(20)]
void assemble_lcp(const ContactProblem& problem, const contact::FrictionCone& cone,
                  std::span<const int> island, const Layout& layout, complementarity::Lcp* lcp);

// Reads the impulses and slip bounds of the island from z.
void read_solution(const ContactProblem& problem, const contact::FrictionCone& cone,
                   std::span<const int> island, const Layout& layout, ConstVecRef z,
                   ContactAnswer* answer);

}  // namespace tenpin::methods::time_stepping
