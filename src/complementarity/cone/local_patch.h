// One contact that also resists spin, with all other reactions fixed: u = A r + b, solved exactly.
#pragma once

namespace tenpin::complementarity::cone {

// The data that do not depend on b. The rows are n, t1, t2, spin.
struct LocalPatch {
  double A[16] = {};  // column by column
  double mu = 0.0;
  double given = 0.0;  // known normal load in addition to r_N, which counts for friction
};

void prepare(const double* A, double shift, double mu, LocalPatch* patch);

// Computes the reaction by Coulomb's law: the contact opens, sticks or slides, with one limit for
// all three tangential directions.
void solve(const LocalPatch& patch, const double* b, double* r);

}  // namespace tenpin::complementarity::cone
