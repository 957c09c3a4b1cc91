#include "scene/read.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "scene/check.h"
#include "scene/contained_file.h"
#include "scene/format.h"
#include "scene/include_models.h"
#include "scene/override.h"
#include "scene/parameters.h"
#include "scene/parse_yaml.h"
#include "scene/plain_message.h"
#include "scene/problem_list.h"
#include "scene/read_bodies.h"
#include "scene/read_body_pairs.h"
#include "scene/read_events.h"
#include "scene/read_loops.h"
#include "scene/read_materials.h"
#include "scene/read_method.h"
#include "scene/read_table.h"
#include "scene/read_touch.h"
#include "scene/scene_source.h"
#include "scene/values.h"
#include "scene/words.h"

namespace tenpin::scene {

namespace {

// Reads the keys of the scene one by one, so that a problem in one key does not hide others.
class SceneReader {
 public:
  SceneReader(const Node& root, const ReadLimits& limits, MeshLibrary* library,
              ProblemList* problems)
      : root_(root), limits_(limits), library_(*library), problems_(*problems) {}

  void read(Scene* scene) {
    check_version();
    check_keys(root_, scene_object(), {}, &problems_);
    scene->name = std::filesystem::path(scene->file).stem().string();
    if (const Node* name = clean("name")) {
      scene->name = name->text;
    }
    if (const Node* gravity = clean("gravity")) {
      scene->gravity = to_vector(*gravity);
    }
    if (const Node* seed = clean("seed")) {
      scene->seed = parse_json_unsigned(seed->text).value();
    }
    if (const Node* until = clean("until")) {
      scene->until = to_number(*until);
    }
    if (const Node* method = clean("method")) {
      scene->method = read_method(*method, &problems_);
    }
    if (const Node* record = clean("record")) {
      take(*record, "every", &scene->record.every);
      take(*record, "contacts", kContactsWords, &scene->record.contacts);
    }
    if (const Node* start = clean("start")) {
      take(*start, "overlaps", kOverlapsWords, &scene->start.overlaps);
    }
    refuse_too_many_steps(*scene);
    read_world(scene);
  }

 private:
  // The value of a key if it is present and passes its check.
  const Node* clean(std::string_view key) {
    const Node* node = root_.find(key);
    const Trail trail = {.key = key};
    const bool good = node != nullptr && check(*node, *scene_object().find(key), trail, &problems_);
    return good ? node : nullptr;
  }

  // A file of another version may differ in every key, so no other problem is reported.
  void check_version() {
    if (root_.find("tenpin") != nullptr && clean("tenpin") == nullptr) {
      problems_.throw_if_any();
    }
  }

  void refuse_too_many_steps(const Scene& scene) {
    const double step = step_of(scene.method);
    const double count = step > 0.0 ? scene.until / step : 0.0;
    if (count > static_cast<double>(limits_.max_steps)) {
      problems_.throw_limit(root_.place, "until",
                            "too many steps, got " + to_text(count) + ", want at most " +
                                std::to_string(limits_.max_steps) + " (--force runs them anyway)");
    }
  }

  void read_world(Scene* scene) {
    const MaterialIndex materials =
        read_materials(root_.find("materials"), root_.find("pairs"), scene, &problems_);
    if (const Node* models = clean("models")) {
      include_models(*models, limits_, scene, &problems_);
    }
    const Node empty = {.kind = Node::Kind::kList};
    const Node* bodies = root_.find("bodies");
    if (bodies != nullptr && !bodies->is_list()) {
      clean("bodies");
      return;
    }
    const BodyContext context = {.materials = materials,
                                 .library = &library_,
                                 .groups = clean("groups"),
                                 .seed = scene->seed,
                                 .max_bodies = limits_.max_bodies,
                                 .max_parts = limits_.max_parts};
    const BodyIndex index =
        read_bodies(bodies != nullptr ? *bodies : empty, context, &scene->bodies, &problems_);
    read_mechanism(index, scene);
    if (const Node* events = clean("events")) {
      read_events(*events, index, materials, scene, &problems_);
    }
    read_pairs_of_bodies(scene);
    for (Problem& note : library_.notes) {
      note.file = scene->file;
      scene->notes.push_back(note.to_string());
    }
  }

