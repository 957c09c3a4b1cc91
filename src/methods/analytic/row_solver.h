// The smallest change of velocities, in the mass metric, that removes given values from rows of
// contacts.
#pragma once

#include <utility>
#include <vector>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/block_matrix.h"
#include "contact/coupled_contacts.h"

namespace tenpin::methods::analytic {

struct ContactRowValue {
  int contact = 0;
  int row = 0;         // contact::ContactRow
  double value = 0.0;  // to be removed from it
};

class RowSolver {
 public:
  // False if there is nothing to do. Redundant rows are left out.
  [[nodiscard]] bool solve(const contact::ContactJacobian& J,
                           const std::vector<ContactRowValue>& rows, int nv);
  const VecX& change() const { return change_; }
  // Of that row, which makes its part of the change: N s where values are velocities.
  double impulse(int row) const { return scale_[row] * impulses_[row]; }

 private:
  void fill(const contact::ContactJacobian& J, const std::vector<ContactRowValue>& rows);

  contact::CoupledContacts coupled_;
  std::vector<int> indices_, sizes_;
  std::vector<std::pair<int, int>> old_pairs_;
  complementarity::cone::BlockMatrix W_;
  complementarity::cone::BlockLu lu_;
  VecX scale_, impulses_, change_;
};

}  // namespace tenpin::methods::analytic
