#include "methods/time_stepping/active_set.h"

#include <algorithm>
#include <bit>

namespace tenpin::methods::time_stepping {

using contact::ContactKey;

namespace {

constexpr std::size_t kImpulseWords = 8;  // of one entry in the memory

}  // namespace

std::vector<ActiveSet::Entry>::const_iterator ActiveSet::find(const ContactKey& key,
                                                              Cursor* cursor) const {
  std::size_t& near = cursor->near;
  const auto is_place = [&](std::size_t i) {
    return i <= entries_.size() && (i == 0 || entries_[i - 1].key < key) &&
           (i == entries_.size() || !(entries_[i].key < key));
  };
  if (is_place(near + 1)) {
    ++near;
  } else if (!is_place(near)) {
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), key,
                                        [](const Entry& entry, const ContactKey& k) {
                                          return entry.key < k;
                                        });
    near = static_cast<std::size_t>(place - entries_.begin());
  }
  return entries_.begin() + static_cast<std::ptrdiff_t>(near);
}

bool ActiveSet::contains(const ContactKey& key) const {
  const auto place = find(key, &cursor_);
  return place != entries_.end() && place->key == key;
}

void ActiveSet::insert(const Entry& entry) {
  if (entries_.empty() || entries_.back().key < entry.key) {  // entries usually come in order
    entries_.push_back(entry);
    return;
  }
  const auto place = find(entry.key, &cursor_);
  if (place == entries_.end() || place->key != entry.key) entries_.insert(place, entry);
}

void ActiveSet::replace(const ContactKey& key, const Vec3& impulse) {
  const auto place = find(key, &cursor_);
  if (place == entries_.end() || place->key != key) {
    insert({.key = key, .impulse = impulse});
  } else {
    entries_[place - entries_.cbegin()].impulse = impulse;
  }
}

Vec3 ActiveSet::impulse(const ContactKey& key) const {
  const auto place = find(key, &cursor_);
  return place != entries_.end() && place->key == key ? place->impulse : Vec3(Vec3::Zero());
}

bool ActiveSet::recall(const ContactKey& key, Cursor* cursor, Vec3* impulse) const {
  const auto place = find(key, cursor);
  if (place != entries_.end() && place->key == key && !place->is_new) {
    *impulse = place->impulse;
    return true;
  }
  // Other contacts of the same parts would be next to this place.
  const auto is_of_pair = [&key](const Entry& entry) {
    return entry.key.part_a == key.part_a && entry.key.part_b == key.part_b;
  };
  if (place != entries_.end() && is_of_pair(*place)) return false;
  if (place != entries_.begin() && is_of_pair(*(place - 1))) return false;
  impulse->setZero();
  return true;
}

Vec3 ActiveSet::match_previous_impulse(const RenamedContact& renamed, const KeySet& now) {
  Vec3 own;
  if (recall(renamed.key, &cursor_, &own)) return own;
  auto best = entries_.cend();
  double least = renamed.near;
  const auto is_of_pair = [&renamed](const ContactKey& key) {
    return key.part_a == renamed.key.part_a && key.part_b == renamed.key.part_b;
  };
  auto place = find({.part_a = renamed.key.part_a, .part_b = renamed.key.part_b}, &cursor_);
  for (; place != entries_.end() && is_of_pair(place->key); ++place) {
    const double distance = (place->point - renamed.point).norm();
    if (place->is_new || !(distance < least) || now.contains(place->key)) continue;
    if (is_taken_[place - entries_.cbegin()]) continue;
    least = distance;
    best = place;
  }
  if (best == entries_.cend()) return Vec3::Zero();
  is_taken_[best - entries_.cbegin()] = true;
  return best->impulse;
}

ActiveSet::Entry ActiveSet::read_entry(const std::uint64_t* words) {
  const auto read_vector = [words](int first) {
    return Vec3(std::bit_cast<double>(words[first]), std::bit_cast<double>(words[first + 1]),
                std::bit_cast<double>(words[first + 2]));
  };
  return {.key = {.part_a = static_cast<std::int32_t>(words[0] >> 32U),
                  .part_b = static_cast<std::int32_t>(words[0] & 0xffffffffU),
                  .feature_a = static_cast<std::uint32_t>(words[1] >> 32U),
                  .feature_b = static_cast<std::uint32_t>(words[1] & 0xffffffffU)},
          .impulse = read_vector(2),
          .point = read_vector(5)};
}

void ActiveSet::write_entry(const Entry& entry, std::uint64_t* words) {
  const ContactKey& key = entry.key;
  words[0] = std::uint64_t(std::uint32_t(key.part_a)) << 32U | std::uint32_t(key.part_b);
  words[1] = std::uint64_t(key.feature_a) << 32U | key.feature_b;
  for (int k = 0; k < 3; ++k) {
    words[2 + k] = std::bit_cast<std::uint64_t>(entry.impulse[k]);
    words[5 + k] = std::bit_cast<std::uint64_t>(entry.point[k]);
  }
}

void ActiveSet::load(std::span<const std::uint64_t> memory, const Workers* workers) {
  entries_.resize(memory.size() / kImpulseWords);
  split(workers, static_cast<int>(entries_.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) entries_[i] = read_entry(&memory[i * kImpulseWords]);
  });
}

void ActiveSet::save(std::vector<std::uint64_t>* memory, const Workers* workers) const {
  memory->resize(entries_.size() * kImpulseWords);
  split(workers, static_cast<int>(entries_.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) write_entry(entries_[i], &(*memory)[i * kImpulseWords]);
  });
}

}  // namespace tenpin::methods::time_stepping
