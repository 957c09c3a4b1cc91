// Mesh files: Wavefront OBJ and STL, text or binary. Readers are strict: anything they do not know
// is an error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "shapes/triangle_mesh.h"

namespace tenpin::shapes {

inline constexpr std::size_t kMaxMeshFileBytes = std::size_t{256} << 20;
// Fewer triangles do not bound a solid.
inline constexpr std::size_t kLeastTriangles = 4;

// Reads a regular file of at most kMaxMeshFileBytes; the extension (.obj, .stl) determines the
// format. Throws InputError: "path:line:column: problem" for text, "path: problem" otherwise.
// Coordinates are in metres, finite and at most kMaxCoordinate (convex_hull.h); a mesh must have at
// least `least` triangles.
[[nodiscard]] TriangleMesh read_mesh_file(const std::string& path,
                                          std::size_t least = kLeastTriangles);

// Parse the formats. InputError messages about text begin with "line:column: ".
[[nodiscard]] TriangleMesh parse_obj(std::string_view text, std::size_t least = kLeastTriangles);
[[nodiscard]] TriangleMesh parse_text_stl(std::string_view text,
                                          std::size_t least = kLeastTriangles);
[[nodiscard]] TriangleMesh parse_binary_stl(std::string_view bytes,
                                            std::size_t least = kLeastTriangles);

// True if the file is text. Text files begin with `solid`, but so do the headers of some binary
// files. A file is binary if its size matches its triangle count, or if it contains zero bytes.
[[nodiscard]] bool is_text_stl(std::string_view bytes);

}  // namespace tenpin::shapes
