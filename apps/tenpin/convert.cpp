#include "convert.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "exit_codes.h"
#include "overrides.h"
#include "print.h"
#include "read_model.h"
#include "record/record_error.h"
#include "scene/write.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

// A scene finds its meshes beneath its own folder. Those that are not there become lists of points.
void take_meshes_along(const std::string& output, scene::Scene* scene) {
  const fs::path from = fs::absolute(scene->file).parent_path().lexically_normal();
  const fs::path to = fs::absolute(output.empty() ? "." : output).parent_path().lexically_normal();
  for (scene::Body& body : scene->bodies) {
    for (scene::MeshFile& file : body.part_files) {
      if (file.path.empty()) continue;
      const fs::path path = (from / file.path).lexically_relative(to);
      const bool is_beneath = !output.empty() && !path.empty() && *path.begin() != "..";
      file = is_beneath ? scene::MeshFile{.path = path.string(), .scale = file.scale}
                        : scene::MeshFile{};
    }
  }
}

// A user's other file is worth more than a scene.
bool may_be_written_over(const std::string& path) {
  constexpr std::string_view kStart = "tenpin:";
  std::string start(kStart.size(), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return stream.gcount() == 0 || start == kStart;
}

// All or nothing: the text goes to a file beside it first.
void write_file(const std::string& path, const std::string& text) {
  if (fs::exists(path) && (!fs::is_regular_file(path) || !may_be_written_over(path))) {
    throw record::RecordError(path + ": exists and is no scene; not written over");
  }
  const std::string draft = fmt::format("{}.{}.part", path, getpid());
  std::ofstream stream(draft, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    std::remove(draft.c_str());
    throw record::RecordError(path + ": cannot be written");
  }
  fs::rename(draft, path);
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
    write_file(options.output, text);
  }
  print_notes(scene, scene.notes.size());
  return kDone;
}

}  // namespace tenpin::app
