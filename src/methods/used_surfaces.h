// Finds materials of a model that can meet in a certain way.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "dynamics/model.h"

namespace tenpin::methods {

// For example "rubber", or "ice on rubber": the first material or pair of materials for which the
// condition holds. Only materials that bodies use count, because a scene may define others. Single
// materials are tested first.
template <class Predicate>
[[nodiscard]] std::optional<std::string> find_used_surface(const dynamics::Model& model,
                                                           const Predicate& is_such) {
  const auto is_used = [&model](int material) {
    return std::any_of(model.parts.begin(), model.parts.end(), [material](const auto& part) {
      return part.material == material;
    });
  };
  const int n = static_cast<int>(model.materials.size());
  for (int apart = 0; apart < n; ++apart) {
    for (int a = 0, b = apart; b < n; ++a, ++b) {
      if (!is_such(model.surface(a, b)) || !is_used(a) || !is_used(b)) continue;
      const std::string& first = model.materials[a].name;
      return a == b ? first : first + " on " + model.materials[b].name;
    }
  }
  return std::nullopt;
}

// True if a model has friction anywhere.
[[nodiscard]] inline bool has_rough_surfaces(const dynamics::Model& model) {
  const auto is_rough = [](const dynamics::Surface& surface) {
    return surface.mu_along > 0.0 || surface.mu_across > 0.0;
  };
  return find_used_surface(model, is_rough).has_value();
}

}  // namespace tenpin::methods
