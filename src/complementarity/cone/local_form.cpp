#include <algorithm>

#include "base/check.h"
#include "complementarity/cone/forms.h"

namespace tenpin::complementarity::cone {
namespace {

// The place of a row of the form in the ConeProblem.
struct Place {
  int block = 0;
  int row = 0;
};

class Places {
 public:
  Places(int space_dim, int num_contacts) : dim_(space_dim), num_contacts_(num_contacts) {}
  Place contact_row(int i) const { return {i / dim_, i % dim_}; }
  Place free_row(int i) const { return {num_contacts_ + i, 0}; }

 private:
  int dim_;
  int num_contacts_;
};

void add(Place i, Place j, double value, BlockMatrix* W) {
  const int e = W->find(i.block, j.block);
  W->entry(e)[i.row + j.row * W->size(i.block)] += value;
}

}  // namespace

ConeProblem make_cone_problem(const LocalForm& form) {
  const int num_contacts = static_cast<int>(form.mu.size());
  const int num_free = static_cast<int>(form.s.size());
  TENPIN_DEMAND(static_cast<int>(form.q.size()) == form.space_dim * num_contacts);
  const Places places(form.space_dim, num_contacts);
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(form.W.row.size());
  const auto each = [&](auto&& visit) {
    for (std::size_t k = 0; k < form.W.row.size(); ++k) {
      visit(places.contact_row(form.W.row[k]), places.contact_row(form.W.col[k]), form.W.value[k]);
    }
    for (std::size_t k = 0; k < form.V.row.size(); ++k) {
      const Place i = places.contact_row(form.V.row[k]);
      const Place j = places.free_row(form.V.col[k]);
      visit(i, j, form.V.value[k]);
      visit(j, i, form.V.value[k]);
    }
    for (std::size_t k = 0; k < form.R.row.size(); ++k) {
      visit(places.free_row(form.R.row[k]), places.free_row(form.R.col[k]), form.R.value[k]);
    }
  };
  each([&](Place i, Place j, double) {
    if (pairs.empty() || pairs.back() != std::pair(i.block, j.block)) {
      pairs.emplace_back(i.block, j.block);
    }
  });
  ConeProblem problem;
  set_structure(form.mu, std::vector<int>(num_free, 1), pairs, &problem);
  each([&](Place i, Place j, double value) {
    add(i, j, value, &problem.W);
  });
  for (int i = 0; i < form.space_dim * num_contacts; ++i) {
    const Place place = places.contact_row(i);
    problem.q[3 * place.block + place.row] = form.q[i];
  }
  std::copy(form.s.begin(), form.s.end(), problem.q.begin() + 3 * num_contacts);
  for (int a = 0; form.space_dim == 2 && a < num_contacts; ++a) {
    double* const block = problem.W.entry(problem.W.diagonal[a]);
    block[8] = std::max(block[4], block[0]);
  }
  return problem;
}

std::vector<double> take_contact_rows(std::span<const double> rows, int num_contacts,
                                      int space_dim) {
  std::vector<double> taken;
  taken.reserve(static_cast<std::size_t>(num_contacts) * space_dim);
  for (int a = 0; a < num_contacts; ++a) {
    taken.insert(taken.end(), rows.begin() + 3 * a, rows.begin() + 3 * a + space_dim);
  }
  return taken;
}

std::vector<double> take_free_rows(std::span<const double> rows, int num_contacts) {
  return {rows.begin() + 3 * num_contacts, rows.end()};
}

}  // namespace tenpin::complementarity::cone
