#include "convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/text.h"
#include "check_target.h"
#include "exit_codes.h"
#include "overrides.h"
#include "print.h"
#include "read_model.h"
#include "record/whole_file.h"
#include "scene/write.h"
#include "shapes/convex_mesh.h"
#include "shapes/surface_mesh.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

// Hulls with at most this many corners remain in the scene as lists of points.
constexpr int kLargestList = 32;

constexpr std::string_view kMeshHead = "# A convex mesh, written by tenpin convert\n";

// Removes references to mesh files outside the output's folder, because a scene finds only meshes
// below its own folder.
void forget_far_meshes(const std::string& output, scene::Scene* scene) {
  const fs::path from = fs::absolute(scene->file).parent_path().lexically_normal();
  const fs::path to = fs::absolute(output.empty() ? "." : output).parent_path().lexically_normal();
  const auto take_along = [&](scene::MeshFile* file) {
    if (file->path.empty()) return;
    const fs::path path = (from / file->path).lexically_relative(to);
    const bool is_beneath = !output.empty() && !path.empty() && *path.begin() != "..";
    if (is_beneath) {
      file->path = path.string();
    } else {
      *file = {};
    }
  };
  for (scene::Body& body : scene->bodies) {
    for (std::size_t i = 0; i < body.parts.size(); ++i) {
      // Parts cannot be lists of triangles, so without an output file a surface keeps its mesh
      // file.
      const bool must_stay =
          output.empty() && std::holds_alternative<shapes::TriangleSurface>(body.parts[i].shape);
      if (!must_stay) take_along(&body.part_files[i]);
    }
    for (scene::Visual& visual : body.visuals) take_along(&visual.file);
  }
}

std::string print_face(std::span<const int> corners) {
  std::string text = "f";
  for (const int v : corners) text += " " + std::to_string(v + 1);
  return text + "\n";
}

// Prints a large hull or a surface as an OBJ file; returns nothing for other shapes.
std::string print_mesh(const shapes::Shape& shape) {
  const auto* hull = std::get_if<shapes::Polyhedron>(&shape);
  const auto* surface = std::get_if<shapes::TriangleSurface>(&shape);
  const bool is_small = hull != nullptr && hull->mesh->num_vertices() <= kLargestList;
  if (is_small || (hull == nullptr && surface == nullptr)) return {};
  std::string text(kMeshHead);
  for (const Vec3& v : hull != nullptr ? hull->mesh->vertices : surface->mesh->vertices) {
    text += "v " + to_text(v.x()) + " " + to_text(v.y()) + " " + to_text(v.z()) + "\n";
  }
  for (int f = 0; hull != nullptr && f < hull->mesh->num_faces(); ++f) {
    text += print_face(hull->mesh->face(f));
  }
  for (int t = 0; surface != nullptr && t < surface->mesh->num_triangles(); ++t) {
    text += print_face(surface->mesh->triangles[static_cast<std::size_t>(t)]);
  }
  return text;
}

// Writes large hulls that have no file to a folder beside the scene, each only once.
void write_meshes(const std::string& output, scene::Scene* scene) {
  const fs::path folder = fs::path(output).stem().string() + "-meshes";
  std::map<std::string, std::string> names;  // names by content
  for (scene::Body& body : scene->bodies) {
    for (std::size_t i = 0; i < body.parts.size(); ++i) {
      if (!body.part_files[i].path.empty()) continue;
      const std::string text = print_mesh(body.parts[i].shape);
      if (text.empty()) continue;
      const std::string name = (folder / fmt::format("{}.obj", names.size() + 1)).generic_string();
      const auto [entry, is_new] = names.try_emplace(text, name);
      body.part_files[i] = {.path = entry->second};
      if (!is_new) continue;
      const fs::path path = fs::path(output).parent_path() / name;
      fs::create_directories(path.parent_path());
      check_target(path.string(), "mesh", {kMeshHead});
      record::write_whole_file(path.string(), text);
    }
  }
}

}  // namespace

void print_notes(const scene::Scene& scene, std::size_t most) {
  const std::size_t shown = std::min(most, scene.notes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    print(stderr, "note: {}\n", scene.notes[i]);
  }
  if (shown < scene.notes.size()) {
    print(stderr, "note: ... and {} more (tenpin check lists them all)\n",
          scene.notes.size() - shown);
  }
}

int run_convert(const ConvertOptions& options) {
  scene::Scene scene = read_model(options.model, parse_overrides(options.sets),
                                  {.max_bodies = options.max_bodies}, options.import);
  forget_far_meshes(options.output, &scene);
  if (options.output.empty()) {
    print(stdout, "{}", scene::write_scene(scene));
  } else {
    check_target(options.output, "scene", {"tenpin:"});
    write_meshes(options.output, &scene);
    record::write_whole_file(options.output, scene::write_scene(scene));
  }
  print_notes(scene, scene.notes.size());
  return kDone;
}

}  // namespace tenpin::app
