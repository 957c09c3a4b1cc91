// Which contacts take part in a step's complementarity problem.   [ST00, §4]
#pragma once

#include <cstdint>
#include <vector>

#include "contact/key.h"

namespace tenpin::methods::time_stepping {

// A sorted set of contact keys: those that were active in the step before, and those that were
// found violated since. Kept between steps as the state's memory.
class ActiveSet {
 public:
  void clear() { keys_.clear(); }
  bool contains(const contact::ContactKey& key) const;
  void insert(const contact::ContactKey& key);

  void load(const std::vector<std::uint64_t>& memory);
  void save(std::vector<std::uint64_t>* memory) const;

 private:
  std::vector<contact::ContactKey> keys_;
};

}  // namespace tenpin::methods::time_stepping
