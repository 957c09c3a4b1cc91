#include "methods/analytic/program_forces.h"

#include "complementarity/cone/block_matrix.h"
#include "contact/coupled_contacts.h"

namespace tenpin::methods::analytic {

complementarity::ForceAnswer solve_programs(std::span<const FrictionContact> contacts,
                                            const contact::ContactJacobian& J) {
  complementarity::ForceProblem problem;
  std::vector<int> indices;
  for (const FrictionContact& c : contacts) indices.push_back(c.index);
  contact::CoupledContacts coupled;
  complementarity::cone::BlockMatrix pattern;
  pattern.set_pattern(std::vector<int>(contacts.size(), 1), coupled.find(J, indices));
  problem.b.resize(static_cast<Eigen::Index>(contacts.size()));
  for (int a = 0; a < pattern.num_blocks(); ++a) {
    problem.b[a] = -contacts[a].free[0];
    for (int e = pattern.row_begin[a]; e < pattern.row_begin[a + 1]; ++e) {
      const int b = pattern.col[e];
      contact::ContactBlock W = contact::ContactBlock::Zero();
      J.add_delassus(indices[a], indices[b], &W);
      const double by_force = W(contact::kNormalRow, contact::kNormalRow);
      if (by_force != 0.0) problem.A.push_back({a, b, by_force});
    }
  }
  return complementarity::solve_by_guesses(problem);
}

}  // namespace tenpin::methods::analytic
