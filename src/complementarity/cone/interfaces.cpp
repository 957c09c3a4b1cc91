#include "complementarity/cone/interfaces.h"

#include <algorithm>
#include <cmath>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {
namespace {

// The transformation costs the third power of the number of members, so larger sets are split.
constexpr std::size_t kMaxMembers = 8;

std::span<const int> neighbours_of(const BlockMatrix& W, int block) {
  return {W.col.data() + W.row_begin[block],
          static_cast<std::size_t>(W.row_begin[block + 1] - W.row_begin[block])};
}

double norm(std::span<const double> v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

void Interfaces::reset(const BlockMatrix& W, std::span<const unsigned char> may_join) {
  list.clear();
  members.clear();
  basis.clear();
  order_.clear();
  for (int a = 0; a < W.num_blocks(); ++a) {
    if (may_join[a]) order_.push_back(a);
  }
  const auto is_before = [&](int a, int b) {
    const std::span<const int> of_a = neighbours_of(W, a);
    const std::span<const int> of_b = neighbours_of(W, b);
    const auto [at_a, at_b] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
    if (at_a == of_a.end() && at_b == of_b.end()) return a < b;
    return at_b != of_b.end() && (at_a == of_a.end() || *at_a < *at_b);
  };
  std::sort(order_.begin(), order_.end(), is_before);
  for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
    const std::span<const int> first = neighbours_of(W, order_[begin]);
    const auto is_like_first = [&](int a) {
      const std::span<const int> of_a = neighbours_of(W, a);
      return std::equal(of_a.begin(), of_a.end(), first.begin(), first.end());
    };
    end = begin + 1;
    while (end < std::min(begin + kMaxMembers, order_.size()) && is_like_first(order_[end])) ++end;
    join(W, std::span<const int>(order_).subspan(begin, end - begin));
  }
  for (int a = 0; a < W.num_blocks(); ++a) {
    const int lone[] = {a};
    if (!may_join[a]) join(W, lone);
  }
  condense(W);
}

void Interfaces::join(const BlockMatrix& W, std::span<const int> blocks) {
  int num_rows = 0;
  for (const int a : blocks) num_rows += W.size(a);
  if (blocks.size() > 1 && !find_basis(W, blocks, num_rows)) {
    for (const int& a : blocks) join(W, {&a, 1});
    return;
  }
  Interface interface;
  interface.first_member = static_cast<int>(members.size());
  interface.num_members = static_cast<int>(blocks.size());
  interface.num_rows = interface.rank = num_rows;
  members.insert(members.end(), blocks.begin(), blocks.end());
  if (interface.is_joined()) {
    interface.rank = static_cast<int>(found_.size()) / num_rows;
    interface.basis_begin = static_cast<int>(basis.size());
    complete_basis(num_rows);
    basis.insert(basis.end(), found_.begin(), found_.end());
  }
  list.push_back(interface);
}

// Finds a basis for the columns of W in the rows of the blocks and for the rows of W in their
// columns. Returns false if the basis would not be much smaller than the blocks themselves.
bool Interfaces::find_basis(const BlockMatrix& W, std::span<const int> blocks, int num_rows) {
  found_.clear();
  const std::size_t max_rank = std::min(kMaxRank, 2 * num_rows / 3);
  double size = 0.0;
  for (const int a : blocks) {
    size = std::max(
        size, norm({W.entry(W.diagonal[a]), static_cast<std::size_t>(W.size(a)) * W.size(a)}));
  }
  for (const int b : neighbours_of(W, blocks.front())) {
    take_slab(W, blocks, b, num_rows);
    for (std::size_t begin = 0; begin < slab_.size(); begin += num_rows) {
      extend_basis(std::span<double>(slab_).subspan(begin, num_rows), kInterfaceRank * size);
      if (found_.size() > max_rank * num_rows) return false;
    }
  }
  return true;
}

// Collects the columns of W in the rows of the blocks, and the rows in their columns, that belong
// to the neighbour.
void Interfaces::take_slab(const BlockMatrix& W, std::span<const int> blocks, int neighbour,
                           int num_rows) {
  const int n = W.size(neighbour);
  slab_.assign(2L * n * num_rows, 0.0);
  int first = 0;
  for (const int a : blocks) {
    const int e = W.find(a, neighbour);
    const double* const forth = W.entry(e);
    const double* const back = W.entry(W.mirror[e]);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < W.size(a); ++i) {
        slab_[first + i + j * num_rows] = forth[i + j * W.size(a)];
        slab_[first + i + (n + j) * num_rows] = back[j + i * n];
      }
    }
    first += W.size(a);
  }
}

