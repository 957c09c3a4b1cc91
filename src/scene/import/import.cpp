#include "scene/import/import.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "scene/characters.h"
#include "scene/import/mjcf.h"
#include "scene/import/model_folder.h"
#include "scene/import/model_text.h"
#include "scene/import/unused.h"
#include "scene/import/urdf.h"
#include "scene/plain_message.h"

namespace tenpin::scene {

namespace {

// s   Default duration, because a model does not say how long to simulate it.
constexpr double kUntil = 10.0;

void fill(int root, const ModelFolder& folder, const ImportOptions& options,
          const ReadLimits& limits, ModelText* text, Scene* scene) {
  const std::string& tag = text->document[root].tag;
  if (tag == "mujoco") {
    if (options.base != Base::kAsModelSays) {
      throw InputError("--base applies to URDF models, got MJCF, want no such option");
    }
    return mjcf::read_model(root, folder, options, limits, text, scene);
  }
  if (tag == "robot") {
    if (!options.keyframe.empty()) {
      throw InputError("--keyframe applies to MJCF models, got URDF, want no such option");
    }
    return urdf::read_model(root, folder, options, limits, text, scene);
  }
  Element(text, root)
      .problem("", "wrong root element, got <" + excerpt(tag) +
                       ">, want <mujoco> (MJCF) or <robot> (URDF)");
}

// Removes trailing zero bytes: some programs write the unused end of their buffer after the text.
std::string_view cut_zeros(std::string_view text, ModelText* model) {
  constexpr std::string_view kBlankOrZero(" \t\r\n\0", 5);
  const std::string_view kept = text.substr(0, text.find_last_not_of(kBlankOrZero) + 1);
  if (text.find('\0', kept.size()) != std::string_view::npos) {
    const auto line = 1 + std::count(kept.begin(), kept.end(), '\n');
    model->notes.push_back({.line = static_cast<int>(line),
                            .text = "zero bytes after the end of the text are skipped"});
  }
  return kept;
}

}  // namespace

bool is_robot_model(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".urdf" || extension == ".mjcf" || extension == ".xml";
}

Scene import_text(const std::string& text, const std::string& file, const ImportOptions& options,
                  const ReadLimits& limits) {
  ModelText model;
  model.lenient = options.lenient;
  const int root =
      parse_xml(options.lenient ? cut_zeros(text, &model) : text, file, &model.document);
  Scene scene;
  scene.file = file;
  scene.until = kUntil;
  try {
    fill(root, ModelFolder(file, options.root), options, limits, &model, &scene);
  } catch (const InputError& error) {
    throw SceneError({{.file = file, .path = "", .text = plain_message(error)}});
  }
  model.throw_if_any();
  std::vector<Note> notes = std::move(model.notes);
  for (Note& note : list_unused(model.document)) {
    notes.push_back(std::move(note));
  }
  scene.notes = print_notes(model.document, notes);
  return scene;
}

Scene import_model(const std::string& file, const ImportOptions& options,
                   const ReadLimits& limits) {
  return import_text(read_scene_text(file, limits), file, options, limits);
}

}  // namespace tenpin::scene
