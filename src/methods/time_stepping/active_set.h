// The contacts that take part in a step's complementarity problem.   [ST00, §4]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/key.h"
#include "math/types.h"
#include "methods/time_stepping/key_set.h"

namespace tenpin::methods::time_stepping {

// m   Contacts at most this far apart touch.
inline constexpr double kTouching = 1e-9;
// m/s   Slower velocities move a body by less than kTouching within a step of h seconds. Residuals
// are never relative to a smaller speed: at rest, velocities are rounding errors, and their ratios
// would be meaningless. A value ten times larger would hide slow creep; one ten times smaller would
// change nothing.
[[nodiscard]] constexpr double calc_least_speed(double h) {
  return kTouching / h;
}
// m   Overlap that makes an inactive contact active.
inline constexpr double kViolation = 1e-11;

// A sorted set of contact keys: the contacts that were active in the previous step, with their
// impulses, and contacts found violated since. The state's memory keeps it between steps.
class ActiveSet {
 public:
  struct Entry {
    contact::ContactKey key;
    Vec3 impulse = Vec3::Zero();  // N s
    Vec3 point = Vec3::Zero();    // m   on the first body, in that body's axes
    bool is_new = false;          // true if it was inactive in the previous step
  };

  void clear() { entries_.clear(); }
  // Fills the set for the next step with make(i) for all i, in the order of the keys.
  template <typename Make>
  void assign(int count, const Workers& workers, const Make& make) {
    entries_.resize(count);
    workers.split(count, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) entries_[i] = make(i);
    });
  }
  bool contains(const contact::ContactKey& key) const;
  void insert(const contact::ContactKey& key) { insert({.key = key, .is_new = true}); }
  void insert(const Entry& entry);
  // Inserts the contact, or replaces its impulse if it is in the set already.
  void replace(const contact::ContactKey& key, const Vec3& impulse);
  // N s   The impulse of the previous step along normal and tangents; zero if there was none.
  [[nodiscard]] Vec3 impulse(const contact::ContactKey& key) const;

  // Where a search ended. Speeds up sequential lookups, which are mostly in order. Threads with
  // their own cursors may search at the same time.
  struct Cursor {
    std::size_t near = 0;
  };
  // Writes the impulse of the previous step to *impulse, or zero if the parts did not touch then.
  // Returns false if they touched elsewhere; match_previous_impulse() may then find an impulse.
  [[nodiscard]] bool recall(const contact::ContactKey& key, Cursor* cursor, Vec3* impulse) const;

  // A contact of this step, and how close a contact of the previous step must be to count as the
  // same contact.
  struct RenamedContact {
    contact::ContactKey key;
    Vec3 point = Vec3::Zero();  // m
    double near = 0.0;          // m
  };
  // The impulse of the previous step. A contact with new features takes its warm start from a
  // renamed contact: one between the same parts that is not in `now`. (Where edges cross edges,
  // rounding decides which features meet.)
  [[nodiscard]] Vec3 match_previous_impulse(const RenamedContact& renamed, const KeySet& now);
  // Makes all renamed contacts available again as warm starts.
  void release_matches() { is_taken_.assign(entries_.size(), false); }

  void load(std::span<const std::uint64_t> memory, const Workers* workers = nullptr);
  void save(std::vector<std::uint64_t>* memory, const Workers* workers = nullptr) const;

 private:
  static Entry read_entry(const std::uint64_t* words);
  static void write_entry(const Entry& entry, std::uint64_t* words);
  std::vector<Entry>::const_iterator find(const contact::ContactKey& key, Cursor* cursor) const;

  std::vector<Entry> entries_;
  mutable Cursor cursor_;       // for callers without a cursor of their own
  std::vector<bool> is_taken_;  // by entry: its impulse was used as a warm start
};

}  // namespace tenpin::methods::time_stepping
