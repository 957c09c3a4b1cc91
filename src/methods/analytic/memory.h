// What the method must know of the piece of motion before: how long a step was possible, and what
// its contacts did.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/key.h"
#include "methods/analytic/touch.h"

namespace tenpin::methods::analytic {

class Memory {
 public:
  struct Entry {
    contact::ContactKey key;
    Grip grip = Grip::kApart;
    Vec3 force = Vec3::Zero();     // N
    Vec3 slip_dir = Vec3::Zero();  // -   if it begins to slip
  };

  double h = 0.0;                      // s   of the next step; 0: unknown
  std::vector<std::uint64_t> history;  // of the integrator, in its own words

  void clear();
  void remember(const Touch& touch);
  void remember(const Entry& entry);
  const std::vector<Entry>& entries() const { return entries_; }  // sorted by key
  // What the contact did; kApart if it is not known.
  [[nodiscard]] Touch recall(const contact::ContactKey& key) const;

  void load(const std::vector<std::uint64_t>& words);
  void save(std::vector<std::uint64_t>* words) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace tenpin::methods::analytic
