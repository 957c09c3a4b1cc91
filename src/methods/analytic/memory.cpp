#include "methods/analytic/memory.h"

#include <algorithm>
#include <bit>

namespace tenpin::methods::analytic {

namespace {

constexpr std::size_t kEntryWords = 9;  // of one entry

std::uint64_t pack(std::uint32_t high, std::uint32_t low) {
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

Vec3 unpack(const std::uint64_t* words) {
  return {std::bit_cast<double>(words[0]), std::bit_cast<double>(words[1]),
          std::bit_cast<double>(words[2])};
}

}  // namespace

void Memory::clear() {
  h = 0.0;
  history.clear();
  entries_.clear();
}

void Memory::remember(const Touch& touch) {
  remember(Entry{.key = touch.contact.key,
                 .grip = touch.grip,
                 .force = touch.force,
                 .slip_dir = touch.begins_to_slip ? touch.slip_dir : Vec3(Vec3::Zero())});
}

void Memory::remember(const Entry& entry) {
  const auto place =
      std::lower_bound(entries_.begin(), entries_.end(), entry, [](const Entry& a, const Entry& b) {
        return a.key < b.key;
      });
  entries_.insert(place, entry);
}

Touch Memory::recall(const contact::ContactKey& key) const {
  Touch touch;
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), key,
                                      [](const Entry& a, const contact::ContactKey& k) {
                                        return a.key < k;
                                      });
  if (place == entries_.end() || place->key != key) return touch;
  touch.grip = place->grip;
  touch.force = place->force;
  touch.slip_dir = place->slip_dir;
  return touch;
}

// The length of the step, the number of entries, the entries, and the integrator's own words.
void Memory::load(const std::vector<std::uint64_t>& words) {
  constexpr std::size_t kMemoryHead = 2;
  clear();
  if (words.size() < kMemoryHead) return;
  h = std::bit_cast<double>(words[0]);
  const auto end = static_cast<std::size_t>(
      std::min<std::uint64_t>(kMemoryHead + kEntryWords * words[1], words.size()));
  history.assign(words.begin() + static_cast<std::ptrdiff_t>(end), words.end());
  for (std::size_t i = kMemoryHead; i + kEntryWords <= end; i += kEntryWords) {
    entries_.push_back(
        {.key = {.part_a = static_cast<std::int32_t>(words[i] >> 32),
                 .part_b = static_cast<std::int32_t>(words[i] & 0xffffffffU),
                 .feature_a = static_cast<std::uint32_t>(words[i + 1] >> 32),
                 .feature_b = static_cast<std::uint32_t>(words[i + 1] & 0xffffffffU)},
         .grip = static_cast<Grip>(words[i + 2]),
         .force = unpack(&words[i + 3]),
         .slip_dir = unpack(&words[i + 6])});
  }
}

void Memory::save(std::vector<std::uint64_t>* words) const {
  words->clear();
  words->push_back(std::bit_cast<std::uint64_t>(h));
  words->push_back(entries_.size());
  for (const Entry& e : entries_) {
    words->push_back(
        pack(static_cast<std::uint32_t>(e.key.part_a), static_cast<std::uint32_t>(e.key.part_b)));
    words->push_back(pack(e.key.feature_a, e.key.feature_b));
    words->push_back(static_cast<std::uint64_t>(e.grip));
    for (const Vec3& x : {e.force, e.slip_dir}) {
      for (const double value : x) words->push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
  words->insert(words->end(), history.begin(), history.end());
}

}  // namespace tenpin::methods::analytic
