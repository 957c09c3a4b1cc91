#include "scene/include_models.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "math/rotation.h"
#include "scene/characters.h"
#include "scene/contained_file.h"
#include "scene/import/read_any.h"
#include "scene/import/robot.h"
#include "scene/plain_message.h"
#include "scene/quaternion_product.h"
#include "scene/read_rotation.h"
#include "scene/values.h"

namespace tenpin::scene {

namespace {

namespace fs = std::filesystem;

// The pose of a model in the world.
struct Placement {
  Quat q = Quat::Identity();
  Pose X_WM = {};

  Vec3 turn(const Vec3& v) const { return X_WM.R * v; }
};

Quat conjugate(const Quat& q) {
  return {q.w(), -q.x(), -q.y(), -q.z()};
}

// A value as YAML in one line, for an override.
std::string print_value(const Node& node) {
  if (node.is_scalar()) {
    if (!node.quoted) return node.text;
    std::string text = "\"";
    for (const char c : node.text) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    return text + "\"";
  }
  std::string text(1, node.is_map() ? '{' : '[');
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    text += (i == 0 ? "" : ", ") + (node.is_map() ? node.keys[i].text + ": " : std::string()) +
            print_value(node.items[i]);
  }
  return text + (node.is_map() ? '}' : ']');
}

// Bodies attached to the world move with the model; other bodies follow their parents. Rotates the
// vectors of a table.
void place_table(const Placement& at, TimeTable* table) {
  for (std::size_t i = 0; i < table->times.size(); ++i) {
    const Eigen::Map<Vec3> row(table->values.data() + 3 * i);
    Eigen::Map<Vec3>(table->values.data() + 3 * i) = at.turn(Vec3(row));
  }
}

void place_body(const Placement& at, Body* body) {
  if (body->parent != kWorld) return;
  body->position = at.X_WM * body->position;
  body->orientation = product(at.q, body->orientation);
  body->velocity = at.turn(body->velocity);
  body->angular_velocity = at.turn(body->angular_velocity);
  if (body->joint == JointKind::kPlanar) {
    body->planar = {.x = at.turn(body->planar.x), .y = at.turn(body->planar.y)};
  } else if (body->joint == JointKind::kPrescribed) {
    PrescribedMotion& motion = body->motion;
    motion.velocity = at.turn(motion.velocity);
    motion.angular_velocity = at.turn(motion.angular_velocity);
    motion.amplitude = at.turn(motion.amplitude);
    motion.axis = at.turn(motion.axis);
    place_table(at, &motion.velocity_table);
    place_table(at, &motion.position_table);
  } else if (body->joint == JointKind::kBall) {
    Quat& q = body->properties.ball_at;  // in the axes of the world
    q = product(product(at.q, q), conjugate(at.q));
  }
}

void place_loop(const Placement& at, Loop* loop) {
  if (loop->kind == Loop::Kind::kCoupling) return;
  if (loop->body_a == kWorld) {
    loop->anchor_a = at.X_WM * loop->anchor_a;
    loop->axis_a = at.turn(loop->axis_a);
    if (loop->orientation) loop->orientation = product(at.q, *loop->orientation);
  }
  if (loop->body_b == kWorld) {
    loop->anchor_b = at.X_WM * loop->anchor_b;
    loop->axis_b = at.turn(loop->axis_b);
    if (loop->orientation) loop->orientation = product(*loop->orientation, conjugate(at.q));
  }
}

// Appends a model to a scene under new names and numbers.
class Appender {
 public:
  Appender(std::string prefix, Scene* scene)
      : prefix_(std::move(prefix)),
        scene_(*scene),
        first_body_(static_cast<int>(scene->bodies.size())) {}

