// A set of contacts, by their keys.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/workers.h"
#include "contact/contact.h"

namespace tenpin::methods::time_stepping {

// Sorted by key. Several threads may search at the same time.
class KeySet {
 public:
  void clear() { keys_.clear(); }
  // Replaces the set by the keys of a sorted list.
  void assign(std::span<const contact::Contact> sorted, const Workers& workers);
  void insert(const contact::ContactKey& key);

  [[nodiscard]] bool contains(const contact::ContactKey& key) const;
  // The same for sequential lookups: the search starts at *next and updates it.
  [[nodiscard]] bool contains(const contact::ContactKey& key, std::size_t* next) const;
  // True if it has a contact between the same two parts, with any features.
  [[nodiscard]] bool contains_pair(const contact::ContactKey& key) const;

 private:
  std::size_t find(const contact::ContactKey& key) const;

  std::vector<contact::ContactKey> keys_;
};

}  // namespace tenpin::methods::time_stepping
