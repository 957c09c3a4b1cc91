// Whether theory promises a solution to a step's contact problem.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/jacobian.h"
#include "contact/report.h"

namespace tenpin::contact {

// The sufficient conditions of [ST00, §3.2] for one island: independent normals, and span(n) and
// span(D) meeting in zero only, among the motions that loops allow. Ranks by Gram-Schmidt with
// pivoting on rows scaled to length one.
class ExistenceTest {
 public:
  [[nodiscard]] Existence test(const dynamics::Model& model, const dynamics::MassMatrix& M,
                               const ContactJacobian& J, std::span<const Contact> contacts,
                               std::span<const int> island);

 private:
  void number_columns(const dynamics::Model& model, const ContactJacobian& J,
                      std::span<const int> island);
  double* begin_row();
  void end_row(double* row);
  void append_loops(const dynamics::Model& model, const dynamics::MassMatrix& M);
  void append_row(const ContactJacobian& J, int contact, int row);
  void append_tangents(const ContactJacobian& J, const Contact& contact, int index);
  int calc_rank();
  void take_out(int unit, int i);
  double* row(int i) { return rows_.data() + static_cast<std::size_t>(i) * nv_; }

  std::vector<double> rows_;  // nv_ wide
  struct Span {
    int begin = 0, end = 0;  // columns outside are zero
    double square = 0.0;     // of the row's length
  };
  std::vector<Span> spans_;  // by row
  std::vector<int> column_;  // of each velocity of the model in rows_, -1 when not in the island
  std::vector<int> held_;    // mechanisms of the island that have loops
  int nv_ = 0;
  int count_ = 0;
};

}  // namespace tenpin::contact
