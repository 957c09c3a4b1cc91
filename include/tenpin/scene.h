// A scene: its bodies, how they move, and by which method they are simulated. See
// docs/scene-format.md.
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
  // Name of the method that runs the scene: time-stepping, analytic, impulse or penalty. "": the
  // scene's own method.
  std::string method;
  // Values to change before the scene is checked, as with `tenpin run --set`: {"until", "5"},
  // {"bodies.ball.mass", "2"}.
  std::vector<std::pair<std::string, std::string>> set;
};

// Checked plain data. Copies share the data.
class Scene {
 public:
  // Reads a scene file (YAML or JSON) or a robot model (.urdf, .xml or .mjcf). Throws SceneError.
  [[nodiscard]] static Scene load(const std::string& file, const LoadOptions& options = {});
  // Reads a scene from text in the scene format. `name` replaces the file's name in messages, and
  // mesh files are searched in its folder.
  [[nodiscard]] static Scene parse(const std::string& text, const std::string& name = "text",
                                   const LoadOptions& options = {});

  // Returns text that reads back as this scene, bit for bit.
  [[nodiscard]] std::string to_yaml() const;

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::string method() const;
  [[nodiscard]] double until() const;  // s
  // Remarks on the scene, for example parts of a robot model that are not used.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  // Used by the library.
  explicit Scene(std::shared_ptr<const scene::Scene> contents) : contents_(std::move(contents)) {}
  const scene::Scene& contents() const { return *contents_; }

 private:
  std::shared_ptr<const scene::Scene> contents_;
};

}  // namespace tenpin
