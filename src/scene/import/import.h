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
  std::string root;      // folder that contains all files of the model; "" = the model's own
  std::string keyframe;  // MJCF: name of the keyframe to start at; "" = the first one, if any
  Base base = Base::kAsModelSays;  // URDF: whether the root link is fixed
  bool balance_inertia = false;    // corrects inertias that are physically impossible
  // requests a plane if the model has none; the program that runs the scene adds it
  bool ground = false;
  // Repairs errors that other readers accept and the formats do not allow; a note reports each
  // repair.
  bool lenient = false;
};

// True if the file is a robot model: .urdf, .mjcf or .xml.
[[nodiscard]] bool is_robot_model(const std::string& file);

// Reads a robot model. The notes of the scene list everything in the model that is not used. Throws
// SceneError (all problems found) or LimitError.
[[nodiscard]] Scene import_model(const std::string& file, const ImportOptions& options = {},
                                 const ReadLimits& limits = {});

// The same from memory. `file` determines the folder of its other files, and is its name in
// messages.
[[nodiscard]] Scene import_text(const std::string& text, const std::string& file,
                                const ImportOptions& options = {}, const ReadLimits& limits = {});

}  // namespace tenpin::scene
