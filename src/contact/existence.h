// Whether theory promises a solution to a step's contact problem.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/jacobian.h"
#include "contact/report.h"
#include "contact/sparse_rank.h"

namespace tenpin::contact {

// The sufficient conditions of [ST00, §3.2] for one island: independent normals, and span(n) and
// span(D) meeting in zero only, among the motions that loops allow.
class ExistenceTest {
 public:
  [[nodiscard]] Existence test(const dynamics::Model& model, const dynamics::MassMatrix& M,
                               const ContactJacobian& J, std::span<const Contact> contacts,
                               std::span<const int> island);

 private:
  void number_mechanisms(const dynamics::Model& model, const ContactJacobian& J,
                         std::span<const int> island);
  void append_loops(const dynamics::MassMatrix& M);
  void append_row(const ContactJacobian& J, int contact, int row);
  void append_tangents(const ContactJacobian& J, const Contact& contact, int index);

  SparseRank rank_;
  VecX loop_row_;
  std::vector<int> group_;   // of each mechanism of the model, -1 when not in the island
  std::vector<int> widths_;  // velocities of each group
  std::vector<int> held_;    // mechanisms of the island that have loops
  int nv_ = 0;               // of the island
};

}  // namespace tenpin::contact
