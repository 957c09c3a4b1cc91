// Tests whether theory guarantees a solution of a step's contact problem.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/islands.h"
#include "contact/jacobian.h"
#include "contact/report.h"
#include "contact/sparse_rank.h"

namespace tenpin::contact {

// Tests the sufficient conditions of [ST00, §3.2] for one island: the normals are independent, and
// span(n) and span(D) meet only in zero, among the motions that loops allow.
class ExistenceTest {
 public:
  [[nodiscard]] Existence test(const dynamics::Model& model, const dynamics::MassMatrix& M,
                               const ContactJacobian& J, std::span<const Contact> contacts,
                               std::span<const int> island);

  // The same for all islands of a step. Except in degenerate positions, the conditions depend only
  // on which features touch, so they are tested only when the keys change. Islands with more than
  // `most_velocities` velocities are not tested, and reported as without a guarantee.
  [[nodiscard]] Existence test_all(const dynamics::Model& model, const dynamics::MassMatrix& M,
                                   const ContactJacobian& J, std::span<const Contact> contacts,
                                   const Islands& islands, int most_velocities);

 private:
  void number_mechanisms(const dynamics::Model& model, const ContactJacobian& J,
                         std::span<const int> island);
  void append_loops(const dynamics::Model& model, const dynamics::MassMatrix& M);
  void append_row(const ContactJacobian& J, int contact, int row);
  void append_tangents(const ContactJacobian& J, const Contact& contact, int index);

  SparseRank rank_;
  std::vector<int> group_;   // of each mechanism of the model, -1 if not in the island
  std::vector<int> widths_;  // velocities of each group
  std::vector<int> held_;    // mechanisms of the island with loops
  std::array<std::vector<double>, 2> values_;  // of a row, by side
  int nv_ = 0;                                 // of the island
  std::vector<ContactKey> keys_;               // the keys that `known_` belongs to
  Existence known_;
};

}  // namespace tenpin::contact
