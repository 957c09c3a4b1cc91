// Groups contacts that can be solved independently, because no mechanism connects them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "base/workers.h"
#include "contact/contact.h"
#include "dynamics/model.h"

namespace tenpin::contact {

// Groups of contacts in the order of their first contact; contacts within a group keep their order.
// Keeps its buffers.
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

}  // namespace tenpin::contact
