// The forms in which friction problems are written down, and the way to a ConeProblem.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/cone_problem.h"

namespace tenpin::complementarity::cone {

// A sparse matrix as a list; entries of the same place add up.
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

// u = W r + V lambda + q,   0 = V' r + R lambda + s.
struct LocalForm {
  int space_dim = 3;       // rows per contact: normal first
  SparseEntries W;         // m x m
  SparseEntries V;         // m x p, p = 0 where there are no equality rows
  SparseEntries R;         // p x p
  std::vector<double> q;   // m
  std::vector<double> s;   // p
  std::vector<double> mu;  // per contact
};

// M v = H r + G lambda + f,   u = H' v + w,   0 = G' v + b.
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

// A planar contact becomes one in space whose second tangent neither moves nor is pushed; each
// equality row becomes a free block. The forms must have fitting sizes.
[[nodiscard]] ConeProblem make_cone_problem(const LocalForm& form);

// Eliminates v: W = H' M^-1 H and so on, body by body (more exactly: for each set of velocities
// that M couples). Throws InputError where M is singular, LimitError where it couples too many.
[[nodiscard]] LocalForm condense(const GlobalForm& form);

// Rows of contacts as the form has them (planar: two per contact), from those of the ConeProblem.
[[nodiscard]] std::vector<double> take_contact_rows(std::span<const double> rows, int num_contacts,
                                                    int space_dim);
// All rows after those of contacts.
[[nodiscard]] std::vector<double> take_free_rows(std::span<const double> rows, int num_contacts);

}  // namespace tenpin::complementarity::cone
