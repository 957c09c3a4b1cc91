// Ground as a grid of heights, from a table or a picture.
#pragma once

#include <string_view>
#include <vector>

#include "math/types.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::shapes {

inline constexpr int kMostHeights = 1 << 20;

// Rows follow each other from the far end of y to the near one, as in a picture.
struct HeightGrid {
  int num_x = 0;
  int num_y = 0;
  std::vector<double> heights;

  double at(int x, int y) const { return heights[static_cast<std::size_t>(y) * num_x + x]; }
};

// How a grid is laid out. The lengths that are not given are zero.
struct HeightPlacement {
  double spacing = 0.0;       // m   from one height to the next; or
  Vec2 size = Vec2::Zero();   // m   from the first height to the last, along x and y
  Vec2 range = Vec2::Zero();  // m   heights of black and white in a picture

  bool operator==(const HeightPlacement&) const = default;
};

// m   Lines of numbers with commas between them; a line may begin with #. InputError messages begin
// "line:column: ".
[[nodiscard]] HeightGrid parse_height_table(std::string_view text);

// -   From 0 for black to 1 for white: a PNG picture in grey of 8 or 16 bits, not interlaced.
[[nodiscard]] HeightGrid parse_grey_png(std::string_view bytes);

// The surface about the origin, seen counter-clockwise from above. Each cell is two triangles, cut
// from its corner of least x and y to that of greatest.
[[nodiscard]] TriangleMesh make_height_mesh(const HeightGrid& grid,
                                            const HeightPlacement& placement);

}  // namespace tenpin::shapes
