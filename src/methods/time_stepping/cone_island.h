// One island of contacts as a problem over round friction cones.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "complementarity/cone/cone_solver.h"
#include "contact/coupled_contacts.h"
#include "dynamics/model.h"
#include "methods/time_stepping/core/contact_problem.h"

namespace tenpin::methods::time_stepping {

// The problem u = W r + q over the island's contacts, with u_n relative to the required velocity.
// Only the blocks of contacts that share a mechanism are filled.   [ABH18, §2]
class ConeIsland {
 public:
  void assemble(const dynamics::Model& model, const ContactProblem& problem,
                std::span<const int> island);
  void read_solution(const ContactProblem& problem, std::span<const int> island,
                     ContactAnswer* answer) const;

  const complementarity::cone::ConeProblem& problem() const { return problem_; }
  // The initial impulses; empty if there are none.
  std::span<const double> guess() const { return guess_; }
  complementarity::cone::ConeSolution& solution() { return solution_; }
  const complementarity::cone::ConeSolution& solution() const { return solution_; }

 private:
  void set_shares(const ContactProblem& problem, std::span<const int> island);
  void set_block(const ContactProblem& problem, std::span<const int> island, int a, int e);

  complementarity::cone::ConeProblem problem_;
  complementarity::cone::ConeSolution solution_;
  std::vector<double> mu_, guess_;
  std::vector<int> sizes_;                      // rows, by contact of the island
  std::vector<contact::ContactVector> shares_;  // units of each contact's rows
  contact::CoupledContacts coupled_;
};

}  // namespace tenpin::methods::time_stepping
