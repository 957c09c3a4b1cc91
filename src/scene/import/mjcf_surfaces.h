// Converts the friction of geoms to materials of the scene. MJCF uses the larger coefficient of two
// geoms, or that of the geom with priority; a scene uses the geometric mean. Entries in `pairs` of
// the scene correct the difference.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace tenpin::scene::mjcf {

struct Surface {
  double sliding = 1.0;    // -
  double torsional = 0.0;  // m   with condim >= 4
  double rolling = 0.0;    // m   with condim 6
  int condim = 3;          // 1: no friction, unless the other geom has more
  int priority = 0;
  int owner = -1;  // unique for the geoms of a <pair> with its own friction

  bool operator==(const Surface&) const = default;
};

class Surfaces {
 public:
  // The index of the material for a surface; equal surfaces share a material.
  [[nodiscard]] int index(const Surface& surface);

  // Sets the friction between two surfaces, given by index, regardless of their own coefficients.
  void set_pair(int first, int second, double friction);

  void write(Scene* scene) const;

 private:
  std::vector<Surface> surfaces_;
  std::vector<MaterialPair> given_;
};

}  // namespace tenpin::scene::mjcf
