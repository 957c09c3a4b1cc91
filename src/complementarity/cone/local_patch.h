// One contact that resists spin, too, with all others held fast: u = A r + b, solved exactly.
#pragma once

namespace tenpin::complementarity::cone {

// Rows n, t1, t2, spin, as far as they are known before b is.
struct LocalPatch {
  double A[16] = {};  // column by column
  double mu = 0.0;
  double given = 0.0;  // besides r_N, for friction to lean on
};

void prepare(const double* A, double shift, double mu, LocalPatch* patch);

// Opens, sticks or slides, by Coulomb's law over the three tangential directions alike.
void solve(const LocalPatch& patch, const double* b, double* r);

}  // namespace tenpin::complementarity::cone
