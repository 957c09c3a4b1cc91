#include "complementarity/cone/interface_lu.h"

#include <algorithm>

namespace tenpin::complementarity::cone {

void InterfaceLu::reset(const BlockMatrix& W, std::span<const unsigned char> may_join) {
  interfaces_.reset(W, may_join);
  first_row_.assign(W.first_row.begin(), W.first_row.end());
  value_begin_.clear();
  int end = 0;
  for (int a = 0; a < W.num_blocks(); ++a) {
    value_begin_.push_back(end);
    end += W.size(a) * W.size(a);
  }
  rest_of_.clear();
  end = static_cast<int>(interfaces_.list.size());
  for (const Interface& interface : interfaces_.list) {
    rest_of_.push_back(interface.is_joined() ? end++ : -1);
  }
  A_ = interfaces_.W_hat;
  x_.resize(A_.num_rows());
  D_T_.resize(A_.num_rows());
  lu_.order(A_);
  lu_.analyze(A_);
}

bool InterfaceLu::factorize(std::span<const double> D) {
  A_.values = interfaces_.W_hat.values;
  for (std::size_t k = 0; k < interfaces_.list.size(); ++k) {
    const Interface& interface = interfaces_.list[k];
    if (interface.is_joined()) {
      turn(interface, D);
      add_turned(k);
      continue;
    }
    const double* const added = &D[value_begin_[interfaces_.members[interface.first_member]]];
    double* const block = A_.entry(A_.diagonal[k]);
    for (int i = 0; i < interface.rank * interface.rank; ++i) block[i] += added[i];
  }
  return lu_.factorize(A_);
}

// Computes T' D T.
void InterfaceLu::turn(const Interface& interface, std::span<const double> D) {
  const int m = interface.num_rows;
  const double* const T = interfaces_.basis.data() + interface.basis_begin;
  turned_.resize(static_cast<std::size_t>(m) * m);
  for (int j = 0; j < m; ++j) {
    const double* from = T + j * m;
    double* to = D_T_.data();
    for (int k = interface.first_member; k < interface.first_member + interface.num_members; ++k) {
      const int a = interfaces_.members[k];
      const int n = first_row_[a + 1] - first_row_[a];
      const double* const block = &D[value_begin_[a]];
      for (int i = 0; i < n; ++i) {
        to[i] = 0.0;
        for (int l = 0; l < n; ++l) to[i] += block[i + l * n] * from[l];
      }
      from += n;
      to += n;
    }
    for (int i = 0; i < m; ++i) {
      double sum = 0.0;
      for (int k = 0; k < m; ++k) sum += T[k + i * m] * D_T_[k];
      turned_[i + j * m] = sum;
    }
  }
}

void InterfaceLu::add_turned(std::size_t index) {
  const Interface& interface = interfaces_.list[index];
  const int wrenches = static_cast<int>(index);
  const int rest = rest_of_[index];
  const auto add = [&](int a, int i_begin, int b, int j_begin) {
    double* to = A_.entry(A_.find(a, b));
    for (int j = j_begin; j < j_begin + A_.size(b); ++j) {
      for (int i = i_begin; i < i_begin + A_.size(a); ++i) {
        *to++ += turned_[i + j * interface.num_rows];
      }
    }
  };
  add(wrenches, 0, wrenches, 0);
  add(wrenches, 0, rest, interface.rank);
  add(rest, interface.rank, wrenches, 0);
  add(rest, interface.rank, rest, interface.rank);
}

// The place where a row of the transformed vector is stored, given its number.
double* InterfaceLu::row_of(std::size_t index, int row) {
  const int rank = interfaces_.list[index].rank;
  return row < rank ? &x_[A_.first_row[index] + row]
                    : &x_[A_.first_row[rest_of_[index]] + row - rank];
}

// Computes x_ = T' x.
void InterfaceLu::load(std::size_t index, std::span<const double> x) {
  const Interface& interface = interfaces_.list[index];
  const int* const members = &interfaces_.members[interface.first_member];
  if (!interface.is_joined()) {
    std::copy_n(&x[first_row_[*members]], interface.rank, &x_[A_.first_row[index]]);
    return;
  }
  const double* T = interfaces_.basis.data() + interface.basis_begin;
  for (int i = 0; i < interface.num_rows; ++i) {
    double sum = 0.0;
    for (int k = 0; k < interface.num_members; ++k) {
      for (int row = first_row_[members[k]]; row < first_row_[members[k] + 1]; ++row) {
        sum += *T++ * x[row];
      }
    }
    *row_of(index, i) = sum;
  }
}

// Computes x = T x_.
void InterfaceLu::unload(std::size_t index, std::span<double> x) {
  const Interface& interface = interfaces_.list[index];
  const int* const members = &interfaces_.members[interface.first_member];
  if (!interface.is_joined()) {
    std::copy_n(&x_[A_.first_row[index]], interface.rank, &x[first_row_[*members]]);
    return;
  }
  for (int k = 0; k < interface.num_members; ++k) {
    std::fill(&x[first_row_[members[k]]], x.data() + first_row_[members[k] + 1], 0.0);
  }
  const double* T = interfaces_.basis.data() + interface.basis_begin;
  for (int i = 0; i < interface.num_rows; ++i) {
    const double share = *row_of(index, i);
    for (int k = 0; k < interface.num_members; ++k) {
      for (int row = first_row_[members[k]]; row < first_row_[members[k] + 1]; ++row) {
        x[row] += *T++ * share;
      }
    }
  }
}

void InterfaceLu::solve(std::span<double> x) {
  for (std::size_t k = 0; k < interfaces_.list.size(); ++k) load(k, x);
  lu_.solve(x_);
  for (std::size_t k = 0; k < interfaces_.list.size(); ++k) unload(k, x);
}

}  // namespace tenpin::complementarity::cone
