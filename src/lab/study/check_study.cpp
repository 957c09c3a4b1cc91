#include "lab/study/check_study.h"

#include "base/hash.h"
#include "base/text.h"
#include "lab/study/measurer.h"
#include "scene/build.h"
#include "shapes/convex_mesh.h"

namespace tenpin::lab {

namespace {

using scene::Override;
using scene::Scene;

// With the settings of all trials and some more; problems of those stand at `place`.
bool accepts(const Study& study, std::span<const Override> more, const scene::Place& place,
             const std::string& path, scene::ProblemList* problems) {
  std::vector<Override> settings = study.settings;
  settings.insert(settings.end(), more.begin(), more.end());
  try {
    static_cast<void>(scene::parse_scene(study.scene_text, study.scene_file, settings));
    return true;
  } catch (const scene::SceneError& error) {
    for (const scene::Problem& p : error.problems()) {
      problems->add(place, path, p.path + ": " + p.text);
    }
    return false;
  }
}

void check_variable(const Study& study, const Variable& variable, scene::ProblemList* problems) {
  const std::string path = "vary." + variable.name;
  if (variable.is_range()) {
    for (const double end : {variable.low, variable.high}) {
      const Override setting{.path = variable.path, .value = to_text(end)};
      if (!accepts(study, {&setting, 1}, variable.place, path, problems)) return;
    }
  }
  for (const Level& level : variable.levels) {
    if (!accepts(study, level.settings, variable.place, path, problems)) return;
  }
}

// The scene's text is hashed by itself; meshes come from elsewhere.
std::uint64_t hash_meshes(const Scene& scene) {
  Hash hash;
  for (const scene::Body& body : scene.bodies) {
    for (const shapes::PlacedShape& part : body.parts) {
      const auto* solid = std::get_if<shapes::Polyhedron>(&part.shape);
      if (solid == nullptr) continue;
      for (const Vec3& v : solid->mesh->vertices) hash.add(std::span(v.data(), 3));
    }
  }
  return hash.value();
}

}  // namespace

std::uint64_t check_against_scene(const Study& study, scene::ProblemList* problems) {
  static_cast<void>(scene::parse_scene(study.scene_text, study.scene_file));
  if (!accepts(study, {}, {}, "set", problems)) return 0;
  for (const Variable& variable : study.variables) check_variable(study, variable, problems);
  const Scene scene = scene::parse_scene(study.scene_text, study.scene_file, study.settings);
  const scene::Built built = scene::build(scene);
  for (const Measure& measure : study.measures) {
    const std::string problem = find_measure_problem(measure, scene, built.model);
    if (!problem.empty()) problems->add(measure.place, "measures." + measure.name, problem);
  }
  return hash_meshes(scene);
}

}  // namespace tenpin::lab
