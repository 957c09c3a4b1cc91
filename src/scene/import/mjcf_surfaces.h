// Friction of geoms as materials of the scene. MJCF takes the larger coefficient of two geoms, or
// that of the one with priority; a scene takes the geometric mean, so that pairs say otherwise.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace tenpin::scene::mjcf {

struct Surface {
  double sliding = 1.0;    // -
  double torsional = 0.0;  // m   with condim >= 4
  int condim = 3;          // 1: no friction at all, unless the other geom has more
  int priority = 0;
  int owner = -1;  // geoms of <pair> with a friction of their own have one each

  bool operator==(const Surface&) const = default;
};

class Surfaces {
 public:
  // The index of the material for a surface; equal ones share it.
  [[nodiscard]] int index(const Surface& surface);

  // Two surfaces, by their indices, have this friction whatever they are.
  void set_pair(int first, int second, double friction);

  void write(Scene* scene) const;

 private:
  std::vector<Surface> surfaces_;
  std::vector<MaterialPair> given_;
};

}  // namespace tenpin::scene::mjcf
