// Determines which contacts are swept at the same time. Contacts with fixed bodies come first in
// the list, with those of one body next to each other: a lane sweeps them body by body. Each of the
// other contacts gets the first colour after those of its bodies, so that sweeping colour by colour
// gives the same bits as sweeping the list from first to last.
#pragma once

#include "batch/world.h"

namespace tenpin::batch {

// Finds the range of the list in which each body has its contacts with fixed bodies. Returns where
// the others begin.
template <class World>
TENPIN_INLINE int divide_fixed(const World& w, int count) {
  for (int b = w.lanes.index(); b < World::kNb; b += World::kLanes) w.word(World::kFixed + b) = 0;
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

// The colours of a lane: l, l + kLanes, ...
template <class World>
inline constexpr int kOwnColours = kMaxColours / World::kLanes;

// Increments the count of a colour, if it belongs to the lane.
template <class World>
TENPIN_INLINE void count_own(int colour, int lane, int* counts) {
  if (World::kLanes == 1) {
    counts[colour] += 1;
    return;
  }
  for (int k = 0; k < kOwnColours<World>; ++k) {  // constant indices keep the counts in registers
    if (colour == k * World::kLanes + lane) counts[k] += 1;
  }
}

// Chooses the colours. All lanes process the same list, and each writes its part. Returns the
// number of colours, or more than kMaxColours if these are not enough.
template <class World>
TENPIN_INLINE int choose_colours(const World& w, int first_loose, int count, int* counts) {
  constexpr int kBits = 5;
  static_assert(kMaxBodies * kBits <= 64, "one word holds a colour for every body");
  const int l = w.lanes.index();
  LongWord next = 0;  // by body: the first colour after those of its contacts
  int num_colours = 0;
  for (int c = first_loose; c < count; ++c) {
    const Word bodies = w.word(World::kBodies + c) & 0xffffU;
    const int at_a = kBits * World::body_a(bodies), at_b = kBits * World::body_b(bodies);
    int colour = larger(int((next >> at_a) & 31U), int((next >> at_b) & 31U));
    if (colour >= kMaxColours - 1) {
      colour = kMaxColours - 2;
      num_colours = kMaxColours + 1;
    }
    next &= ~((LongWord(31) << at_a) | (LongWord(31) << at_b));
    next |= (LongWord(colour + 1) << at_a) | (LongWord(colour + 1) << at_b);
    count_own<World>(colour, l, counts);
    // Colours are stored in the list of the order until all lanes have read the bodies.
    if ((c & (World::kLanes - 1)) == l) w.word(World::kOrder + c) = Word(colour);
    num_colours = larger(num_colours, colour + 1);
  }
  return num_colours;
}

// Writes the contacts between loose bodies, in the order of their colours.
template <class World>
TENPIN_INLINE void place_colours(const World& w, int first_loose, int count, const int* counts) {
  const int l = w.lanes.index();
  for (int k = 0; k < kOwnColours<World>; ++k) {
    w.word(World::kCount + k * World::kLanes + l) = Word(counts[k]);
  }
  w.lanes.sync();
  int places[kOwnColours<World>];
  for (int k = 0; k < kOwnColours<World>; ++k) {
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
    for (int k = 0; k < kOwnColours<World>; ++k) {
      if (colour == k * World::kLanes + l) w.word(World::kOrder + places[k]++) = Word(c);
    }
  }
  w.lanes.sync();
}

template <class World>
TENPIN_INLINE int colour_contacts(const World& w, int count) {
  const int l = w.lanes.index();
  const int first_loose = divide_fixed(w, count);
  int counts[kOwnColours<World>];
  for (int k = 0; k < kOwnColours<World>; ++k) counts[k] = 0;
  const int num_colours = choose_colours(w, first_loose, count, counts);
  w.lanes.sync();
  for (int c = first_loose + ((l - first_loose) & (World::kLanes - 1)); c < count;
       c += World::kLanes) {
    w.word(World::kBodies + c) =
        (w.word(World::kBodies + c) & 0xffffU) | (w.word(World::kOrder + c) << 16);
  }
  place_colours(w, first_loose, count, counts);
  return num_colours;
}

}  // namespace tenpin::batch
