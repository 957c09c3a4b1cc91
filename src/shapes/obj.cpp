// Wavefront OBJ: reads the statements `v` and `f`, and skips statements that only concern
// appearance.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "shapes/mesh_file.h"
#include "shapes/text_reader.h"

namespace tenpin::shapes {
namespace {

constexpr std::array<std::string_view, 11> kSkipped = {"vt", "vn",     "vp",     "g", "o", "s",
                                                       "mg", "mtllib", "usemtl", "l", "p"};

// Reads x y z, then nothing, a weight of 1, or a colour, which is ignored.
void read_vertex(TextReader* reader, TriangleMesh* mesh) {
  Vec3 vertex;
  for (int k = 0; k < 3; ++k) {
    vertex[k] = read_coordinate(reader->next_in_line());
  }
  mesh->vertices.push_back(vertex);
  int num_more = 0;
  Word word = reader->next_in_line();
  const Word fourth = word;
  for (; !word.text.empty() && word.text[0] != '#'; word = reader->next_in_line()) {
    (void)read_coordinate(word);
    ++num_more;
  }
  if (num_more == 1 && read_coordinate(fourth) != 1.0) {
    fail_at(fourth, "want no weight, or 1");
  }
  if (num_more == 2 || num_more > 4) {
    fail_at(word, "want 3, 4, 6 or 7 numbers after v");
  }
}

// Reads `i`, `i/t`, `i//n` or `i/t/n`. Only the vertex i is used: 1 is the first, -1 the latest.
int read_corner(const Word& word, std::size_t num_vertices) {
  std::string_view rest = word.text;
  const std::size_t slash = rest.find('/');
  const auto number = parse_integer(rest.substr(0, slash));
  const auto num = static_cast<std::int64_t>(num_vertices);
  if (!number || *number == 0 || *number > num || *number < -num) {
    fail_at(word,
            fmt::format("want a vertex number from 1 to {0} or -{0} to -1, those defined above",
                        num_vertices));
  }
  int num_slashes = 0;
  for (std::size_t at = slash; at != std::string_view::npos; ++num_slashes) {
    rest.remove_prefix(at + 1);
    at = rest.find('/');
    const std::string_view part = rest.substr(0, at);
    if (num_slashes > 1 || (!part.empty() && !parse_integer(part))) {
      fail_at(word, "want vertex, vertex/texture, vertex//normal or vertex/texture/normal");
    }
  }
  return static_cast<int>(*number > 0 ? *number - 1 : num + *number);
}

// Reads a convex polygon and adds it as a fan of triangles.
void read_face(TextReader* reader, TriangleMesh* mesh) {
  int first = 0;
  int last = 0;
  int num_corners = 0;
  Word word = reader->next_in_line();
  for (; !word.text.empty() && word.text[0] != '#'; word = reader->next_in_line()) {
    const int corner = read_corner(word, mesh->vertices.size());
    if (num_corners == 0) {
      first = corner;
    } else if (num_corners >= 2) {
      mesh->triangles.push_back({first, last, corner});
    }
    last = corner;
    ++num_corners;
  }
  if (num_corners < 3) {
    fail_at(word, fmt::format("want at least 3 corners in a face, not {}", num_corners));
  }
}

}  // namespace

TriangleMesh parse_obj(std::string_view text, std::size_t least) {
  TriangleMesh mesh;
  TextReader reader(text);
  do {
    const Word word = reader.next_in_line();
    const bool skipped = std::find(kSkipped.begin(), kSkipped.end(), word.text) != kSkipped.end();
    if (word.text == "v") {
      read_vertex(&reader, &mesh);
    } else if (word.text == "f") {
      read_face(&reader, &mesh);
    } else if (!word.text.empty() && word.text[0] != '#' && !skipped) {
      fail_at(word, "want an OBJ statement (v, f, vt, vn, vp, g, o, s, mg, mtllib, usemtl, l, p)");
    }
  } while (reader.next_line());
  const Word end = reader.next_in_line();
  if (mesh.vertices.empty()) {
    fail_at(end, "want vertices (v), there are none");
  }
  if (mesh.triangles.size() < least) {
    fail_at(end, fmt::format("want at least {} triangles, the faces make {}", least,
                             mesh.triangles.size()));
  }
  return mesh;
}

}  // namespace tenpin::shapes
