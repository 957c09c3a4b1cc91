// Imports robot models of other programs: URDF and MJCF files become scenes. See
// docs/robot-models.md.
#pragma once

#include <string>

#include "scene/problem.h"
#include "scene/read.h"
#include "scene/scene.h"

namespace tenpin::scene {

enum class Base { kAsModelSays, kFixed, kFree };

struct ImportOptions {
  std::string root;      // folder that the files of the model may come from; "" = the model's own
  std::string keyframe;  // MJCF: name of the one to start at; "" = the first, if any
  Base base = Base::kAsModelSays;  // URDF: how the root link hangs
  bool balance_inertia = false;    // mends inertias that no rigid body has
  bool ground = false;             // a plane under what has none; who runs the scene adds it
  // Repairs what other readers accept and the formats do not allow; a note tells each repair.
  bool lenient = false;
};

// Is the file a robot model: .urdf, .mjcf or .xml?
[[nodiscard]] bool is_robot_model(const std::string& file);

// Reads a robot model. The notes of the scene list everything in it that is not used. Throws
// SceneError (all problems found) or LimitError.
[[nodiscard]] Scene import_model(const std::string& file, const ImportOptions& options = {},
                                 const ReadLimits& limits = {});

// The same from memory; `file` locates its other files and names it in messages.
[[nodiscard]] Scene import_text(const std::string& text, const std::string& file,
                                const ImportOptions& options = {}, const ReadLimits& limits = {});

}  // namespace tenpin::scene
