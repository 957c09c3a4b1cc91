// Groups contacts that can be solved independently, because no mechanism connects them.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "base/workers.h"
#include "contact/contact.h"
#include "dynamics/model.h"

namespace tenpin::contact {

// Groups of contacts in the order of their first contact; contacts within a group keep their order.
// Reuses its buffers between calls.
class Islands {
 public:
  void update(const dynamics::Model& model, std::span<const Contact> contacts,
              const Workers* workers = nullptr);

  int size() const { return static_cast<int>(begin_.size()) - 1; }
  std::span<const int> contacts(int island) const {
    return std::span(members_).subspan(begin_[island], begin_[island + 1] - begin_[island]);
  }

 private:
  UnionFind joined_;                        // mechanisms
  std::vector<std::pair<int, int>> pairs_;  // mechanisms, by contact; the second is the larger
  std::vector<int> island_;                 // by root mechanism, then by contact
  std::vector<int> begin_ = {0};
  std::vector<int> members_;
};

// Describes an island in messages: "the 57 contacts that hang together around crate".
[[nodiscard]] std::string describe_island(const dynamics::Model& model,
                                          std::span<const Contact> contacts,
                                          std::span<const int> island);

// Describes the island with the most contacts.
template <class ContactOrRecord>
[[nodiscard]] std::string describe_largest(const dynamics::Model& model,
                                           std::span<const ContactOrRecord> contacts) {
  UnionFind joined;
  joined.reset(model.num_mechanisms());
  const auto mechanism = [&](int body) {
    return body < 0 ? -1 : model.bodies[body].mechanism;
  };
  for (const ContactOrRecord& c : contacts) {
    const int a = mechanism(c.body_a);
    const int b = mechanism(c.body_b);
    if (a >= 0 && b >= 0) joined.join(a, b);
  }
  std::vector<int> counts(model.mechanisms.size(), 0);
  int most = -1;
  for (const ContactOrRecord& c : contacts) {
    const int m = std::max(mechanism(c.body_a), mechanism(c.body_b));
    if (m < 0) continue;
    const int root = joined.root(m);
    if (++counts[root] > (most < 0 ? 0 : counts[most])) most = root;
  }
  if (most < 0) return "the motion without contacts";
  return "the " + std::to_string(counts[most]) + " contacts that hang together around " +
         model.bodies[model.mechanisms[most].bodies.front()].name;
}
template <class ContactOrRecord>
[[nodiscard]] std::string describe_largest(const dynamics::Model& model,
                                           const std::vector<ContactOrRecord>& contacts) {
  return describe_largest(model, std::span<const ContactOrRecord>(contacts));
}

}  // namespace tenpin::contact