  void append(Scene model, const Placement& at, const fs::path& folder) {
    for (Material& material : model.materials) append_material(std::move(material));
    for (MaterialPair pair : model.pairs) {
      pair.first = material(pair.first);
      pair.second = material(pair.second);
      scene_.pairs.push_back(pair);
    }
    for (Body& body : model.bodies) append_body(std::move(body), model.file, at, folder);
    const int first_loop = static_cast<int>(scene_.loops.size());
    for (Loop& loop : model.loops) append_loop(std::move(loop), model.file, at);
    for (dynamics::Event& event : model.events) append_event(std::move(event), first_loop, at);
    for (const BodyPair& pair : model.never_touch) {
      scene_.never_touch.push_back({.body_a = shift(pair.body_a), .body_b = shift(pair.body_b)});
    }
    for (PartPair pair : model.always_touch) {
      pair.body_a = shift(pair.body_a);
      pair.body_b = shift(pair.body_b);
      scene_.always_touch.push_back(pair);
    }
    scene_.notes.insert(scene_.notes.end(), model.notes.begin(), model.notes.end());
  }

 private:
  // Gravity belongs to the including scene, and so do changes of it.
  void append_event(dynamics::Event event, int first_loop, const Placement& at) {
    event.name = rename(event.name);
    for (int* body : {&event.body_a, &event.body_b, &event.measure.body_a, &event.measure.body_b}) {
      *body = shift(*body);
    }
    for (int& loop : event.released_loops) loop += first_loop;
    for (int& body : event.released_motors) body = shift(body);
    std::erase_if(event.settings, [](const dynamics::Setting& s) {
      return s.kind == dynamics::Setting::Kind::kGravity;
    });
    for (dynamics::Setting& s : event.settings) {
      if (s.kind == dynamics::Setting::Kind::kSurface) {
        s.material_a = material(s.material_a);
        s.material_b = material(s.material_b);
        continue;
      }
      s.body = shift(s.body);
      if (s.kind == dynamics::Setting::Kind::kMotion) {
        s.vector = at.turn(s.vector);
        s.rotation = at.turn(s.rotation);
      }
    }
    scene_.events.push_back(std::move(event));
  }

  std::string rename(const std::string& name) const { return make_scene_name(prefix_ + name); }
  int material(int index) const { return materials_[static_cast<std::size_t>(index)]; }
  int shift(int body) const { return body == kWorld ? kWorld : body + first_body_; }

  // A name that exists already, such as `default` without a prefix, gets a number appended.
  void append_material(Material material) {
    const std::string name = rename(material.name);
    const auto is_taken = [&](const std::string& candidate) {
      return std::any_of(scene_.materials.begin(), scene_.materials.end(),
                         [&](const Material& other) {
                           return other.name == candidate;
                         });
    };
    material.name = name;
    for (int copy = 2; is_taken(material.name); ++copy) {
      material.name = name + "_" + std::to_string(copy);
    }
    materials_.push_back(static_cast<int>(scene_.materials.size()));
    scene_.materials.push_back(std::move(material));
  }

  void append_body(Body body, const std::string& file, const Placement& at,
                   const fs::path& folder) {
    place_body(at, &body);
    body.name = rename(body.name);
    body.parent = shift(body.parent);
    body.material = material(body.material);
    for (PartOptions& options : body.part_options) {
      if (options.material >= 0) options.material = material(options.material);
    }
    for (MeshFile& mesh : body.part_files) {
      if (!mesh.path.empty()) mesh.path = (folder / mesh.path).generic_string();
    }
    for (Visual& visual : body.visuals) {
      std::string& path = visual.file.path;
      if (!path.empty()) path = (folder / path).generic_string();
    }
    if (body.file.empty()) body.file = file;
    scene_.bodies.push_back(std::move(body));
  }

  void append_loop(Loop loop, const std::string& file, const Placement& at) {
    place_loop(at, &loop);
    loop.name = rename(loop.name);
    loop.body_a = shift(loop.body_a);
    loop.body_b = shift(loop.body_b);
    if (loop.file.empty()) loop.file = file;
    scene_.loops.push_back(std::move(loop));
  }

  std::string prefix_;
  Scene& scene_;
  int first_body_;
  std::vector<int> materials_;  // for each material of the model: its index in the scene
};

class ModelIncluder {
 public:
  ModelIncluder(const ReadLimits& limits, Scene* scene, ProblemList* problems)
      : limits_(limits), scene_(*scene), problems_(*problems) {}

