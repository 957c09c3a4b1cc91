// Which contacts take part in a step's complementarity problem.   [ST00, §4]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/key.h"
#include "math/types.h"
#include "methods/time_stepping/key_set.h"

namespace tenpin::methods::time_stepping {

// m   Contacts that are not farther apart touch.
inline constexpr double kTouching = 1e-9;
// m/s   Velocities below it move nothing by as much as that within a step of h seconds. Residuals
// are never measured by less: where all has come to rest, velocities are rounding, and so would be
// their ratios. Ten times more would hide slow creep, ten times less nothing.
[[nodiscard]] constexpr double calc_least_speed(double h) {
  return kTouching / h;
}
// m   Overlap that makes an inactive contact active.
inline constexpr double kViolation = 1e-11;

// A sorted set of contact keys: those that were active in the step before, with their impulses, and
// those that were found violated since. Kept between steps as the state's memory.
class ActiveSet {
 public:
  struct Entry {
    contact::ContactKey key;
    Vec3 impulse = Vec3::Zero();  // N s
    Vec3 point = Vec3::Zero();    // m   on the first body, in that body's axes
    bool is_new = false;          // was not active in the step before
  };

  void clear() { entries_.clear(); }
  // For the next step: make(i) for all i, in the order of the keys.
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
  // The same, and what was there before is forgotten.
  void replace(const contact::ContactKey& key, const Vec3& impulse);
  // N s   along normal and tangents, of the step before; zero if there was none.
  [[nodiscard]] Vec3 impulse(const contact::ContactKey& key) const;

  // Where a look ended, for who asks for one key after the other: most go through in order. Who has
  // one of its own may look while others do.
  struct Cursor {
    std::size_t near = 0;
  };
  // The impulse of the step before, into *impulse, zero if its parts did not touch then; false if
  // they did elsewhere: then it may inherit.
  [[nodiscard]] bool recall(const contact::ContactKey& key, Cursor* cursor, Vec3* impulse) const;

  // A contact of this step, and how near one of the step before must be to be the same.
  struct Heir {
    contact::ContactKey key;
    Vec3 point = Vec3::Zero();  // m
    double near = 0.0;          // m
  };
  // The same, and a contact whose features are new inherits the impulse of one between the same
  // parts that is not in `now`: where edges cross edges, rounding decides what meets what.
  [[nodiscard]] Vec3 inherit(const Heir& heir, const KeySet& now);
  // Whoever inherited gives it back.
  void restore_heirlooms() { is_taken_.assign(entries_.size(), false); }

  void load(std::span<const std::uint64_t> memory, const Workers* workers = nullptr);
  void save(std::vector<std::uint64_t>* memory, const Workers* workers = nullptr) const;

 private:
  static Entry read_entry(const std::uint64_t* words);
  static void write_entry(const Entry& entry, std::uint64_t* words);
  std::vector<Entry>::const_iterator find(const contact::ContactKey& key, Cursor* cursor) const;

  std::vector<Entry> entries_;
  mutable Cursor cursor_;       // of who has none
  std::vector<bool> is_taken_;  // by entry
};

}  // namespace tenpin::methods::time_stepping
