#include "collide/spatial_hash.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace tenpin::collide {

namespace {

bool boxes_overlap(const shapes::Aabb& a, const shapes::Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

std::int64_t tile_of(double x, double size) {
  // Beyond this coordinate all tiles are the same; the boxes themselves still decide what overlaps.
  constexpr double kFarthest = 4e18;
  return static_cast<std::int64_t>(std::clamp(std::floor(x / size), -kFarthest, kFarthest));
}

}  // namespace

void SpatialHash::reset(int count) {
  bounds_.resize(count);
  tile_.resize(count);
  level_.assign(count, kNone);
  in_bucket_.assign(count, {});
  on_level_.assign(count, {});
  level_heads_.fill(kNone);
  level_sizes_.fill(0);
  std::size_t buckets = 16;
  while (buckets < 2 * static_cast<std::size_t>(count)) buckets *= 2;
  bucket_heads_.assign(buckets, kNone);
}

// Tiles of level l have edges of 2^(l - kNumLevels / 2) metres.
int SpatialHash::calc_level(const shapes::Aabb& bounds) {
  const double extent = (bounds.upper - bounds.lower).maxCoeff();
  if (!bounds.lower.allFinite() || !bounds.upper.allFinite()) return kLarge;
  int exponent = 0;
  if (extent > 0.0) std::frexp(extent, &exponent);  // extent <= 2^exponent
  return std::clamp(exponent + kNumLevels / 2, 0, kNumLevels - 1);
}

double SpatialHash::tile_size(int level) {
  return std::ldexp(1.0, level - kNumLevels / 2);
}

std::size_t SpatialHash::calc_bucket(const Tile& tile, int level) const {
  std::uint64_t h = static_cast<std::uint64_t>(tile.x) * 0x9E3779B97F4A7C15ULL;
  h ^= static_cast<std::uint64_t>(tile.y) * 0xC2B2AE3D27D4EB4FULL + (h >> 29);
  h ^= static_cast<std::uint64_t>(tile.z) * 0x165667B19E3779F9ULL + (h >> 31);
  h += static_cast<std::uint64_t>(level) * 0xD6E8FEB86659FD93ULL;
  h ^= h >> 32;
  return static_cast<std::size_t>(h) & (bucket_heads_.size() - 1);
}

void SpatialHash::link(int box, int* head, std::vector<Links>* links) {
  (*links)[box] = {.previous = kNone, .next = *head};
  if (*head != kNone) (*links)[*head].previous = box;
  *head = box;
}

void SpatialHash::unlink(int box, int* head, std::vector<Links>* links) {
  const Links at = (*links)[box];
  if (at.previous == kNone) {
    *head = at.next;
  } else {
    (*links)[at.previous].next = at.next;
  }
  if (at.next != kNone) (*links)[at.next].previous = at.previous;
}

void SpatialHash::place(int box, const shapes::Aabb& bounds) {
  if (level_[box] != kNone) remove(box);
  const int level = calc_level(bounds);
  bounds_[box] = bounds;
  level_[box] = level;
  link(box, &level_heads_[level], &on_level_);
  ++level_sizes_[level];
  if (level == kLarge) return;
  const double size = tile_size(level);
  tile_[box] = {.x = tile_of(bounds.lower.x(), size),
                .y = tile_of(bounds.lower.y(), size),
                .z = tile_of(bounds.lower.z(), size)};
  link(box, &bucket_heads_[calc_bucket(tile_[box], level)], &in_bucket_);
}

void SpatialHash::remove(int box) {
  const int level = level_[box];
  TENPIN_ASSERT(level != kNone);
  if (level != kLarge) {
    unlink(box, &bucket_heads_[calc_bucket(tile_[box], level)], &in_bucket_);
  }
  unlink(box, &level_heads_[level], &on_level_);
  --level_sizes_[level];
  level_[box] = kNone;
}

void SpatialHash::look(int box, const shapes::Aabb& bounds, std::vector<int>* found) {
  ++num_looks_;
  if (boxes_overlap(bounds_[box], bounds)) found->push_back(box);
}

void SpatialHash::find_in_tile(const Tile& tile, int level, const shapes::Aabb& bounds,
                               std::vector<int>* found) {
  for (int b = bucket_heads_[calc_bucket(tile, level)]; b != kNone; b = in_bucket_[b].next) {
    const Tile& t = tile_[b];
    if (level_[b] == level && t.x == tile.x && t.y == tile.y && t.z == tile.z) {
      look(b, bounds, found);
    }
  }
}

void SpatialHash::find_on_level(int level, const shapes::Aabb& bounds, std::vector<int>* found) {
  const double size = tile_size(level);
  Tile first, last;
  // The part of a box that overlaps may begin up to one tile after its lower corner.
  first = {tile_of(bounds.lower.x() - size, size), tile_of(bounds.lower.y() - size, size),
           tile_of(bounds.lower.z() - size, size)};
  last = {tile_of(bounds.upper.x(), size), tile_of(bounds.upper.y(), size),
          tile_of(bounds.upper.z(), size)};
  const double tiles = (static_cast<double>(last.x) - static_cast<double>(first.x) + 1.0) *
                       (static_cast<double>(last.y) - static_cast<double>(first.y) + 1.0) *
                       (static_cast<double>(last.z) - static_cast<double>(first.z) + 1.0);
  if (level == kLarge || !(tiles < level_sizes_[level])) {
    for (int b = level_heads_[level]; b != kNone; b = on_level_[b].next) look(b, bounds, found);
    return;
  }
  for (std::int64_t x = first.x; x <= last.x; ++x) {
    for (std::int64_t y = first.y; y <= last.y; ++y) {
      for (std::int64_t z = first.z; z <= last.z; ++z) {
        find_in_tile({x, y, z}, level, bounds, found);
      }
    }
  }
}

void SpatialHash::find(const shapes::Aabb& bounds, std::vector<int>* found) {
  const auto begin = static_cast<std::ptrdiff_t>(found->size());
  for (int level = 0; level <= kLarge; ++level) {
    if (level_sizes_[level] > 0) find_on_level(level, bounds, found);
  }
  std::sort(found->begin() + begin, found->end());
}

}  // namespace tenpin::collide
