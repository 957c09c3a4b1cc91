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

using Overrides = std::vector<scene::Override>;

// Reads a scene with the method and the values of `options`. If the scene's own method is named,
// its settings remain, so the name must be known first; `set` may refer to settings that only the
// new method has.
template <typename Read>
scene::Scene read_with(const LoadOptions& options, const Read& read) {
  Overrides all;
  Overrides others;
  for (const auto& [path, value] : options.set) {
    all.push_back({.path = path, .value = value});
    if (!path.starts_with("method.")) others.push_back(all.back());
  }
  if (!options.method.empty() && name_of(read(others).method) != options.method) {
    all.insert(all.begin(), {.path = "method", .value = "{" + options.method + ": {}}"});
  }
  return read(all);
}

}  // namespace

Scene Scene::load(const std::string& file, const LoadOptions& options) {
  return simulation::with_public_errors([&] {
    auto contents =
        std::make_shared<scene::Scene>(read_with(options, [&](const Overrides& changes) {
          return scene::read_any(file, changes);
        }));
    simulation::part_overlapping_links(contents.get());
    return Scene(std::move(contents));
  });
}

Scene Scene::parse(const std::string& text, const std::string& name, const LoadOptions& options) {
  return simulation::with_public_errors([&] {
    return Scene(std::make_shared<scene::Scene>(read_with(options, [&](const Overrides& changes) {
      return scene::parse_scene(text, name, changes);
    })));
  });
}

std::string Scene::to_yaml() const {
  return scene::write_scene(*contents_);
}

const std::string& Scene::name() const {
  return contents_->name;
}

std::string Scene::method() const {
  return std::string(name_of(contents_->method));
}

double Scene::until() const {
  return contents_->until;
}

const std::vector<std::string>& Scene::notes() const {
  return contents_->notes;
}

}  // namespace tenpin
