#include "methods/time_stepping/active_set.h"

#include <algorithm>

namespace tenpin::methods::time_stepping {

using contact::ContactKey;

bool ActiveSet::contains(const ContactKey& key) const {
  return std::binary_search(keys_.begin(), keys_.end(), key);
}

void ActiveSet::insert(const ContactKey& key) {
  const auto place = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (place == keys_.end() || *place != key) keys_.insert(place, key);
}

void ActiveSet::load(const std::vector<std::uint64_t>& memory) {
  keys_.clear();
  for (std::size_t i = 0; i + 1 < memory.size(); i += 2) {
    keys_.push_back({.part_a = static_cast<std::int32_t>(memory[i] >> 32U),
                     .part_b = static_cast<std::int32_t>(memory[i] & 0xffffffffU),
                     .feature_a = static_cast<std::uint32_t>(memory[i + 1] >> 32U),
                     .feature_b = static_cast<std::uint32_t>(memory[i + 1] & 0xffffffffU)});
  }
}

void ActiveSet::save(std::vector<std::uint64_t>* memory) const {
  memory->clear();
  for (const ContactKey& key : keys_) {
    memory->push_back(std::uint64_t(std::uint32_t(key.part_a)) << 32U | std::uint32_t(key.part_b));
    memory->push_back(std::uint64_t(key.feature_a) << 32U | key.feature_b);
  }
}

}  // namespace tenpin::methods::time_stepping
