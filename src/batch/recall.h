// Finds the impulses of the previous step by the keys of the contacts.
#pragma once

#include "batch/world.h"

namespace tenpin::batch {

// The position of `key` among the first `count` keys, which ascend; -1 if it is not there.
template <class World>
TENPIN_INLINE int find_key(const World& w, int count, Word key) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (w.word(World::kKey + middle) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && w.word(World::kKey + low) == key ? low : -1;
}

// Reads the impulses of the previous step; new contacts start with zero. Returns true if the list
// of contacts has not changed.
template <class World, class Real = typename World::Real>
TENPIN_INLINE bool recall_impulses(const World& w, int old_count, int count) {
  bool is_renamed = false;
  for (int c = w.lanes.index(); c < count; c += World::kLanes) {
    const Word key = w.word(World::kNewKey + c);
    const bool is_same = c < old_count && w.word(World::kKey + c) == key;
    const int from = is_same ? c : find_key(w, old_count, key);
    is_renamed = is_renamed || !is_same;
    const Vector<Real> zero = {Real(0), Real(0), Real(0)};
    w.set_contact(World::kRLast, c, from >= 0 ? w.contact(World::kR, from) : zero);
    // The block is not in use yet, so its first row holds the rates while all are read.
    w.at(World::kBlock + c) = from >= 0 ? w.at(World::kRate + from) : Real(0);
  }
  w.lanes.sync();
  for (int c = w.lanes.index(); c < count; c += World::kLanes) {
    w.set_contact(World::kR, c, w.contact(World::kRLast, c));
    w.at(World::kRate + c) = w.at(World::kBlock + c);
    w.word(World::kKey + c) = w.word(World::kNewKey + c);
  }
  const bool is_same = !w.lanes.any(is_renamed) && count == old_count;
  w.lanes.sync();
  return is_same;
}

}  // namespace tenpin::batch
