// Finds the boxes that overlap a given box, while boxes are added, removed and moved one by one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shapes/bounds.h"

namespace tenpin::collide {

// A hierarchy of tilings, one for each power of two of the box size. [MC95, §Further reducing
// collision checks] files a box in every tile that it touches. Here it is filed once, in the tile
// of its lower corner at the level whose tiles are as large as itself, and a query looks one tile
// farther; so large boxes are filed once, too. Boxes that are not finite are tested in every query.
// If a query would visit more tiles of a level than there are boxes on it, it visits the boxes
// instead. Allocates nothing once its buffers have grown.
class SpatialHash {
 public:
  // Empties the hash and makes room for boxes 0 .. count - 1.
  void reset(int count);

  // Files a box, or moves one that is already filed.
  void place(int box, const shapes::Aabb& bounds);
  void remove(int box);
  const shapes::Aabb& bounds(int box) const { return bounds_[box]; }

  // Appends all filed boxes that overlap or touch `bounds`, in ascending order.
  void find(const shapes::Aabb& bounds, std::vector<int>* found);

  std::int64_t num_looks() const { return num_looks_; }  // boxes compared, over all queries

 private:
  static constexpr int kNumLevels = 128;
  static constexpr int kLarge = kNumLevels;  // level of boxes that are not finite
  static constexpr int kNone = -1;

  struct Links {
    int previous = kNone;
    int next = kNone;
  };
  struct Tile {
    std::int64_t x = 0, y = 0, z = 0;
  };

  static int calc_level(const shapes::Aabb& bounds);
  static double tile_size(int level);
  std::size_t calc_bucket(const Tile& tile, int level) const;
  void look(int box, const shapes::Aabb& bounds, std::vector<int>* found);
  void find_in_tile(const Tile& tile, int level, const shapes::Aabb& bounds,
                    std::vector<int>* found);
  void find_on_level(int level, const shapes::Aabb& bounds, std::vector<int>* found);
  void link(int box, int* head, std::vector<Links>* links);
  void unlink(int box, int* head, std::vector<Links>* links);

  std::vector<shapes::Aabb> bounds_;
  std::vector<int> level_;         // by box; kNone: not filed
  std::vector<Tile> tile_;         // by box
  std::vector<int> bucket_heads_;  // power of two
  std::vector<Links> in_bucket_;   // by box
  std::array<int, kNumLevels + 1> level_heads_ = {};
  std::array<int, kNumLevels + 1> level_sizes_ = {};
  std::vector<Links> on_level_;  // by box
  std::int64_t num_looks_ = 0;
};

}  // namespace tenpin::collide
