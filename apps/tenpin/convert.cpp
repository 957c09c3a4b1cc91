#include "convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "check_target.h"
#include "exit_codes.h"
#include "overrides.h"
#include "print.h"
#include "read_model.h"
#include "record/whole_file.h"
#include "scene/write.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

// A scene finds its meshes beneath its own folder. Those that are not there become lists of points.
void take_meshes_along(const std::string& output, scene::Scene* scene) {
  const fs::path from = fs::absolute(scene->file).parent_path().lexically_normal();
  const fs::path to = fs::absolute(output.empty() ? "." : output).parent_path().lexically_normal();
  const auto take_along = [&](scene::MeshFile* file) {
    if (file->path.empty()) return;
    const fs::path path = (from / file->path).lexically_relative(to);
    const bool is_beneath = !output.empty() && !path.empty() && *path.begin() != "..";
    *file = is_beneath ? scene::MeshFile{.path = path.string(), .scale = file->scale}
                       : scene::MeshFile{};
  };
  for (scene::Body& body : scene->bodies) {
    for (scene::MeshFile& file : body.part_files) take_along(&file);
    for (scene::Visual& visual : body.visuals) take_along(&visual.file);
  }
}

void write_scene(const std::string& path, const std::string& text) {
  check_target(path, "scene", {"tenpin:"});
  record::write_whole_file(path, text);
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
  take_meshes_along(options.output, &scene);
  const std::string text = scene::write_scene(scene);
  if (options.output.empty()) {
    print(stdout, "{}", text);
  } else {
    write_scene(options.output, text);
  }
  print_notes(scene, scene.notes.size());
  return kDone;
}

}  // namespace tenpin::app
