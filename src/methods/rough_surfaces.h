// Whether a model has friction anywhere.
#pragma once

#include <algorithm>

#include "dynamics/model.h"

namespace tenpin::methods {

// By the materials that bodies have: a scene may name others.
[[nodiscard]] inline bool has_rough_surfaces(const dynamics::Model& model) {
  const auto is_used = [&model](int material) {
    return std::any_of(model.parts.begin(), model.parts.end(), [material](const auto& part) {
      return part.material == material;
    });
  };
  const int n = static_cast<int>(model.materials.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      const dynamics::Surface& surface = model.surface(a, b);
      const bool is_rough = surface.mu_along > 0.0 || surface.mu_across > 0.0;
      if (is_rough && is_used(a) && is_used(b)) return true;
    }
  }
  return false;
}

}  // namespace tenpin::methods
