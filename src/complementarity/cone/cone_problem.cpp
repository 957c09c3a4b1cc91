#include "complementarity/cone/cone_problem.h"

#include <algorithm>

namespace tenpin::complementarity::cone {

int ConeProblem::calc_num_contacts() const {
  return static_cast<int>(std::count(kind.begin(), kind.end(), BlockKind::kContact));
}

void set_structure(std::span<const double> contact_mu, std::span<const int> free_sizes,
                   std::span<const std::pair<int, int>> pairs, ConeProblem* problem) {
  std::vector<int> sizes(contact_mu.size(), 3);
  sizes.insert(sizes.end(), free_sizes.begin(), free_sizes.end());
  set_contacts(contact_mu, sizes, pairs, problem);
  std::fill(problem->kind.begin() + static_cast<std::ptrdiff_t>(contact_mu.size()),
            problem->kind.end(), BlockKind::kFree);
}

void set_contacts(std::span<const double> mu, std::span<const int> sizes,
                  std::span<const std::pair<int, int>> pairs, ConeProblem* problem) {
  problem->W.set_pattern(sizes, pairs);
  problem->kind.assign(sizes.size(), BlockKind::kContact);
  problem->mu.assign(mu.begin(), mu.end());
  problem->mu.resize(sizes.size(), 0.0);
  problem->given.assign(sizes.size(), 0.0);
  problem->q.assign(problem->W.num_rows(), 0.0);
}

}  // namespace tenpin::complementarity::cone