  void include(const Node& entry, const std::string& path) {
    std::optional<Scene> model = read(entry, path);
    if (!model) return;
    Placement at;
    take(entry, "position", &at.X_WM.p);
    if (const Node* orientation = entry.find("orientation")) {
      at.q = read_quaternion(*orientation, path + ".orientation", &problems_);
      at.X_WM.R = to_matrix(at.q);
    }
    if (model->gravity != scene_.gravity) {
      scene_.notes.push_back(scene_.file + ":" + std::to_string(entry.place.line) + ": " + path +
                             ": gravity of " + entry.find("file")->text +
                             " is not used, the scene has its own");
    }
    const Node* prefix = entry.find("prefix");
    const std::size_t before = scene_.bodies.size();
    Appender(prefix != nullptr ? prefix->text : "", &scene_)
        .append(std::move(*model), at, fs::path(entry.find("file")->text).parent_path());
    refuse_duplicates(entry, path, before);
    if (static_cast<std::int64_t>(scene_.bodies.size()) > limits_.max_bodies) {
      problems_.throw_limit(entry.place, path,
                            "too many bodies, got more than " + std::to_string(limits_.max_bodies) +
                                " (raise it with --max-bodies)");
    }
  }

 private:
  std::optional<Scene> read(const Node& entry, const std::string& path) {
    const Node& file = *entry.find("file");
    const std::string folder = fs::path(scene_.file).parent_path().string();
    try {
      const std::string resolved = resolve_contained(folder, file.text);
      ReadLimits limits = limits_;
      limits.including.push_back(fs::weakly_canonical(scene_.file).string());
      if (std::find(limits.including.begin(), limits.including.end(), resolved) !=
          limits.including.end()) {
        problems_.add(file.place, path + ".file",
                      "includes itself, got " + excerpt(file.text) + ", want another file");
        return std::nullopt;
      }
      return read_any((fs::path(folder) / file.text).string(), read_set(entry), limits,
                      read_import(entry));
    } catch (const SceneError& error) {
      pass_on(error, entry, path);
    } catch (const LimitError&) {
      throw;
    } catch (const InputError& error) {
      problems_.add(file.place, path + ".file", plain_message(error));
    }
    return std::nullopt;
  }

  static std::vector<Override> read_set(const Node& entry) {
    std::vector<Override> overrides;
    if (const Node* set = entry.find("set")) {
      for (std::size_t i = 0; i < set->keys.size(); ++i) {
        overrides.push_back({.path = set->keys[i].text, .value = print_value(set->items[i])});
      }
    }
    return overrides;
  }

  static ImportOptions read_import(const Node& entry) {
    ImportOptions options;
    const Node* node = entry.find("import");
    if (node == nullptr) return options;
    if (const Node* base = node->find("base")) {
      options.base = base->text == "fixed" ? Base::kFixed : Base::kFree;
    }
    if (const Node* keyframe = node->find("keyframe")) options.keyframe = keyframe->text;
    take(*node, "balance_inertia", &options.balance_inertia);
    take(*node, "lenient", &options.lenient);
    return options;
  }

  // Passes problems on: those of the model's file unchanged, those of `set` with their place in
  // this file.
  void pass_on(const SceneError& error, const Node& entry, const std::string& path) {
    for (const Problem& problem : error.problems()) {
      if (problem.file == "--set") {
        problems_.add(entry.find("set")->place, path + ".set." + problem.path, problem.text);
      } else {
        problems_.add(problem);
      }
    }
  }

  void refuse_duplicates(const Node& entry, const std::string& path, std::size_t begin) {
    for (std::size_t i = begin; i < scene_.bodies.size(); ++i) {
      if (!names_.insert(scene_.bodies[i].name).second) {
        problems_.add(entry.place, path + ".prefix",
                      "duplicate name, got " + excerpt(scene_.bodies[i].name) +
                          " again, want a prefix of its own for each copy");
        return;
      }
    }
  }

  const ReadLimits& limits_;
  Scene& scene_;
  ProblemList& problems_;
  std::unordered_set<std::string> names_;
};

}  // namespace

void include_models(const Node& models, const ReadLimits& limits, Scene* scene,
                    ProblemList* problems) {
  ModelIncluder includer(limits, scene, problems);
  for (std::size_t i = 0; i < models.items.size(); ++i) {
    includer.include(models.items[i], "models[" + std::to_string(i) + "]");
  }
}

}  // namespace tenpin::scene
