#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "base/check.h"
#include "complementarity/cone/dense_front.h"
#include "complementarity/cone/forms.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMaxCoupled = 3000;

// A group of velocities that M couples, directly or indirectly.
struct Group {
  std::vector<int> dofs;
  std::vector<int> columns;  // of [H G] with entries in these rows
};

int find_root(std::vector<int>* parent, int i) {
  while ((*parent)[i] != i) i = (*parent)[i] = (*parent)[(*parent)[i]];
  return i;
}

// The entries of a list, sorted by column.
struct Columns {
  std::vector<int> begin;
  std::vector<int> row;
  std::vector<double> value;
};

void count_columns(const SparseEntries& A, int shift, std::vector<int>* begin) {
  for (const int j : A.col) ++(*begin)[j + shift + 1];
}

// Joins H and G to [H G].
Columns join(const SparseEntries& H, const SparseEntries& G) {
  Columns columns;
  columns.begin.assign(H.num_cols + G.num_cols + 1, 0);
  count_columns(H, 0, &columns.begin);
  count_columns(G, H.num_cols, &columns.begin);
  std::partial_sum(columns.begin.begin(), columns.begin.end(), columns.begin.begin());
  std::vector<int> next = columns.begin;
  columns.row.resize(columns.begin.back());
  columns.value.resize(columns.begin.back());
  const auto fill = [&](const SparseEntries& A, int shift) {
    for (std::size_t k = 0; k < A.col.size(); ++k) {
      const int place = next[A.col[k] + shift]++;
      columns.row[place] = A.row[k];
      columns.value[place] = A.value[k];
    }
  };
  fill(H, 0);
  fill(G, H.num_cols);
  return columns;
}

class Condenser {
 public:
  explicit Condenser(const GlobalForm& form)
      : form_(form), columns_(join(form.H, form.G)), local_(form.M.num_rows, -1) {
    find_groups();
  }

  LocalForm run() {
    const int m = form_.H.num_cols;
    const int p = form_.G.num_cols;
    out_.space_dim = form_.space_dim;
    out_.mu = form_.mu;
    out_.q = form_.w;
    out_.s = form_.b;
    out_.W.num_rows = out_.W.num_cols = out_.V.num_rows = m;
    out_.V.num_cols = out_.R.num_rows = out_.R.num_cols = p;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!groups_[g].columns.empty()) condense_group(static_cast<int>(g));
    }
    return std::move(out_);
  }

 private:
  void find_groups() {
    const int n = form_.M.num_rows;
    std::vector<int> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    for (std::size_t k = 0; k < form_.M.row.size(); ++k) {
      const int a = find_root(&parent, form_.M.row[k]);
      const int b = find_root(&parent, form_.M.col[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
    group_of_.assign(n, -1);
    for (int i = 0; i < n; ++i) {
      const int root = find_root(&parent, i);
      if (root == i) {
        group_of_[i] = static_cast<int>(groups_.size());
        groups_.emplace_back();
      }
      group_of_[i] = group_of_[root];
      local_[i] = static_cast<int>(groups_[group_of_[i]].dofs.size());
      groups_[group_of_[i]].dofs.push_back(i);
    }
    for (int j = 0; j + 1 < static_cast<int>(columns_.begin.size()); ++j) {
      for (int k = columns_.begin[j]; k < columns_.begin[j + 1]; ++k) {
        std::vector<int>& list = groups_[group_of_[columns_.row[k]]].columns;
        if (list.empty() || list.back() != j) list.push_back(j);
      }
    }
    mass_entries_.resize(groups_.size());
    for (std::size_t k = 0; k < form_.M.row.size(); ++k) {
      mass_entries_[group_of_[form_.M.row[k]]].push_back(static_cast<int>(k));
    }
  }

  void factorize(int g) {
    n_ = static_cast<int>(groups_[g].dofs.size());
    if (n_ > kMaxCoupled) {
      throw LimitError("M couples " + std::to_string(n_) + " velocities, at most " +
                       std::to_string(kMaxCoupled) + " can be condensed; give the local form");
    }
    mass_.assign(static_cast<std::size_t>(n_) * n_, 0.0);
    double largest = 0.0;
    for (const int k : mass_entries_[g]) {
      double& entry =
          mass_[local_[form_.M.row[k]] + static_cast<long>(local_[form_.M.col[k]]) * n_];
      entry += form_.M.value[k];
      largest = std::max(largest, entry);
    }
    order_.resize(n_);
    // Pivots are judged relative to the size of their own row, because masses and moments of
    // inertia have different units.
    constexpr double kLeast = std::numeric_limits<double>::min();
    const int num_replaced = eliminate({mass_.data(), n_}, n_, n_, {kLeast, kLeast}, order_.data());
    TENPIN_REQUIRE(largest > 0.0 && num_replaced == 0,
                   "singular, got no inverse, want a positive definite matrix");
  }

  void solve(double* x) const {
    const DenseView LU{const_cast<double*>(mass_.data()), n_};
    for (int k = 0; k < n_; ++k) std::swap(x[k], x[order_[k]]);
    for (int k = 0; k < n_; ++k) {
      for (int i = k + 1; i < n_; ++i) x[i] -= LU(i, k) * x[k];
    }
    for (int k = n_ - 1; k >= 0; --k) {
      x[k] /= LU(k, k);
      for (int i = 0; i < k; ++i) x[i] -= LU(i, k) * x[k];
    }
  }

  double dot(int group, int column, const double* x) const {
    double sum = 0.0;
    for (int k = columns_.begin[column]; k < columns_.begin[column + 1]; ++k) {
      if (group_of_[columns_.row[k]] == group)
        sum += columns_.value[k] * x[local_[columns_.row[k]]];
    }
    return sum;
  }

  void condense_group(int g) {
    factorize(g);
    const Group& group = groups_[g];
    const int m = form_.H.num_cols;
    std::vector<double> x(n_);
    for (const int j : group.columns) {
      std::fill(x.begin(), x.end(), 0.0);
      for (int k = columns_.begin[j]; k < columns_.begin[j + 1]; ++k) {
        if (group_of_[columns_.row[k]] == g) x[local_[columns_.row[k]]] += columns_.value[k];
      }
      solve(x.data());
      for (const int i : group.columns) {
        const double value = dot(g, i, x.data());
        if (i < m && j < m) out_.W.add(i, j, value);
        if (i < m && j >= m) out_.V.add(i, j - m, value);
        if (i >= m && j >= m) out_.R.add(i - m, j - m, value);
      }
    }
    for (int i = 0; i < n_; ++i) x[i] = form_.f[group.dofs[i]];
    solve(x.data());
    for (const int i : group.columns) {
      (i < m ? out_.q[i] : out_.s[i - m]) += dot(g, i, x.data());
    }
  }

  const GlobalForm& form_;
  Columns columns_;
  std::vector<int> local_;     // of each velocity in its group
  std::vector<int> group_of_;  // of each velocity
  std::vector<Group> groups_;
  std::vector<std::vector<int>> mass_entries_;  // of M, by group
  int n_ = 0;
  std::vector<double> mass_;  // LU of the current group
  std::vector<int> order_;
  LocalForm out_;
};

}  // namespace

LocalForm condense(const GlobalForm& form) {
  return Condenser(form).run();
}

}  // namespace tenpin::complementarity::cone
