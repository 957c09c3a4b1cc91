#include "methods/time_stepping/active_set.h"

#include <algorithm>
#include <bit>

namespace tenpin::methods::time_stepping {

using contact::ContactKey;

namespace {

constexpr std::size_t kWords = 8;  // of one entry in the memory

}  // namespace

std::vector<ActiveSet::Entry>::const_iterator ActiveSet::find(const ContactKey& key) const {
  const auto is_place = [&](std::size_t i) {
    return i <= entries_.size() && (i == 0 || entries_[i - 1].key < key) &&
           (i == entries_.size() || !(entries_[i].key < key));
  };
  if (is_place(near_ + 1)) {
    ++near_;
  } else if (!is_place(near_)) {
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), key,
                                        [](const Entry& entry, const ContactKey& k) {
                                          return entry.key < k;
                                        });
    near_ = static_cast<std::size_t>(place - entries_.begin());
  }
  return entries_.begin() + static_cast<std::ptrdiff_t>(near_);
}

bool ActiveSet::contains(const ContactKey& key) const {
  const auto place = find(key);
  return place != entries_.end() && place->key == key;
}

bool ActiveSet::contains_pair(const ContactKey& key) const {
  const auto place = find({.part_a = key.part_a, .part_b = key.part_b});
  return place != entries_.end() && place->key.part_a == key.part_a &&
         place->key.part_b == key.part_b;
}

void ActiveSet::insert(const Entry& entry) {
  if (entries_.empty() || entries_.back().key < entry.key) {  // mostly they come in order
    entries_.push_back(entry);
    return;
  }
  const auto place = find(entry.key);
  if (place == entries_.end() || place->key != entry.key) entries_.insert(place, entry);
}

void ActiveSet::replace(const ContactKey& key, const Vec3& impulse) {
  const auto place = find(key);
  if (place == entries_.end() || place->key != key) {
    insert({.key = key, .impulse = impulse});
  } else {
    entries_[place - entries_.cbegin()].impulse = impulse;
  }
}

Vec3 ActiveSet::impulse(const ContactKey& key) const {
  const auto place = find(key);
  return place != entries_.end() && place->key == key ? place->impulse : Vec3(Vec3::Zero());
}

Vec3 ActiveSet::inherit(const Heir& heir, const ActiveSet& now) {
  auto place = find(heir.key);
  if (place != entries_.end() && place->key == heir.key && !place->is_new) {
    return place->impulse;
  }
  auto best = entries_.cend();
  double least = heir.near;
  const auto is_of_pair = [&heir](const ContactKey& key) {
    return key.part_a == heir.key.part_a && key.part_b == heir.key.part_b;
  };
  place = find({.part_a = heir.key.part_a, .part_b = heir.key.part_b});
  for (; place != entries_.end() && is_of_pair(place->key); ++place) {
    const double distance = (place->point - heir.point).norm();
    if (place->is_new || !(distance < least) || now.contains(place->key)) continue;
    if (is_taken_[place - entries_.cbegin()]) continue;
    least = distance;
    best = place;
  }
  if (best == entries_.cend()) return Vec3::Zero();
  is_taken_[best - entries_.cbegin()] = true;
  return best->impulse;
}

void ActiveSet::load(std::span<const std::uint64_t> memory) {
  entries_.clear();
  for (std::size_t i = 0; i + kWords <= memory.size(); i += kWords) {
    entries_.push_back(
        {.key = {.part_a = static_cast<std::int32_t>(memory[i] >> 32U),
                 .part_b = static_cast<std::int32_t>(memory[i] & 0xffffffffU),
                 .feature_a = static_cast<std::uint32_t>(memory[i + 1] >> 32U),
                 .feature_b = static_cast<std::uint32_t>(memory[i + 1] & 0xffffffffU)},
         .impulse = {std::bit_cast<double>(memory[i + 2]), std::bit_cast<double>(memory[i + 3]),
                     std::bit_cast<double>(memory[i + 4])},
         .point = {std::bit_cast<double>(memory[i + 5]), std::bit_cast<double>(memory[i + 6]),
                   std::bit_cast<double>(memory[i + 7])}});
  }
}

void ActiveSet::save(std::vector<std::uint64_t>* memory) const {
  memory->clear();
  for (const Entry& entry : entries_) {
    const ContactKey& key = entry.key;
    memory->push_back(std::uint64_t(std::uint32_t(key.part_a)) << 32U | std::uint32_t(key.part_b));
    memory->push_back(std::uint64_t(key.feature_a) << 32U | key.feature_b);
    for (const Vec3& v : {entry.impulse, entry.point}) {
      for (int k = 0; k < 3; ++k) memory->push_back(std::bit_cast<std::uint64_t>(v[k]));
    }
  }
}

}  // namespace tenpin::methods::time_stepping
