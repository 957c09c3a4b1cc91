// One contact with all other reactions fixed: u = A r + b, solved exactly.
#pragma once

namespace tenpin::complementarity::cone {

// The data of the contact that do not depend on b.
struct LocalContact {
  double A[9] = {};        // column by column
  double inverse[9] = {};  // of A, if it has one
  bool has_inverse = false;
  double mu = 0.0;
  double given = 0.0;  // known normal load in addition to r_N, which counts for friction
  // The tangential block after elimination of the normal row: S = A_TT - A_TN A_NT / A_NN.
  double S[4] = {};
};

void prepare(const double* A, double shift, double mu, LocalContact* contact);

// Computes the reaction by Coulomb's law: the contact opens, sticks or slides. A contact without
// normal mobility (A_NN = 0) gets no reaction. With a given load, an open contact has friction,
// too.
void solve(const LocalContact& contact, const double* b, double* r);

}  // namespace tenpin::complementarity::cone
