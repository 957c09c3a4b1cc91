#include "complementarity/lcp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "complementarity/compensated.h"
#include "complementarity/residual_parts.h"

namespace tenpin::complementarity {
namespace {

constexpr int kBlock = 32;  // number of rows that are summed together, on the stack

// Rows first .. first + count - 1 of w = R z + u as high + low, and of sum_j |R_ij|.
struct RowBlock {
  std::array<double, kBlock> high{};
  std::array<double, kBlock> low{};
  std::array<double, kBlock> norm{};
};

// Adds column[i] * factor to every row: Dot2 of Ogita, Rump and Oishi, several rows at a time.
void add_column(const double* column, int count, double factor, RowBlock* rows) {
  for (int i = 0; i < count; ++i) {
    const DoubleDouble product = two_product(column[i], factor);
    const DoubleDouble sum = two_sum(rows->high[i], product.high);
    rows->high[i] = sum.high;
    rows->low[i] += sum.low + product.low;
  }
}

RowBlock calc_rows(ConstMatRef R, ConstVecRef u, ConstVecRef z, int first, int count) {
  RowBlock rows;
  std::copy_n(u.data() + first, count, rows.high.begin());
  for (int j = 0; j < z.size(); ++j) {
    const double* column = R.col(j).data() + first;
    for (int i = 0; i < count; ++i) rows.norm[i] += std::fabs(column[i]);
    if (z[j] != 0.0) add_column(column, count, z[j], &rows);
  }
  return rows;
}

// std::max drops a NaN; this keeps it as infinity, which no tolerance passes.
}  // namespace

bool LcpResidual::passes(double tolerance) const {
  return std::isfinite(scale) && natural <= tolerance * scale && relative <= tolerance &&
         std::isfinite(complementarity);
}

LcpResidual certify(const Lcp& lcp, ConstVecRef z) {
  return certify(lcp.R, lcp.u, z);
}

LcpResidual certify(ConstMatRef R, ConstVecRef u, ConstVecRef z) {
  const int n = static_cast<int>(z.size());
  TENPIN_DEMAND(u.size() == n && R.rows() == n && R.cols() == n);
  LcpResidual residual;
  double z_max = 0.0;
  for (int i = 0; i < n; ++i) keep_max(std::fabs(z[i]), &z_max);
  for (int first = 0; first < n; first += kBlock) {
    const int count = std::min(kBlock, n - first);
    const RowBlock rows = calc_rows(R, u, z, first, count);
    for (int k = 0; k < count; ++k) {
      const int i = first + k;
      const double w = rows.high[k] + rows.low[k];
      const double row_scale = std::fabs(u[i]) + rows.norm[k] * z_max;
      keep_max(std::fabs(std::min(z[i], w)), &residual.natural);
      keep_max(std::max(0.0, -w), &residual.w_negative);
      keep_max(std::max(0.0, -z[i]), &residual.z_negative);
      keep_max(std::fabs(w * z[i]), &residual.complementarity);  // propagates every NaN of w and z
      keep_max(std::fabs(u[i]), &residual.scale);
      keep_max(rows.norm[k] * z_max, &residual.scale);
      keep_max(std::fabs(std::min(quotient(z[i], z_max), quotient(w, row_scale))),
               &residual.relative);
    }
  }
  return residual;
}

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved:
      return "SOLVED";
    case SolveStatus::kRayTermination:
      return "RAY";
    case SolveStatus::kNullPivot:
      return "NULL_PIVOT";
    case SolveStatus::kIterationLimit:
      return "ITER_LIMIT";
    case SolveStatus::kCycle:
      return "CYCLE";
    case SolveStatus::kNonfinite:
      return "NONFINITE";
    case SolveStatus::kResidual:
      return "RESIDUAL";
    case SolveStatus::kInconsistent:
      return "INCONSISTENT";
  }
  return "UNKNOWN";
}

}  // namespace tenpin::complementarity
