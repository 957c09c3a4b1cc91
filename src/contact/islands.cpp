#include "contact/islands.h"

#include <algorithm>

namespace tenpin::contact {

void Islands::update(const dynamics::Model& model, std::span<const Contact> contacts,
                     const Workers* workers) {
  const int nm = model.num_mechanisms();
  pairs_.resize(contacts.size());
  split(workers, static_cast<int>(contacts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const int a = model.bodies[contacts[i].body_a].mechanism;
      const int b = model.bodies[contacts[i].body_b].mechanism;
      pairs_[i] = std::minmax(a, b);
    }
  });
  joined_.reset(nm);
  for (const auto& [least, most] : pairs_) {
    if (least >= 0) joined_.join(least, most);
  }

  // Number the islands by first appearance, count their contacts, then sort the contacts by island.
  island_.assign(nm + contacts.size(), -1);
  begin_.assign(1, 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int root = joined_.root(pairs_[i].second);
    if (island_[root] < 0) {
      island_[root] = size();
      begin_.push_back(0);
    }
    island_[nm + i] = island_[root];
    ++begin_[island_[root] + 1];
  }
  for (int k = 0; k < size(); ++k) begin_[k + 1] += begin_[k];
  members_.resize(contacts.size());
  // Filling from the back moves the start of each island to its final place.
  for (std::size_t i = contacts.size(); i-- > 0;) {
    members_[--begin_[island_[nm + i] + 1]] = static_cast<int>(i);
  }
  for (int k = 0; k < size(); ++k) begin_[k] = begin_[k + 1];
  begin_.back() = static_cast<int>(contacts.size());
}

std::string describe_island(const dynamics::Model& model, std::span<const Contact> contacts,
                            std::span<const int> island) {
  const Contact& c = contacts[island.front()];
  const bool is_b = c.body_a < 0 || model.bodies[c.body_a].mechanism < 0;
  return "the " + std::to_string(island.size()) + " contacts that hang together around " +
         model.bodies[is_b ? c.body_b : c.body_a].name;
}

}  // namespace tenpin::contact
