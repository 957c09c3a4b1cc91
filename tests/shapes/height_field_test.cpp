#include "shapes/height_field.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

#include "base/check.h"
#include "shapes/surface_mesh.h"

namespace tenpin::shapes {
namespace {

std::string error_of(const auto& parse) {
  try {
    (void)parse();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(HeightTable, ReadsRowsOfNumbers) {
  const HeightGrid grid = parse_height_table("# a ramp\n0, 1, 2\r\n\n3,4 ,5e-1\n");
  EXPECT_EQ(grid.num_x, 3);
  EXPECT_EQ(grid.num_y, 2);
  EXPECT_EQ(grid.heights, (std::vector<double>{0, 1, 2, 3, 4, 0.5}));
  EXPECT_EQ(parse_height_table("0,1\n2,3").heights, (std::vector<double>{0, 1, 2, 3}));
}

TEST(HeightTable, TellsWhatIsWrongAndWhere) {
  const auto error = [](const char* text) {
    return error_of([&] {
      return parse_height_table(text);
    });
  };
  EXPECT_EQ(error("0,1\n2,x\n"), "2:3: want a coordinate, a number within +-10000000 m, got 'x'");
  EXPECT_EQ(error("0,1\n2,,3\n").substr(0, 4), "2:3:");
  EXPECT_EQ(error("0,1\n2,\n").substr(0, 4), "2:3:");
  EXPECT_EQ(error("0,1\n2,3,4\n"), "2:1: a row of another length, got 3 heights, want 2");
  EXPECT_EQ(error("0,1\n"), "1:1: too few heights, got 2 x 1, want at least 2 x 2");
  EXPECT_EQ(error(""), "1:1: too few heights, got 0 x 0, want at least 2 x 2");
}

std::string big_endian(std::uint32_t word) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(word >> shift);
  return bytes;
}

std::string make_chunk(const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + checked +
         big_endian(static_cast<std::uint32_t>(sum));
}

// `rows` with their filters, as the stream has them before it is compressed.
std::string make_png(std::uint32_t width, std::uint32_t height, char bits, const std::string& rows,
                     char colour = 0) {
  std::string stream(compressBound(rows.size()), '\0');
  uLongf size = stream.size();
  compress(reinterpret_cast<Bytef*>(stream.data()), &size,
           reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  stream.resize(size);
  const std::string header =
      big_endian(width) + big_endian(height) + std::string{bits, colour, 0, 0, 0};
  // The data in two pieces, and a comment between, as the format allows.
  return "\x89PNG\r\n\x1a\n" + make_chunk("IHDR", header) +
         make_chunk("IDAT", stream.substr(0, 5)) + make_chunk("tEXt", "by=hand") +
         make_chunk("IDAT", stream.substr(5)) + make_chunk("IEND", "");
}

// The filters of the standard: none, left, up, their mean, Paeth's choice. Every row below stands
// for the bytes 10 20 30, but the last for 10 20 31.
TEST(GreyPng, UndoesAllFilters) {
  const std::string rows{0, 10, 20, 30, 1, 10, 10, 10, 2, 0, 0, 0, 3, 5, 5, 5, 4, 0, 0, 1};
  const HeightGrid grid = parse_grey_png(make_png(3, 5, 8, rows));
  EXPECT_EQ(grid.num_x, 3);
  EXPECT_EQ(grid.num_y, 5);
  for (int y = 0; y < 5; ++y) {
    EXPECT_EQ(grid.at(0, y), 10 / 255.0) << y;
    EXPECT_EQ(grid.at(1, y), 20 / 255.0) << y;
    EXPECT_EQ(grid.at(2, y), (y == 4 ? 31 : 30) / 255.0) << y;
  }
}

TEST(GreyPng, ReadsSixteenBits) {
  const std::string rows{0, 0, 0, '\xff', '\xff', 1, 1, 2, 0, 1};
  const HeightGrid grid = parse_grey_png(make_png(2, 2, 16, rows));
  EXPECT_EQ(grid.heights, (std::vector<double>{0.0, 1.0, 258 / 65535.0, 259 / 65535.0}));
}

TEST(GreyPng, TellsWhatIsWrong) {
  const std::string rows(6, '\0');
  const std::string good = make_png(2, 2, 8, rows);
  const auto error = [](const std::string& bytes) {
    return error_of([&] {
      return parse_grey_png(bytes);
    });
  };
  EXPECT_EQ(error(good), "");
  EXPECT_EQ(error("GIF89a"), "not a PNG picture");
  EXPECT_NE(error(make_png(2, 2, 8, rows, 2)).find("colour type 2"), std::string::npos);
  EXPECT_NE(error(make_png(2, 2, 4, rows)).find("4 bits"), std::string::npos);
  EXPECT_NE(error(make_png(1, 2, 8, rows)).find("1 x 2"), std::string::npos);
  EXPECT_NE(error(make_png(70000, 70000, 8, rows)).find("70000 x 70000"), std::string::npos);
  EXPECT_EQ(error(make_png(2, 2, 8, rows + rows)), "a damaged PNG picture");
  EXPECT_EQ(error(make_png(2, 2, 8, std::string{9, 0, 0, 0, 0, 0})),
            "a PNG picture with the unknown filter 9");
  std::string garbled = good;
  garbled[20] ^= 1;
  EXPECT_EQ(error(garbled), "a PNG picture with a wrong checksum");
  // Whatever byte is changed and wherever the file ends, there is an error and no crash.
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_NE(error(good.substr(0, i)), "") << i;
    garbled = good;
    garbled[i] ^= 0x10;
    EXPECT_NE(error(garbled), "") << i;
  }
}

// Every height is a vertex at its place; cells are cut from the corner of least x and y; a plane of
// heights is one flat patch.
TEST(HeightMesh, PutsHeightsInTheirPlaces) {
  const HeightGrid grid = parse_height_table("0,0,1\n0,0,0\n");  // high at the far right
  const TriangleMesh mesh = make_height_mesh(grid, {.spacing = 0.5});
  EXPECT_EQ(mesh.vertices[0], Vec3(-0.5, 0.25, 0));
  EXPECT_EQ(mesh.vertices[2], Vec3(0.5, 0.25, 1));
  EXPECT_EQ(mesh.vertices[3], Vec3(-0.5, -0.25, 0));
  ASSERT_EQ(mesh.triangles.size(), 4U);
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 up =
        (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
    EXPECT_GT(up.z(), 0.0);
  }
  EXPECT_EQ(mesh.triangles[2], (std::array<int, 3>{4, 5, 2}));  // the cut ends at the high corner
  const TriangleMesh sized = make_height_mesh(grid, {.size = Vec2(1.0, 0.5)});
  EXPECT_EQ(sized.vertices, mesh.vertices);
  const auto flat = make_surface_mesh(
      make_height_mesh(parse_height_table("2,2,2\n2,2,2\n2,2,2\n"), {.spacing = 1.0}));
  for (const int patch : flat->patches) EXPECT_EQ(patch, 0);
}

}  // namespace
}  // namespace tenpin::shapes
