// Mesh files: OBJ, and STL as text and binary.
#include "honest.h"
#include "shapes/mesh_file.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::to_text(bytes, size);
  for (const auto& parse : {shapes::parse_obj, shapes::parse_text_stl, shapes::parse_binary_stl}) {
    shapes::TriangleMesh mesh;
    if (!fuzz::is_accepted([&] {
          mesh = parse(text, shapes::kLeastTriangles);
        }))
      continue;
    for (const auto& triangle : mesh.triangles) {
      for (const int i : triangle)
        fuzz::demand(i >= 0 && i < static_cast<int>(mesh.vertices.size()));
    }
  }
  return 0;
}
