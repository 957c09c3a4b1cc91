#include "methods/time_stepping/key_set.h"

#include <algorithm>

namespace tenpin::methods::time_stepping {

using contact::ContactKey;

void KeySet::assign(std::span<const contact::Contact> sorted, const Workers& workers) {
  keys_.resize(sorted.size());
  workers.split(static_cast<int>(sorted.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) keys_[i] = sorted[i].key;
  });
}

void KeySet::insert(const ContactKey& key) {
  if (keys_.empty() || keys_.back() < key) {  // keys usually come in order
    keys_.push_back(key);
    return;
  }
  const std::size_t place = find(key);
  if (place == keys_.size() || keys_[place] != key) {
    keys_.insert(keys_.begin() + static_cast<std::ptrdiff_t>(place), key);
  }
}

// The position of the first key that is not less.
std::size_t KeySet::find(const ContactKey& key) const {
  return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) -
                                  keys_.begin());
}

bool KeySet::contains(const ContactKey& key) const {
  return std::binary_search(keys_.begin(), keys_.end(), key);
}

bool KeySet::contains(const ContactKey& key, std::size_t* next) const {
  const bool is_next = *next < keys_.size() && keys_[*next] == key;
  const std::size_t place = is_next ? *next : find(key);
  *next = place + 1;
  return place < keys_.size() && keys_[place] == key;
}

bool KeySet::contains_pair(const ContactKey& key) const {
  const std::size_t place = find({.part_a = key.part_a, .part_b = key.part_b});
  return place < keys_.size() && keys_[place].part_a == key.part_a &&
         keys_[place].part_b == key.part_b;
}

}  // namespace tenpin::methods::time_stepping