  void read_mechanism(const BodyIndex& index, Scene* scene) {
    const Node* loops = root_.find("loops");
    if (loops != nullptr && !loops->is_list()) {
      clean("loops");
    } else if (loops != nullptr) {
      read_loops(*loops, index, scene, &problems_);
    }
    if (const Node* touch = clean("touch")) {
      read_touch(*touch, index, limits_.max_touching, scene, &problems_);
    }
  }

  // Problems in `pairs` were already reported with the materials.
  void read_pairs_of_bodies(Scene* scene) {
    ProblemList reported(scene->file);
    const Node* pairs = root_.find("pairs");
    if (pairs != nullptr &&
        check(*pairs, *scene_object().find("pairs"), {.key = "pairs"}, &reported)) {
      read_body_pairs(*pairs, scene, &problems_);
    }
  }

  const Node& root_;
  const ReadLimits& limits_;
  MeshLibrary& library_;
  ProblemList& problems_;
};

void note_unused(const std::vector<Key>& parameters, Scene* scene) {
  for (const Key& key : parameters) {
    const Problem note = {.file = scene->file,
                          .line = key.place.line,
                          .column = key.place.column,
                          .path = "parameters." + key.text,
                          .text = "not used by any expression"};
    scene->notes.push_back(note.to_string());
  }
}

Node parse_tree(const std::string& text, const std::string& file, const ReadLimits& limits) {
  if (static_cast<std::int64_t>(text.size()) > limits.max_bytes) {
    throw LimitError(too_large(file, text.size(), static_cast<std::size_t>(limits.max_bytes)));
  }
  return parse_yaml(text, file, {.max_depth = limits.max_depth});
}

MeshLibrary make_library(const std::string& file) {
  return {.folder = std::filesystem::path(file).parent_path().string()};
}

// Expects that `scene` already has its text and file.
void read_tree(Node root, std::span<const Override> overrides, const ReadLimits& limits,
               MeshLibrary* library, Scene* scene) {
  apply_overrides(overrides, limits.max_depth, &root);
  ProblemList problems(scene->file);
  note_unused(evaluate_expressions(&root, &problems), scene);
  load_tables(library->folder, &root, &problems);
  SceneReader(root, limits, library, &problems).read(scene);
  problems.throw_if_any();
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& file,
                  std::span<const Override> overrides, const ReadLimits& limits) {
  Scene scene;
  scene.text = text;
  scene.file = file;
  MeshLibrary library = make_library(file);
  read_tree(parse_tree(text, file, limits), overrides, limits, &library, &scene);
  return scene;
}

SceneSource::SceneSource(std::string text, std::string file, const ReadLimits& limits)
    : text_(std::move(text)),
      file_(std::move(file)),
      limits_(limits),
      root_(parse_tree(text_, file_, limits_)),
      library_(make_library(file_)) {}

Scene SceneSource::read(std::span<const Override> overrides) {
  Scene scene;
  scene.text = text_;
  scene.file = file_;
  library_.restart();
  read_tree(root_, overrides, limits_, &library_, &scene);
  return scene;
}

std::string read_scene_text(const std::string& file, const ReadLimits& limits) {
  try {
    return read_regular_file(file, static_cast<std::size_t>(limits.max_bytes));
  } catch (const InputError& error) {
    throw SceneError({{.file = file, .path = "", .text = plain_message(error)}});
  }
}

Scene read_scene(const std::string& file, std::span<const Override> overrides,
                 const ReadLimits& limits) {
  return parse_scene(read_scene_text(file, limits), file, overrides, limits);
}

}  // namespace tenpin::scene
