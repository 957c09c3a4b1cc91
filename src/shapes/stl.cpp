// STL, text and binary. Stored normals are ignored, because the order of the vertices defines them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/check.h"
#include "base/text.h"
#include "shapes/convex_hull.h"
#include "shapes/mesh_file.h"
#include "shapes/text_reader.h"

namespace tenpin::shapes {
namespace {

constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kPreludeBytes = kHeaderBytes + 4;  // header and count
constexpr std::size_t kTriangleBytes = 50;               // normal, 3 vertices, 2 spare bytes

std::uint32_t read_uint32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) {  // little-endian
    value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  }
  return value;
}

bool is_keyword(std::string_view word, std::string_view keyword) {
  return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b;
  });
}

void expect(TextReader* reader, std::string_view keyword) {
  const Word word = reader->next();
  if (!is_keyword(word.text, keyword)) {
    fail_at(word, fmt::format("want '{}'", keyword));
  }
}

// Reads the rest of a facet, after its keyword.
void read_facet(TextReader* reader, TriangleMesh* mesh) {
  expect(reader, "normal");
  for (int k = 0; k < 3; ++k) {
    const Word word = reader->next();
    if (!parse_double(word.text)) {
      fail_at(word, "want a number");
    }
  }
  expect(reader, "outer");
  expect(reader, "loop");
  const int first = static_cast<int>(mesh->vertices.size());
  for (int corner = 0; corner < 3; ++corner) {
    expect(reader, "vertex");
    Vec3 vertex;
    for (int k = 0; k < 3; ++k) {
      vertex[k] = read_coordinate(reader->next());
    }
    mesh->vertices.push_back(vertex);
  }
  mesh->triangles.push_back({first, first + 1, first + 2});
  expect(reader, "endloop");
  expect(reader, "endfacet");
}

}  // namespace

bool is_text_stl(std::string_view bytes) {
  const bool has_binary_size =
      bytes.size() >= kPreludeBytes &&
      kPreludeBytes + kTriangleBytes * std::uint64_t{read_uint32(bytes, kHeaderBytes)} ==
          bytes.size();
  TextReader reader(bytes.substr(0, kHeaderBytes));
  return !has_binary_size && is_keyword(reader.next().text, "solid") &&
         bytes.find('\0') == std::string_view::npos;
}

TriangleMesh parse_text_stl(std::string_view text, std::size_t least) {
  TriangleMesh mesh;
  TextReader reader(text);
  expect(&reader, "solid");
  reader.next_line();  // the rest of the line is a name
  Word word = reader.next();
  while (is_keyword(word.text, "facet")) {
    read_facet(&reader, &mesh);
    word = reader.next();
    // One file may hold several solids.
    if (is_keyword(word.text, "endsolid")) {
      reader.next_line();
      word = reader.next();
      if (is_keyword(word.text, "solid")) {
        reader.next_line();
        word = reader.next();
      } else if (!word.text.empty()) {
        fail_at(word, "want 'solid' or the end of the file");
      } else {
        break;
      }
    } else if (!is_keyword(word.text, "facet")) {
      fail_at(word, "want 'facet' or 'endsolid'");
    }
  }
  if (mesh.triangles.size() < least) {
    fail_at(word,
            fmt::format("want at least {} facets, there are {}", least, mesh.triangles.size()));
  }
  return mesh;
}

TriangleMesh parse_binary_stl(std::string_view bytes, std::size_t least) {
  TENPIN_REQUIRE(bytes.size() >= kPreludeBytes,
                 fmt::format("not an STL file: neither begins with 'solid' nor has {} bytes of "
                             "header and count, only {} bytes",
                             kPreludeBytes, bytes.size()));
  const std::uint64_t num = read_uint32(bytes, kHeaderBytes);
  TENPIN_REQUIRE(kPreludeBytes + kTriangleBytes * num == bytes.size(),
                 fmt::format("binary STL: count*50+84 != size: {} triangles need {} bytes, the "
                             "file has {}",
                             num, kPreludeBytes + kTriangleBytes * num, bytes.size()));
  TENPIN_REQUIRE(num >= least,
                 fmt::format("binary STL: want at least {} triangles, got {}", least, num));
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * num);
  mesh.triangles.reserve(num);
  for (std::size_t t = 0; t < num; ++t) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = kPreludeBytes + kTriangleBytes * t + 12 * (corner + 1);
      Vec3 vertex;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto value = std::bit_cast<float>(read_uint32(bytes, at + 4 * k));
        TENPIN_REQUIRE(std::isfinite(value) && std::fabs(value) <= kMaxCoordinate,
                       fmt::format("binary STL: triangle {} has a coordinate {}, want a number "
                                   "within +-{} m",
                                   t, value, kMaxCoordinate));
        vertex[static_cast<int>(k)] = static_cast<double>(value) + 0.0;
      }
      mesh.vertices.push_back(vertex);
    }
    const int first = static_cast<int>(3 * t);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

}  // namespace tenpin::shapes
