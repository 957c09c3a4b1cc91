// One contact that also resists spin, with all other reactions fixed: u = A r + b, solved exactly.
#pragma once

namespace tenpin::complementarity::cone {

// Rows n, t1, t2, spin; the part that does not depend on b.
struct LocalPatch {
  double A[16] = {};  // column by column
  double mu = 0.0;
  double given = 0.0;  // known normal load in addition to r_N, which counts for friction
};

void prepare(const double* A, double shift, double mu, LocalPatch* patch);

// Opens, sticks or slides by Coulomb's law, with one limit for all three tangential directions.
void solve(const LocalPatch& patch, const double* b, double* r);

}  // namespace tenpin::complementarity::cone
