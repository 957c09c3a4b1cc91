// The forms in which friction problems are stated, and their conversion to a ConeProblem.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/cone_problem.h"

namespace tenpin::complementarity::cone {

// A sparse matrix as a list of entries; entries at the same place are added.
struct SparseEntries {
  int num_rows = 0;
  int num_cols = 0;
  std::vector<int> row;
  std::vector<int> col;
  std::vector<double> value;

  void add(int i, int j, double x) {
    row.push_back(i);
    col.push_back(j);
    value.push_back(x);
  }
};

// The local form:  u = W r + V lambda + q,   0 = V' r + R lambda + s.
struct LocalForm {
  int space_dim = 3;       // rows per contact: normal first
  SparseEntries W;         // m x m
  SparseEntries V;         // m x p, p = 0 where there are no equality rows
  SparseEntries R;         // p x p
  std::vector<double> q;   // m
  std::vector<double> s;   // p
  std::vector<double> mu;  // per contact
};

// The global form:  M v = H r + G lambda + f,   u = H' v + w,   0 = G' v + b.
struct GlobalForm {
  int space_dim = 3;
  SparseEntries M;         // n x n, kg
  SparseEntries H;         // n x m
  SparseEntries G;         // n x p
  std::vector<double> f;   // n
  std::vector<double> w;   // m
  std::vector<double> b;   // p
  std::vector<double> mu;  // per contact
};

// A planar contact becomes a spatial one whose second tangent has no mobility and no load; each
// equality row becomes a free block. The sizes of the form must be consistent.
[[nodiscard]] ConeProblem make_cone_problem(const LocalForm& form);

// Eliminates v: W = H' M^-1 H and so on, separately for each set of velocities that M couples (in
// most problems: body by body). Throws InputError if M is singular, LimitError if a set is too
// large.
[[nodiscard]] LocalForm condense(const GlobalForm& form);

// Extracts the contact rows in the order of the form (planar: two per contact) from the rows of the
// ConeProblem.
[[nodiscard]] std::vector<double> take_contact_rows(std::span<const double> rows, int num_contacts,
                                                    int space_dim);
// Extracts all rows after the contact rows.
[[nodiscard]] std::vector<double> take_free_rows(std::span<const double> rows, int num_contacts);

}  // namespace tenpin::complementarity::cone
