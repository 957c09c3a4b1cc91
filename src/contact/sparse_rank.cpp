#include "contact/sparse_rank.h"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.h"

namespace tenpin::contact {

namespace {

constexpr int kFewColumns = 128;

double calc_length(const ConstMatRef& F, Eigen::Index row, Eigen::Index column) {
  return F.col(column).tail(F.rows() - row).norm();
}

// Applies the Householder reflection to the rows from `row` on that zeroes `column` below `row`.
void reflect(Eigen::Index row, Eigen::Index column, MatRef F) {
  const Eigen::Index below = F.rows() - row - 1;
  auto mirror = F.col(column).tail(below);
  const double head = F(row, column);
  const double length = calc_length(F, row, column);
  const double image = head < 0.0 ? length : -length;
  const double first = head - image;
  const double square = first * first + mirror.squaredNorm();
  for (Eigen::Index j = column + 1; j < F.cols(); ++j) {
    auto x = F.col(j).tail(below);
    const double part = 2.0 * (first * F(row, j) + mirror.dot(x)) / square;
    F(row, j) -= part * first;
    x -= part * mirror;
  }
  F(row, column) = image;
  mirror.setZero();
}

// Reduces the first `end` columns to one row each, with column pivoting by length. Returns the row
// after the last one used.
Eigen::Index reduce_longest_first(Eigen::Index end, MatRef F) {
  Eigen::Index row = 0;
  for (Eigen::Index k = 0; k < end && row < F.rows(); ++k, ++row) {
    Eigen::Index longest = k;
    for (Eigen::Index j = k + 1; j < end; ++j) {
      if (calc_length(F, row, j) > calc_length(F, row, longest)) longest = j;
    }
    if (calc_length(F, row, longest) < kDependentColumn) break;
    F.col(k).swap(F.col(longest));
    reflect(row, k, F);
  }
  return row;
}

// Reduces the columns from `begin` on in their order, starting at `row`.
Eigen::Index reduce_in_order(Eigen::Index row, Eigen::Index begin, MatRef F) {
  for (Eigen::Index k = begin; k < F.cols() && row < F.rows(); ++k) {
    if (calc_length(F, row, k) < kDependentColumn) continue;
    reflect(row++, k, F);
  }
  return row;
}

}  // namespace

void SparseRank::reset(std::span<const int> widths) {
  widths_.assign(widths.begin(), widths.end());
  rows_.clear();
  values_.clear();
}

void SparseRank::add(Part a, Part b) {
  if (a.group > b.group) std::swap(a, b);
  double square = 0.0;
  for (const Part& part : {a, b}) {
    for (int i = 0; part.group >= 0 && i < widths_[part.group]; ++i) {
      square += part.values[i] * part.values[i];
    }
  }
  if (square == 0.0) return;
  const double length = std::sqrt(square);
  rows_.push_back({.a = a.group, .b = b.group, .first = values_.size()});
  for (const Part& part : {a, b}) {
    for (int i = 0; part.group >= 0 && i < widths_[part.group]; ++i) {
      values_.push_back(part.values[i] / length);
    }
  }
}

int SparseRank::count_columns(std::span<const int> groups) const {
  int columns = 0;
  for (const int group : groups) columns += widths_[group];
  return columns;
}

void SparseRank::add_piece(Piece piece) {
  if (piece.groups.empty() || piece.rows.rows() == 0) return;
  for (const int group : piece.groups) pieces_of_[group].insert(static_cast<int>(pieces_.size()));
  pieces_.push_back(std::move(piece));
}

// Makes the pieces: rows that belong to the same groups form one piece.
void SparseRank::make_pieces() {
  pieces_.clear();
  pieces_of_.assign(widths_.size(), {});
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& x, const Row& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  for (auto begin = rows_.begin(); begin != rows_.end();) {
    const auto end = std::find_if(begin, rows_.end(), [&](const Row& row) {
      return row.a != begin->a || row.b != begin->b;
    });
    Piece piece;
    if (begin->a >= 0) piece.groups.push_back(begin->a);
    piece.groups.push_back(begin->b);
    piece.rows.resize(end - begin, count_columns(piece.groups));
    for (auto row = begin; row != end; ++row) {
      piece.rows.row(row - begin) =
          Eigen::Map<const VecX>(values_.data() + row->first, piece.rows.cols()).transpose();
    }
    add_piece(std::move(piece));
    begin = end;
  }
}

int SparseRank::calc_dense_rank(int columns) {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  dense_.assign(rows_.size() * static_cast<std::size_t>(columns), 0.0);
  Eigen::Map<MatX> F(dense_.data(), count, columns);
  for (Eigen::Index r = 0; r < count; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    const double* value = values_.data() + row.first;
    for (const int group : {row.a, row.b}) {
      for (int i = 0; group >= 0 && i < widths_[group]; ++i) {
        F(r, first_column_[group] + i) = *value++;
      }
    }
  }
  return static_cast<int>(reduce_longest_first(columns, F));
}

std::vector<int> SparseRank::find_neighbours(int group) const {
  std::set<int> found;
  for (const int piece : pieces_of_[group]) {
    found.insert(pieces_[piece].groups.begin(), pieces_[piece].groups.end());
  }
  found.erase(group);
  return {found.begin(), found.end()};
}

// Collects all rows with entries in the group; the columns of the group come first.
void SparseRank::gather(int group, std::span<const int> neighbours) {
  int columns = first_column_[group] = 0;
  columns += widths_[group];
  for (const int other : neighbours) {
    first_column_[other] = columns;
    columns += widths_[other];
  }
  Eigen::Index count = 0;
  for (const int piece : pieces_of_[group]) count += pieces_[piece].rows.rows();
  front_.setZero(count, columns);
  Eigen::Index row = 0;
  for (const int index : std::set<int>(pieces_of_[group])) {
    Piece& piece = pieces_[index];
    int column = 0;
    for (const int of : piece.groups) {
      front_.block(row, first_column_[of], piece.rows.rows(), widths_[of]) =
          piece.rows.middleCols(column, widths_[of]);
      column += widths_[of];
      pieces_of_[of].erase(index);
    }
    row += piece.rows.rows();
    piece = {};
  }
}

// Returns by how much the columns of the group increase the rank. The remaining rows belong to its
// neighbours.
int SparseRank::eliminate(int group) {
  std::vector<int> neighbours = find_neighbours(group);
  gather(group, neighbours);
  const Eigen::Index width = widths_[group];
  const Eigen::Index rank = reduce_longest_first(width, front_);
  const Eigen::Index end = reduce_in_order(rank, width, front_);
  add_piece({.groups = std::move(neighbours),
             .rows = front_.block(rank, width, end - rank, front_.cols() - width)});
  return static_cast<int>(rank);
}

int SparseRank::calc_rank() {
  first_column_.resize(widths_.size());
  int columns = 0;
  for (std::size_t group = 0; group < widths_.size(); ++group) {
    first_column_[group] = columns;
    columns += widths_[group];
  }
  if (columns <= kFewColumns) return calc_dense_rank(columns);
  make_pieces();
  const int num_groups = static_cast<int>(widths_.size());
  std::vector<int> degree(widths_.size());
  std::set<std::pair<int, int>> queue;  // degree, group
  for (int group = 0; group < num_groups; ++group) {
    degree[group] = count_columns(find_neighbours(group));
    queue.emplace(degree[group], group);
  }
  int rank = 0;
  while (!queue.empty()) {
    const int group = queue.begin()->second;
    queue.erase(queue.begin());
    const std::vector<int> neighbours = find_neighbours(group);
    rank += eliminate(group);
    for (const int other : neighbours) {
      queue.erase({degree[other], other});
      degree[other] = count_columns(find_neighbours(other));
      queue.emplace(degree[other], other);
    }
  }
  return rank;
}

}  // namespace tenpin::contact
