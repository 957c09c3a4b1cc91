// What the method needs from the previous segment of motion: the possible step and the modes of its
// contacts.
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
    Vec3 slip_dir = Vec3::Zero();  // -   if it starts to slip
  };

  double h = 0.0;                      // s   of the next step; 0: unknown
  std::vector<std::uint64_t> history;  // of the integrator, in its own encoding

  void clear();
  void remember(const Touch& touch);
  void remember(const Entry& entry);
  const std::vector<Entry>& entries() const { return entries_; }  // sorted by key
  // The state of the contact; kApart if unknown.
  [[nodiscard]] Touch recall(const contact::ContactKey& key) const;

  void load(const std::vector<std::uint64_t>& words);
  void save(std::vector<std::uint64_t>* words) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace tenpin::methods::analytic
