// Which contacts are swept at the same time. Contacts with fixed bodies come first in the list, and
// those of one body stand together: a lane sweeps them body by body. Of the others, each has the
// first colour after those of its bodies, so that sweeping colour by colour is the same, bit by
// bit, as sweeping the list from its first to its last.
#pragma once

#include "batch/world.h"

namespace tenpin::batch {

// The stretch of the list that each body has with fixed ones; returns where the others begin.
template <class World>
TENPIN_INLINE int divide_fixed(const World& w, int count) {
  for (int b = w.lanes.index(); b < World::NB; b += World::kLanes) w.word(World::kFixed + b) = 0;
  w.lanes.sync();
  int first_loose = count;
  for (int c = w.lanes.index(); c < count; c += World::kLanes) {
    const Word bodies = w.word(World::kBodies + c);
    if (!World::is_fixed(World::body_a(bodies))) {
      first_loose = c < first_loose ? c : first_loose;
      continue;
    }
    const int b = World::body_b(bodies);
    const auto is_alike = [&](int other) {
      const Word their = w.word(World::kBodies + other);
      return World::is_fixed(World::body_a(their)) && World::body_b(their) == b;
    };
    if (c + 1 < count && is_alike(c + 1)) continue;
    int first = c;
    while (first > 0 && is_alike(first - 1)) --first;
    w.word(World::kFixed + b) = Word(first) | (Word(c + 1) << 16);
  }
  return find_least(w.lanes, first_loose);
}

// All lanes go through the list alike; each counts and places the colours that are its own.
// Returns the number of colours, or more than kMaxColours if these do not suffice.
template <class World>
TENPIN_INLINE int colour_contacts(const World& w, int count) {
  constexpr int kOwn = kMaxColours / World::kLanes;  // colours of a lane: l, l + kLanes, ...
  constexpr int kBits = 5;
  static_assert(kMaxBodies * kBits <= 64, "one word holds a colour for every body");
  const int l = w.lanes.index();
  const int first_loose = divide_fixed(w, count);
  LongWord next = 0;  // by body: the first colour after those it has
  int counts[kOwn];
  for (int k = 0; k < kOwn; ++k) counts[k] = 0;
  int num_colours = 0;
  for (int c = first_loose; c < count; ++c) {
    const Word bodies = w.word(World::kBodies + c) & 0xffffU;
    const int at_a = kBits * World::body_a(bodies), at_b = kBits * World::body_b(bodies);
    const int of_a = int((next >> at_a) & 31U), of_b = int((next >> at_b) & 31U);
    int colour = of_a > of_b ? of_a : of_b;
    if (colour >= kMaxColours - 1) {
      colour = kMaxColours - 2;
      num_colours = kMaxColours + 1;
    }
    next &= ~((LongWord(31) << at_a) | (LongWord(31) << at_b));
    next |= (LongWord(colour + 1) << at_a) | (LongWord(colour + 1) << at_b);
    if (World::kLanes == 1) {
      counts[colour] += 1;
    } else {  // constant indices keep the counts in registers
      for (int k = 0; k < kOwn; ++k) {
        if (colour == k * World::kLanes + l) counts[k] += 1;
      }
    }
    if ((c & (World::kLanes - 1)) == l) {
      w.word(World::kOrder + c) = Word(colour);  // until all lanes have read the bodies
    }
    num_colours = colour + 1 > num_colours ? colour + 1 : num_colours;
  }
  w.lanes.sync();
  for (int c = first_loose + ((l - first_loose) & (World::kLanes - 1)); c < count;
       c += World::kLanes) {
    w.word(World::kBodies + c) =
        (w.word(World::kBodies + c) & 0xffffU) | (w.word(World::kOrder + c) << 16);
  }
  for (int k = 0; k < kOwn; ++k) w.word(World::kCount + k * World::kLanes + l) = Word(counts[k]);
  w.lanes.sync();
  int places[kOwn];
  for (int k = 0; k < kOwn; ++k) {
    int first = 0;
    for (int j = 0; j < k * World::kLanes + l; ++j) first += int(w.word(World::kCount + j));
    places[k] = first;
    w.word(World::kFirst + k * World::kLanes + l) = Word(first);
  }
  if (l == 0) w.word(World::kFirst + kMaxColours) = Word(count - first_loose);
  for (int c = first_loose; c < count; ++c) {
    const int colour = World::colour(w.word(World::kBodies + c));
    if (World::kLanes == 1) {
      w.word(World::kOrder + places[colour]++) = Word(c);
      continue;
    }
    for (int k = 0; k < kOwn; ++k) {
      if (colour == k * World::kLanes + l) w.word(World::kOrder + places[k]++) = Word(c);
    }
  }
  w.lanes.sync();
  return num_colours;
}

}  // namespace tenpin::batch
