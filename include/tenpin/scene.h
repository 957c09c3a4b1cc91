// A scene: what there is, how it moves, and by which method. See docs/scene-format.md.
#pragma once

#include <tenpin/error.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenpin {

namespace scene {
struct Scene;
}

struct LoadOptions {
  // Runs the scene by another method: time-stepping, analytic, impulse or penalty. "": its own.
  std::string method;
  // Values to change before the scene is checked, as `tenpin run --set`: {"until", "5"},
  // {"bodies.ball.mass", "2"}.
  std::vector<std::pair<std::string, std::string>> set;
};

// Checked plain data; copies share it.
class Scene {
 public:
  // Reads a scene file (YAML or JSON) or a robot model (.urdf, .xml or .mjcf). Throws SceneError.
  [[nodiscard]] static Scene load(const std::string& file, const LoadOptions& options = {});
  // The same from text in the scene format; `name` stands for the file in messages, and mesh files
  // are looked for beside it.
  [[nodiscard]] static Scene parse(const std::string& text, const std::string& name = "text",
                                   const LoadOptions& options = {});

  // Text that reads back as this scene, bit for bit.
  [[nodiscard]] std::string to_yaml() const;

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::string method() const;
  [[nodiscard]] double until() const;  // s
  // What you should know of the scene: parts of a robot model that are not used, and the like.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  // For the library.
  explicit Scene(std::shared_ptr<const scene::Scene> contents) : contents_(std::move(contents)) {}
  const scene::Scene& contents() const { return *contents_; }

 private:
  std::shared_ptr<const scene::Scene> contents_;
};

}  // namespace tenpin
