// Which contacts there are, by their keys.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/workers.h"
#include "contact/contact.h"

namespace tenpin::methods::time_stepping {

// Sorted. Several threads may look at the same time.
class KeySet {
 public:
  void clear() { keys_.clear(); }
  // Those of a sorted list, and no others.
  void assign(std::span<const contact::Contact> sorted, const Workers& workers);
  void insert(const contact::ContactKey& key);

  [[nodiscard]] bool contains(const contact::ContactKey& key) const;
  // The same for who asks for one after the other: *next is where to look first, and is kept.
  [[nodiscard]] bool contains(const contact::ContactKey& key, std::size_t* next) const;
  // Whether it has a contact between the same two parts, whatever their features.
  [[nodiscard]] bool contains_pair(const contact::ContactKey& key) const;

 private:
  std::size_t find(const contact::ContactKey& key) const;

  std::vector<contact::ContactKey> keys_;
};

}  // namespace tenpin::methods::time_stepping
