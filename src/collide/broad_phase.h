// Finds overlapping boxes: the pairs that the narrow phase must examine, in O(n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "shapes/bounds.h"

namespace tenpin::collide {

using shapes::Aabb;

struct Pair {
  int first = 0;  // first < second
  int second = 0;
  auto operator<=>(const Pair&) const = default;
};

// A hash of cells of several sizes, with each box filed at the size of its own extent.
// [MC95, §spatial tiling] files a box in every cell it touches and keeps counters per pair. Here a
// box is filed once, by its lower corner, and the neighbouring cells are looked up, which finds
// each pair once. Touching boxes overlap. Boxes without a finite extent (infinite, NaN, lower >
// upper by infinity) are tested one by one. Reuses its buffers: allocates nothing once they have
// grown.
class BroadPhase {
 public:
  // Finds all pairs of overlapping boxes, sorted; valid until the next call. The same boxes give
  // the same pairs. The workers, if any, share the search.
  std::span<const Pair> update(std::span<const Aabb> boxes, const Workers* workers = nullptr);

 private:
  static constexpr int kNumLevels = 32;

  struct Cell {
    std::uint32_t x = 0, y = 0,
                  z = 0;  // modulo 2^32; the boxes themselves resolve aliases
  };
  // A filed box: 64 bytes, one cache line.
  struct Entry {
    Vec3 lower;           // m
    Vec3 upper;           // m
    std::uint32_t y = 0;  // the row of cells along x in which it is filed
    std::uint32_t z = 0;
    std::int32_t level = 0;
    std::int32_t box = 0;
  };
  struct Row {
    std::uint32_t y = 0, z = 0;
    std::int32_t level = 0;
  };

  void split_off_large(std::span<const Aabb> boxes);
  void choose_cells(std::span<const Aabb> boxes);
  void choose_hashes();
  void file(std::span<const Aabb> boxes, const Workers* workers);
  // Pairs in no particular order; only the first `size` entries of the buffer are pairs.
  struct Found {
    std::vector<Pair> buffer;
    std::size_t size = 0;
    std::span<const Pair> pairs() const { return std::span(buffer).first(size); }
    // Makes room for up to `more` further pairs, and returns where to write them.
    Pair* make_room(std::size_t more);
  };
  void query_all(std::span<const Aabb> boxes, const Workers* workers);
  void query_own_level(int position, Found* found) const;
  void query_coarser_levels(int position, Found* found) const;
  void query_large(std::span<const Aabb> boxes, Found* found) const;
  void query_row(const Entry& entry, const Row& row, std::uint32_t x, std::uint32_t count,
                 Found* found) const;
  void query_range(const Entry& entry, const Row& row, int begin, int end, Found* found) const;
  void sort_pairs(int num_boxes, const Workers* workers);

  [[nodiscard]] Cell calc_cell(const Vec3& point, int level) const;
  [[nodiscard]] std::uint32_t calc_bucket(const Row& row, std::uint32_t x) const;

  Vec3 origin_ = Vec3::Zero();        // m    least corner of all filed boxes
  Vec3 span_ = Vec3::Zero();          // m    from there to their greatest corner
  double per_cell_[kNumLevels] = {};  // 1/m  one over the cell size of each level, coarsest first
  int level_size_[kNumLevels] = {};   // number of boxes per level
  // The bucket of cell (x, y, z) is start + x + stride_y * y + stride_z * z, modulo the table.
  struct Hash {
    std::uint32_t start = 0, stride_y = 0, stride_z = 0;
  };
  Hash hashes_[kNumLevels];
  std::uint32_t mask_ = 0;  // number of buckets - 1, a power of two - 1

  std::vector<double> extents_;            // m   largest edge of each box; < 0: kept in large_
  std::vector<int> large_;                 // boxes tested against all others
  std::vector<std::uint32_t> box_bucket_;  // per box
  std::vector<Cell> box_cell_;
  std::vector<std::int32_t> box_level_;
  std::vector<int> bucket_begin_;  // bucket b owns entries_[bucket_begin_[b] .. [b+1])
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> entry_x_;    // the cell of each entry along its row
  std::vector<Found> found_;              // by chunk of the entries, and those of large boxes
  std::size_t num_pieces_ = 0;            // number of chunks of found_ in use
  std::vector<std::size_t> first_begin_;  // per box, where its pairs go
  std::vector<Pair> pairs_;
};

}  // namespace tenpin::collide
