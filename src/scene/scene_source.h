// The text of a scene that is parsed once and read many times, each time with other values.
#pragma once

#include <span>
#include <string>

#include "scene/node.h"
#include "scene/read.h"
#include "scene/read_shapes.h"

namespace tenpin::scene {

class SceneSource {
 public:
  // Throws the same exceptions as parse_scene().
  SceneSource(std::string text, std::string file, const ReadLimits& limits = {});

  // Returns the scene that parse_scene() would return, or throws the same problems. A mesh file is
  // read when a scene names it for the first time.
  [[nodiscard]] Scene read(std::span<const Override> overrides);

 private:
  std::string text_;
  std::string file_;
  ReadLimits limits_;
  Node root_;
  MeshLibrary library_;
};

}  // namespace tenpin::scene
