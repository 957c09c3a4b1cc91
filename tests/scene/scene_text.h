// Short scenes for the tests.
#pragma once

#include <string>

#include "scene/read.h"

namespace tenpin::scene {

// A scene with the given top-level lines in addition to version and end.
inline std::string scene_text(const std::string& lines) {
  return "tenpin: 1\n" + lines + "until: 1\n";
}

// A scene with one body, a ball of radius 0.1 and mass 1 named `ball`, with more keys.
inline std::string ball_text(const std::string& keys, const std::string& lines = "") {
  return scene_text(lines + "bodies: [{name: ball, mass: 1, shapes: [{sphere: {radius: 0.1}}]" +
                    (keys.empty() ? "" : ", " + keys) + "}]\n");
}

inline Scene parse(const std::string& text) {
  return parse_scene(text, "scene.yaml");
}

// The problems of a text, as printed; "" if there are none.
inline std::string problems_of(const std::string& text) {
  try {
    static_cast<void>(parse(text));
    return "";
  } catch (const SceneError& error) {
    return print_problems(error.problems());
  }
}

}  // namespace tenpin::scene
