#include "shapes/height_field.h"

#include <fmt/format.h>

#include "base/check.h"
#include "shapes/text_reader.h"

namespace tenpin::shapes {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Appends the numbers of one line and returns how many there are.
int read_row(std::string_view row, int line, std::vector<double>* heights) {
  int count = 0;
  for (std::size_t begin = 0; begin <= row.size(); ++count) {
    const std::size_t end = std::min(row.find(',', begin), row.size());
    const std::string_view field = trim(row.substr(begin, end - begin));
    const std::size_t column =
        field.empty() ? begin : static_cast<std::size_t>(field.data() - row.data());
    heights->push_back(
        read_coordinate({.text = field, .line = line, .column = static_cast<int>(column) + 1}));
    begin = end + 1;
  }
  return count;
}

}  // namespace

HeightGrid parse_height_table(std::string_view text) {
  HeightGrid grid;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view row = text.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (trim(row).empty() || trim(row).starts_with('#')) continue;
    const int count = read_row(row, line, &grid.heights);
    if (grid.num_x == 0) grid.num_x = count;
    if (count != grid.num_x) {
      throw InputError(fmt::format("{}:1: a row of another length, got {} heights, want {}", line,
                                   count, grid.num_x));
    }
    ++grid.num_y;
    if (grid.heights.size() > kMostHeights) {
      throw InputError(fmt::format("{}:1: too many heights, want at most {}", line, kMostHeights));
    }
  }
  if (grid.num_x < 2 || grid.num_y < 2) {
    throw InputError(fmt::format("{}:1: too few heights, got {} x {}, want at least 2 x 2",
                                 std::max(line, 1), grid.num_x, grid.num_y));
  }
  return grid;
}

TriangleMesh make_height_mesh(const HeightGrid& grid, const HeightPlacement& placement) {
  const Vec2 cells(grid.num_x - 1, grid.num_y - 1);
  const Vec2 size = placement.spacing > 0.0 ? Vec2(placement.spacing * cells) : placement.size;
  TriangleMesh mesh;
  mesh.vertices.reserve(grid.heights.size());
  for (int y = 0; y < grid.num_y; ++y) {
    for (int x = 0; x < grid.num_x; ++x) {
      mesh.vertices.emplace_back((x / cells.x() - 0.5) * size.x(), (0.5 - y / cells.y()) * size.y(),
                                 grid.at(x, y));
    }
  }
  for (int y = 0; y + 1 < grid.num_y; ++y) {
    for (int x = 0; x + 1 < grid.num_x; ++x) {
      const int far = y * grid.num_x + x;  // the corner of least x and greatest y
      const int near = far + grid.num_x;
      mesh.triangles.push_back({near, near + 1, far + 1});
      mesh.triangles.push_back({near, far + 1, far});
    }
  }
  return mesh;
}

}  // namespace tenpin::shapes
