// The limit surface that a scene describes.
#pragma once

#include <string>

#include "dynamics/limit_surface.h"
#include "scene/scene.h"

namespace tenpin::scene {

// If the limit surface is invalid, `problem` says why; otherwise `problem` is empty.
[[nodiscard]] inline dynamics::LimitSurface make_limit_surface(const FrictionLimit& limit,
                                                               std::string* problem) {
  if (limit.kind != FrictionLimit::Kind::kEllipsoid) {
    return dynamics::make_polytope(limit.points, problem);
  }
  Mat3 axes;
  for (int i = 0; i < 3; ++i) axes.col(i) = limit.points[i];
  return dynamics::make_ellipsoid(axes, problem);
}

}  // namespace tenpin::scene
