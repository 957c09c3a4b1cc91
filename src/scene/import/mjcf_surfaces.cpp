#include "scene/import/mjcf_surfaces.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.h"

namespace tenpin::scene::mjcf {

namespace {

double own_friction(const Surface& s) {
  return s.condim == 1 ? 0.0 : s.sliding;
}

double mix(const Surface& a, const Surface& b) {
  if (a.priority != b.priority) {
    return own_friction(a.priority > b.priority ? a : b);
  }
  return std::max(a.condim, b.condim) == 1 ? 0.0 : std::max(a.sliding, b.sliding);
}

std::string describe(const Surface& s, std::size_t index) {
  std::string name = "friction " + to_text(s.sliding);
  name += s.condim == 1 ? ", smooth" : "";
  name += s.torsional > 0.0 ? ", torsional " + to_text(s.torsional) : "";
  name += s.rolling > 0.0 ? ", rolling " + to_text(s.rolling) : "";
  name += s.condim > 3 ? ", condim " + std::to_string(s.condim) : "";
  name += s.priority != 0 ? ", priority " + std::to_string(s.priority) : "";
  return s.owner >= 0 ? name + ", number " + std::to_string(index) : name;
}

}  // namespace

int Surfaces::index(const Surface& surface) {
  const auto found = std::find(surfaces_.begin(), surfaces_.end(), surface);
  if (found != surfaces_.end()) {
    return static_cast<int>(found - surfaces_.begin());
  }
  surfaces_.push_back(surface);
  return static_cast<int>(surfaces_.size()) - 1;
}

void Surfaces::set_pair(int first, int second, double friction) {
  given_.push_back(
      {.first = std::min(first, second), .second = std::max(first, second), .friction = friction});
}

void Surfaces::write(Scene* scene) const {
  std::vector<Surface> surfaces = surfaces_;
  if (surfaces.empty()) {
    surfaces.emplace_back();
  }
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const Surface& s = surfaces[i];
    const double mu = own_friction(s);
    Material material;
    material.name = i == 0 ? "default" : describe(s, i);
    material.friction.along = material.friction.across = mu;
    material.friction.torsion = s.condim >= 4 && mu > 0.0 ? s.torsional / mu : 0.0;
    material.friction.rolling = s.rolling;
    scene->materials.push_back(std::move(material));
  }
  scene->pairs = given_;
  const auto is_given = [&](int i, int j) {
    return std::any_of(given_.begin(), given_.end(), [&](const MaterialPair& pair) {
      return pair.first == i && pair.second == j;
    });
  };
  const int count = static_cast<int>(surfaces.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const Surface& a = surfaces[static_cast<std::size_t>(i)];
      const Surface& b = surfaces[static_cast<std::size_t>(j)];
      const double friction = mix(a, b);
      const bool mean_is_right = own_friction(a) == friction && own_friction(b) == friction;
      if (!mean_is_right && !is_given(i, j)) {
        scene->pairs.push_back({.first = i, .second = j, .friction = friction});
      }
    }
  }
}

}  // namespace tenpin::scene::mjcf
