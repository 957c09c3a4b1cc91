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
// m/s   Slower velocities move nothing by kTouching within a step of h seconds. Residuals are never
// relative to less: at rest, velocities are rounding, and so would be their ratios. A value ten
// times larger would hide slow creep; one ten times smaller would change nothing.
[[nodiscard]] constexpr double calc_least_speed(double h) {
  return kTouching / h;
}
// m   Overlap that makes an inactive contact active.
inline constexpr double kViolation = 1e-11;

// A sorted set of contact keys: those active in the previous step, with their impulses, and those
// found violated since. Kept between steps in the state's memory.
class ActiveSet {
 public:
  struct Entry {
    contact::ContactKey key;
    Vec3 impulse = Vec3::Zero();  // N s
    Vec3 point = Vec3::Zero();    // m   on the first body, in that body's axes
    bool is_new = false;          // was it inactive in the previous step?
  };

  void clear() { entries_.clear(); }
  // Fills the set for the next step: make(i) for all i, in the order of the keys.
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
  // The same; discards the previous entries.
  void replace(const contact::ContactKey& key, const Vec3& impulse);
  // N s   along normal and tangents, in the previous step; zero if there was none.
  [[nodiscard]] Vec3 impulse(const contact::ContactKey& key) const;

  // Where a search ended, for sequential lookups, most of which are in order. Callers with their
  // own cursor may search at the same time.
  struct Cursor {
    std::size_t near = 0;
  };
  // Writes the impulse of the previous step to *impulse; zero if the parts did not touch then.
  // Returns false if they touched elsewhere: then match_previous_impulse() may apply.
  [[nodiscard]] bool recall(const contact::ContactKey& key, Cursor* cursor, Vec3* impulse) const;

  // A contact of this step, and how close a contact of the previous step must be to count as the
  // same.
  struct RenamedContact {
    contact::ContactKey key;
    Vec3 point = Vec3::Zero();  // m
    double near = 0.0;          // m
  };
  // The same; in addition, a contact with new features takes its warm start from a renamed contact:
  // one between the same parts that is not in `now`. Where edges cross edges, rounding decides
  // which features meet.
  [[nodiscard]] Vec3 match_previous_impulse(const RenamedContact& renamed, const KeySet& now);
  // Releases all warm starts taken from renamed contacts.
  void release_matches() { is_taken_.assign(entries_.size(), false); }

  void load(std::span<const std::uint64_t> memory, const Workers* workers = nullptr);
  void save(std::vector<std::uint64_t>* memory, const Workers* workers = nullptr) const;

 private:
  static Entry read_entry(const std::uint64_t* words);
  static void write_entry(const Entry& entry, std::uint64_t* words);
  std::vector<Entry>::const_iterator find(const contact::ContactKey& key, Cursor* cursor) const;

  std::vector<Entry> entries_;
  mutable Cursor cursor_;       // for callers without their own
  std::vector<bool> is_taken_;  // by entry
};

}  // namespace tenpin::methods::time_stepping
