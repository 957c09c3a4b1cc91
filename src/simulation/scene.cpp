#include "simulation/public.h"
// The line above must come first.
#include <utility>

#include "scene/import/read_any.h"
#include "scene/problem.h"
#include "scene/read.h"
#include "scene/scene.h"
#include "scene/write.h"
#include "simulation/overlaps.h"
#include "simulation/scene_errors.h"

namespace tenpin {

namespace {

std::vector<scene::Override> make_overrides(const LoadOptions& options) {
  std::vector<scene::Override> overrides;
  if (!options.method.empty()) {
    overrides.push_back({.path = "method", .value = "{" + options.method + ": {}}"});
  }
  for (const auto& [path, value] : options.set) {
    overrides.push_back({.path = path, .value = value});
  }
  return overrides;
}

}  // namespace

Scene Scene::load(const std::string& file, const LoadOptions& options) {
  return simulation::with_public_errors([&] {
    auto contents = std::make_shared<scene::Scene>(scene::read_any(file, make_overrides(options)));
    simulation::part_overlapping_links(contents.get());
    return Scene(std::move(contents));
  });
}

Scene Scene::parse(const std::string& text, const std::string& name, const LoadOptions& options) {
  return simulation::with_public_errors([&] {
    return Scene(
        std::make_shared<scene::Scene>(scene::parse_scene(text, name, make_overrides(options))));
  });
}

std::string Scene::to_yaml() const {
  return scene::write_scene(*contents_);
}

const std::string& Scene::name() const {
  return contents_->name;
}

const std::string& Scene::method() const {
  return contents_->method.name;
}

double Scene::until() const {
  return contents_->until;
}

const std::vector<std::string>& Scene::notes() const {
  return contents_->notes;
}

}  // namespace tenpin
