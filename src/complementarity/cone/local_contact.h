// One contact with all others held fast: u = A r + b, solved exactly.
#pragma once

namespace tenpin::complementarity::cone {

// What can be computed before b is known.
struct LocalContact {
  double A[9] = {};        // column by column
  double inverse[9] = {};  // of A, if it has one
  bool has_inverse = false;
  double mu = 0.0;
  double given = 0.0;  // besides r_N, for friction to lean on
  // Eliminating the normal row: S = A_TT - A_TN A_NT / A_NN.
  double S[4] = {};
};

void prepare(const double* A, double shift, double mu, LocalContact* contact);

// Opens, sticks or slides, by Coulomb's law. A contact that no impulse can move (A_NN = 0) gets
// none. Where a load is given, an open one rubs.
void solve(const LocalContact& contact, const double* b, double* r);

}  // namespace tenpin::complementarity::cone
