#include "scene/import/mjcf.h"

#include "scene/import/mjcf_actuators.h"
#include "scene/import/mjcf_keyframe.h"
#include "scene/import/mjcf_relations.h"
#include "scene/import/mjcf_text.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

void read_model(int root, const ModelFolder& folder, const ImportOptions& options,
                const ReadLimits& limits, ModelText* text, Scene* scene) {
  splice_includes(root, folder, static_cast<std::size_t>(limits.max_bytes), text);
  const Element model(text, root);
  scene->name = model.mark_read().text("model", "MuJoCo model");
  Settings settings = read_settings(model);
  settings.balance_inertia = settings.balance_inertia || options.balance_inertia;
  scene->gravity = settings.gravity;
  scene->method.time_stepping.step = settings.timestep;

  const Defaults defaults(model);
  Assets assets(model, settings, defaults, folder);
  Surfaces surfaces;
  Tree tree = read_tree(model, {.settings = settings,
                                .defaults = defaults,
                                .assets = &assets,
                                .surfaces = &surfaces,
                                .max_bodies = limits.max_bodies});
  const Keyframe key = read_keyframe(model, options.keyframe, tree);
  read_actuators(model, settings, defaults, key, &tree);
  give_pairs_surfaces(model, defaults, &tree, &surfaces);
  text->throw_if_any();

  apply_keyframe(key, &tree);
  surfaces.write(scene);
  add_bodies(text, &tree.robot, scene);
  read_equality(model, settings, defaults, tree, scene);
  read_contact(model, settings, tree, scene);
}

}  // namespace tenpin::scene::mjcf
