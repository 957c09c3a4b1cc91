// Which contacts take part in a step's complementarity problem.   [ST00, §4]
#pragma once

#include <cstdint>
#include <vector>

#include "contact/key.h"
#include "math/types.h"

namespace tenpin::methods::time_stepping {

// A sorted set of contact keys: those that were active in the step before, with their impulses, and
// those that were found violated since. Kept between steps as the state's memory.
class ActiveSet {
 public:
  void clear() { entries_.clear(); }
  bool contains(const contact::ContactKey& key) const;
  // Whether it has a contact between the same two parts, whatever their features.
  [[nodiscard]] bool contains_pair(const contact::ContactKey& key) const;
  void insert(const contact::ContactKey& key, const Vec3& impulse = Vec3::Zero());
  // N s   along normal and tangents, of the step before; zero if there was none.
  [[nodiscard]] Vec3 impulse(const contact::ContactKey& key) const;

  void load(const std::vector<std::uint64_t>& memory);
  void save(std::vector<std::uint64_t>* memory) const;

 private:
  struct Entry {
    contact::ContactKey key;
    Vec3 impulse;
  };
  std::vector<Entry>::const_iterator find(const contact::ContactKey& key) const;

  std::vector<Entry> entries_;
};

}  // namespace tenpin::methods::time_stepping
