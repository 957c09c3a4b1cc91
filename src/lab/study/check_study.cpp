#include "lab/study/check_study.h"

#include <optional>

#include "base/hash.h"
#include "base/text.h"
#include "lab/study/measurer.h"
#include "scene/build.h"
#include "scene/scene_source.h"
#include "shapes/convex_mesh.h"
#include "shapes/surface_mesh.h"

namespace tenpin::lab {

namespace {

using scene::Override;
using scene::Scene;

// Reads the scene as trials will read it, and notes the problems.
class TrialChecker {
 public:
  TrialChecker(const Study& study, scene::ProblemList* problems)
      : study_(study), source_(study.scene_text, study.scene_file), problems_(*problems) {}

  // Reads the scene with the settings that all trials share. Returns nothing if the scene refuses
  // them.
  std::optional<Scene> read() {
    static_cast<void>(source_.read({}));  // throws if the file itself has problems
    if (!accepts({}, {}, "set")) return std::nullopt;
    return source_.read(study_.settings);
  }

  void check_variable(const Variable& variable) {
    const std::string path = "vary." + variable.name;
    if (variable.is_range()) {
      for (const double end : {variable.low, variable.high}) {
        const Override setting{.path = variable.path, .value = to_text(end)};
        if (!accepts({&setting, 1}, variable.place, path)) return;
      }
      return;
    }
    // A million equal steps of a range differ only in their number, so only a thousand of them and
    // the ends are tried. Listed values are all tried.
    constexpr std::size_t kMostSteps = 1000;
    const bool has_steps = variable.low < variable.high;
    const std::size_t last = variable.levels.size() - 1;
    const std::size_t stride = has_steps ? 1 + last / kMostSteps : 1;
    for (std::size_t i = 0; i < variable.levels.size(); i += stride) {
      if (!accepts(variable.levels[i].settings, variable.place, path)) return;
    }
    if (has_steps && last % stride != 0) {
      static_cast<void>(accepts(variable.levels[last].settings, variable.place, path));
    }
  }

 private:
  // True if the scene accepts the settings that all trials share and `more`. Problems are reported
  // at `place`.
  bool accepts(std::span<const Override> more, const scene::Place& place, const std::string& path) {
    std::vector<Override> settings = study_.settings;
    settings.insert(settings.end(), more.begin(), more.end());
    try {
      static_cast<void>(source_.read(settings));
      return true;
    } catch (const scene::SceneError& error) {
      for (const scene::Problem& p : error.problems()) {
        problems_.add(place, path, p.path + ": " + p.text);
      }
      return false;
    }
  }

  const Study& study_;
  scene::SceneSource source_;
  scene::ProblemList& problems_;
};

void add_shape(const shapes::Shape& shape, Hash* hash) {
  if (const auto* solid = std::get_if<shapes::Polyhedron>(&shape)) {
    for (const Vec3& v : solid->mesh->vertices) hash->add(std::span(v.data(), 3));
  }
  const auto* surface = std::get_if<shapes::TriangleSurface>(&shape);
  if (surface == nullptr) return;
  for (const Vec3& v : surface->mesh->vertices) hash->add(std::span(v.data(), 3));
  for (const auto& corners : surface->mesh->triangles) {
    for (const int corner : corners) hash->add(corner);
  }
}

// A hash of the meshes. The scene's text is hashed separately, but meshes come from other files.
std::uint64_t hash_meshes(const Scene& scene) {
  Hash hash;
  for (const scene::Body& body : scene.bodies) {
    for (const shapes::PlacedShape& part : body.parts) add_shape(part.shape, &hash);
  }
  return hash.value();
}

}  // namespace

std::uint64_t check_against_scene(const Study& study, scene::ProblemList* problems) {
  TrialChecker checker(study, problems);
  const std::optional<Scene> scene = checker.read();
  if (!scene) return 0;
  for (const Variable& variable : study.variables) checker.check_variable(variable);
  const scene::Built built = scene::build(*scene);
  for (const Measure& measure : study.measures) {
    const std::string problem = find_measure_problem(measure, *scene, built.model);
    if (!problem.empty()) problems->add(measure.place, "measures." + measure.name, problem);
  }
  return hash_meshes(*scene);
}

}  // namespace tenpin::lab
