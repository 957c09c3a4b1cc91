#include "complementarity/cone/local_patch.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMaxPatchSteps = 60;
constexpr double kPatchTolerance = 1e-14;
constexpr double kSingularPivot = 1e-13;  // of its diagonal

// The tangential rows of a closed contact (u_N = 0) or an open one (r_N = 0): (S + rate) t = -c, n
// = n0 + g.t.
struct TangentSystem {
  double S[3][3];
  double c[3];
  double n0 = 0.0;
  double g[3] = {};
};

TangentSystem make_system(const LocalPatch& patch, const double* b, bool pressed) {
  TangentSystem s;
  const auto A = [&patch](int i, int j) {
    return patch.A[i + 4 * j];
  };
  for (int i = 0; i < 3; ++i) {
    const double share = pressed ? A(i + 1, 0) / A(0, 0) : 0.0;
    for (int j = 0; j < 3; ++j) s.S[i][j] = A(i + 1, j + 1) - share * A(0, j + 1);
    s.c[i] = b[i + 1] - share * b[0];
    s.g[i] = pressed ? -A(0, i + 1) / A(0, 0) : 0.0;
  }
  s.n0 = pressed ? -b[0] / A(0, 0) : 0.0;
  return s;
}

// Solves (S + rate) x = right by elimination with pivots on the diagonal, which dominates S.
bool solve_shifted(const TangentSystem& s, double rate, const double* right, double* x) {
  double M[3][4];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M[i][j] = s.S[i][j] + (i == j ? rate : 0.0);
    M[i][3] = right[i];
  }
  for (int k = 0; k < 3; ++k) {
    if (!(M[k][k] > kSingularPivot * (s.S[k][k] + rate))) return false;
    for (int i = k + 1; i < 3; ++i) {
      const double factor = M[i][k] / M[k][k];
      for (int j = k; j < 4; ++j) M[i][j] -= factor * M[k][j];
    }
  }
  for (int i = 2; i >= 0; --i) {
    x[i] = M[i][3];
    for (int j = i + 1; j < 3; ++j) x[i] -= M[i][j] * x[j];
    x[i] /= M[i][i];
  }
  return true;
}

double dot_three(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Computes r for a slip u_T = -rate r_T. Returns false if the system is singular.
bool calc_patch_reaction(const TangentSystem& s, double rate, double* r) {
  const double right[3] = {-s.c[0], -s.c[1], -s.c[2]};
  if (!solve_shifted(s, rate, right, r + 1)) return false;
  r[0] = s.n0 + dot_three(s.g, r + 1);
  return true;
}

bool is_in_cone(const LocalPatch& patch, const double* r) {
  const double limit = patch.mu * (r[0] + patch.given);
  return r[0] >= 0.0 && dot_three(r + 1, r + 1) <= limit * limit;
}

// Finds the root of mu (r_N + given) / |r_T| = 1 in the rate, by Newton's method inside a bracket.
void slide_patch(const LocalPatch& patch, const TangentSystem& s, double* r) {
  double low = 0.0;
  double high = -1.0;  // no upper bound yet
  double rate = 0.0;
  for (int k = 0; k < kMaxPatchSteps; ++k) {
    double next = -1.0;
    const bool regular = calc_patch_reaction(s, rate, r);
    double ratio = 0.0;
    if (regular) {
      const double t = std::sqrt(dot_three(r + 1, r + 1));
      const double load = r[0] + patch.given;
      ratio = patch.mu * load / t;
      if (std::fabs(ratio - 1.0) <= kPatchTolerance) break;
      const double right[3] = {-r[1], -r[2], -r[3]};
      double dr[3];
      (void)solve_shifted(s, rate, right, dr);
      const double slope =
          patch.mu * (dot_three(s.g, dr) - load * dot_three(r + 1, dr) / (t * t)) / t;
      next = rate + (1.0 - ratio) / slope;
    }
    (regular && ratio > 1.0 ? high : low) = rate;
    if (!(next > low) || (high >= 0.0 && !(next < high))) {
      next = high >= 0.0 ? 0.5 * (low + high) : 2.0 * low + patch.A[0];
    }
    if (next == rate) break;
    rate = next;
  }
  // Puts the reaction exactly on the cone.
  r[0] = std::max(r[0], 0.0);
  const double t = std::sqrt(dot_three(r + 1, r + 1));
  const double shrink = t > 0.0 ? patch.mu * (r[0] + patch.given) / t : 0.0;
  for (int i = 1; i < 4; ++i) r[i] *= shrink;
}

}  // namespace

void prepare(const double* A, double shift, double mu, LocalPatch* patch) {
  std::copy_n(A, 16, patch->A);
  for (const int i : {0, 5, 10, 15}) patch->A[i] += shift;
  patch->mu = mu;
}

void solve(const LocalPatch& patch, const double* b, double* r) {
  std::fill_n(r, 4, 0.0);
  for (const bool pressed : {false, true}) {
    if (pressed && !(patch.A[0] > 0.0)) return;
    if (pressed && patch.mu == 0.0) {
      r[0] = -b[0] / patch.A[0];
      return;
    }
    const TangentSystem s = make_system(patch, b, pressed);
    const bool rubs = patch.mu > 0.0 && (pressed || patch.given > 0.0);
    if (rubs && !(calc_patch_reaction(s, 0.0, r) && is_in_cone(patch, r))) slide_patch(patch, s, r);
    if (pressed) return;
    r[0] = 0.0;
    const double u_n = b[0] + patch.A[4] * r[1] + patch.A[8] * r[2] + patch.A[12] * r[3];
    if (u_n >= 0.0) return;
  }
}

}  // namespace tenpin::complementarity::cone
