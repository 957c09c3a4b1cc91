#include "contact/sparse_rank.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace tenpin::contact {
namespace {

struct SparseRow {
  std::array<int, 2> groups = {-1, -1};
  std::array<std::array<double, 6>, 2> values{};
};

// Two groups of six columns, whole numbers from -2 to 2 with many zeros.
SparseRow draw_row(int a, int b, std::mt19937* random) {
  SparseRow row{.groups = {a, b}, .values = {}};
  for (auto& part : row.values) {
    for (double& value : part) value = static_cast<double>((*random)() % 9 / 2) - 2.0;
  }
  return row;
}

int calc_sparse_rank(const std::vector<SparseRow>& rows, int num_groups) {
  SparseRank rank;
  rank.reset(std::vector<int>(num_groups, 6));
  for (const SparseRow& row : rows) {
    rank.add({row.groups[0], row.values[0].data()}, {row.groups[1], row.values[1].data()});
  }
  return rank.calc_rank();
}

// By Gaussian elimination with full pivoting.
int calc_dense_rank(const std::vector<SparseRow>& rows, int num_groups) {
  MatX A = MatX::Zero(static_cast<Eigen::Index>(rows.size()), 6L * num_groups);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (int part = 0; part < 2; ++part) {
      for (int i = 0; i < 6 && rows[r].groups[part] >= 0; ++i) {
        A(static_cast<Eigen::Index>(r), 6 * rows[r].groups[part] + i) = rows[r].values[part][i];
      }
    }
  }
  int rank = 0;
  for (; rank < std::min(A.rows(), A.cols()); ++rank) {
    Eigen::Index i = 0;
    Eigen::Index j = 0;
    const auto rest = A.bottomRightCorner(A.rows() - rank, A.cols() - rank);
    if (rest.cwiseAbs().maxCoeff(&i, &j) < 1e-9) break;
    A.row(rank).swap(A.row(rank + i));
    A.col(rank).swap(A.col(rank + j));
    for (Eigen::Index k = rank + 1; k < A.rows(); ++k) {
      A.row(k) -= A(k, rank) / A(rank, rank) * A.row(rank).eval();
    }
  }
  return rank;
}

TEST(SparseRank, AgreesWithDenseEliminationOfRandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    // Few columns, as one group, or many.
    const int num_groups = 2 + static_cast<int>(random() % 8) + (round % 2 == 0 ? 0 : 20);
    std::vector<SparseRow> rows;
    const int pairs = 1 + static_cast<int>(random() % (2 * num_groups));
    for (int p = 0; p < pairs; ++p) {
      const int a = static_cast<int>(random() % num_groups);
      const int b = static_cast<int>(random() % (num_groups + 1)) - 1;
      if (a == b) continue;
      const int count = 1 + static_cast<int>(random() % 5);
      for (int k = 0; k < count; ++k) rows.push_back(draw_row(a, b, &random));
      // And one that follows from two of these.
      if (count < 2) continue;
      SparseRow sum = rows.back();
      for (int part = 0; part < 2; ++part) {
        for (int i = 0; i < 6; ++i) {
          sum.values[part][i] += 3.0 * rows[rows.size() - 2].values[part][i];
        }
      }
      rows.push_back(sum);
    }
    EXPECT_EQ(calc_sparse_rank(rows, num_groups), calc_dense_rank(rows, num_groups)) << round;
  }
}

// Each link of a closed ring, as a row of differences, follows from the others: far apart in the
// order of elimination.
TEST(SparseRank, RingHasOneRowLessThanLinks) {
  constexpr int kLinks = 500;
  std::vector<SparseRow> rows;
  for (int k = 0; k < kLinks; ++k) {
    SparseRow row{.groups = {k, (k + 1) % kLinks}, .values = {}};
    row.values[0][2] = -1.0;
    row.values[1][2] = 1.0;
    rows.push_back(row);
  }
  EXPECT_EQ(calc_sparse_rank(rows, kLinks), kLinks - 1);
  rows.front().values[0][2] = -1.0001;
  EXPECT_EQ(calc_sparse_rank(rows, kLinks), kLinks);
}

TEST(SparseRank, RowsWithoutNumbersSpanNothing) {
  EXPECT_EQ(calc_sparse_rank({{.groups = {0, 1}, .values = {}}}, 2), 0);
  EXPECT_EQ(calc_sparse_rank({}, 3), 0);
}

}  // namespace
}  // namespace tenpin::contact