// Adds the part of the column that is orthogonal to the basis, if it is longer than `least`.
// Orthogonalises twice, because a single pass leaves an error when the column is close to the span.
void Interfaces::extend_basis(std::span<double> column, double least) {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t begin = 0; begin < found_.size(); begin += column.size()) {
      double along = 0.0;
      for (std::size_t i = 0; i < column.size(); ++i) along += found_[begin + i] * column[i];
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= along * found_[begin + i];
    }
    const double rest = norm(column);
    if (rest <= least) return;
    if (pass == 0) continue;
    for (double& x : column) x /= rest;
  }
  found_.insert(found_.end(), column.begin(), column.end());
}

// Completes the basis with unit vectors that are not close to its span; there is always one.
void Interfaces::complete_basis(int num_rows) {
  const std::size_t size = static_cast<std::size_t>(num_rows) * num_rows;
  const double far = 0.5 / std::sqrt(static_cast<double>(num_rows));
  for (int i = 0; found_.size() < size; i = (i + 1) % num_rows) {
    slab_.assign(num_rows, 0.0);
    slab_[i] = 1.0;
    extend_basis(slab_, far);
  }
}

void Interfaces::condense(const BlockMatrix& W) {
  interface_of_.resize(W.num_blocks());
  row_in_.resize(W.num_blocks());
  sizes_.clear();
  for (std::size_t k = 0; k < list.size(); ++k) {
    int first = 0;
    for (int m = list[k].first_member; m < list[k].first_member + list[k].num_members; ++m) {
      interface_of_[members[m]] = static_cast<int>(k);
      row_in_[members[m]] = first;
      first += W.size(members[m]);
    }
    sizes_.push_back(list[k].rank);
  }
  pairs_.clear();
  for (const Interface& interface : list) {
    const int a = members[interface.first_member];  // the other members have the same neighbours
    for (const int b : neighbours_of(W, a)) {
      if (interface_of_[a] < interface_of_[b]) {
        pairs_.emplace_back(interface_of_[a], interface_of_[b]);
      }
    }
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!list[k].is_joined()) continue;
    pairs_.emplace_back(static_cast<int>(k), static_cast<int>(sizes_.size()));
    sizes_.push_back(list[k].num_rows - list[k].rank);
  }
  W_hat.set_pattern(sizes_, pairs_);
  for (int a = 0; a < W.num_blocks(); ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) add_entry(W, a, e);
  }
}

// Adds T_a' W_ab T_b to the blocks of the wrenches.
void Interfaces::add_entry(const BlockMatrix& W, int a, int e) {
  const int b = W.col[e];
  const Interface& left = list[interface_of_[a]];
  const Interface& right = list[interface_of_[b]];
  double* const to = W_hat.entry(W_hat.find(interface_of_[a], interface_of_[b]));
  const double* const block = W.entry(e);
  const int n = W.size(a);
  if (!left.is_joined() && !right.is_joined()) {
    std::copy_n(block, n * W.size(b), to);
    return;
  }
  const auto entry_of = [&](const Interface& interface, int member, int i, int k) {
    if (!interface.is_joined()) return i == k ? 1.0 : 0.0;
    return basis[interface.basis_begin + row_in_[member] + i + k * interface.num_rows];
  };
  for (int l = 0; l < right.rank; ++l) {
    double column[kMaxRank] = {};
    for (int j = 0; j < W.size(b); ++j) {
      const double share = entry_of(right, b, j, l);
      for (int i = 0; i < n; ++i) column[i] += block[i + j * n] * share;
    }
    for (int k = 0; k < left.rank; ++k) {
      for (int i = 0; i < n; ++i) to[k + l * left.rank] += entry_of(left, a, i, k) * column[i];
    }
  }
}

}  // namespace tenpin::complementarity::cone
