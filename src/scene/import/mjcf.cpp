#include "scene/import/mjcf.h"

#include <memory>

#include "scene/import/mjcf_actuators.h"
#include "scene/import/mjcf_attach.h"
#include "scene/import/mjcf_keyframe.h"
#include "scene/import/mjcf_relations.h"
#include "scene/import/mjcf_tendons.h"
#include "scene/import/mjcf_text.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

void read_model(int root, const ModelFolder& folder, const ImportOptions& options,
                const ReadLimits& limits, ModelText* text, Scene* scene) {
  splice_includes(root, folder, static_cast<std::size_t>(limits.max_bytes), text);
  const auto attached =
      attach_models(root, folder, static_cast<std::size_t>(limits.max_bytes), text);
  const Element model(text, root);
  scene->name = model.mark_read().text("model", "MuJoCo model");
  Settings settings = read_settings(model);
  for (const AttachedModel& other : attached) {
    const auto own = std::make_shared<const Settings>(read_settings(Element(text, other.root)));
    for (std::size_t file = other.files_begin; file < other.files_end; ++file) {
      settings.of_file.emplace(static_cast<int>(file), own);  // keeps the settings of an inner file
    }
  }
  settings.balance_inertia = settings.balance_inertia || options.balance_inertia;
  scene->gravity = settings.gravity;
  scene->method = TimeSteppingOptions{.step = settings.timestep};
  // Keyframes are rest poses with MuJoCo's soft contacts, which overlap by millimetres. Moving
  // bodies apart would change the poses that the model specifies, and lift them.
  scene->start.overlaps = Start::Overlaps::kKeep;

  const Defaults defaults(model);
  Assets assets(model, settings, defaults, folder);
  Surfaces surfaces;
  Tree tree = read_tree(model, {.settings = settings,
                                .defaults = defaults,
                                .assets = &assets,
                                .surfaces = &surfaces,
                                .max_bodies = limits.max_bodies});
  const Keyframe key = read_keyframe(model, options.keyframe, tree);
  const auto tendons = read_tendons(model, settings, defaults, &tree);
  read_actuators(model, {settings, defaults, key, tendons}, &tree);
  give_pairs_surfaces(model, defaults, &tree, &surfaces);
  text->throw_if_any();

  apply_keyframe(key, &tree);
  surfaces.write(scene);
  add_bodies(text, &tree.robot, scene);
  read_equality(model, settings, defaults, tree, tendons, scene);
  read_contact(model, settings, tree, scene);
}

}  // namespace tenpin::scene::mjcf
