// Small runs for the tests of this folder.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "lab/simulation.h"
#include "scene/read.h"

namespace tenpin::lab {

// A folder that goes with the test.
class RunFolder {
 public:
  RunFolder() {
    std::string pattern = testing::TempDir() + "tenpin_lab_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  ~RunFolder() { std::filesystem::remove_all(path_); }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  // Runs a scene into a file and returns its name.
  std::string run(const scene::Scene& scene, const std::string& name = "run.h5") const {
    static_cast<void>(simulate(scene, {.run_file = file(name)}));
    return file(name);
  }

 private:
  std::string path_;
};

// One ball above a floor; `settings` of time-stepping, e.g. "step: 0.01".
inline scene::Scene make_ball_scene(const std::string& settings, const std::string& until = "0.3",
                                    const std::string& restitution = "0.5") {
  return scene::parse_scene(
      "tenpin: 1\nname: Ball <b>\n"
      "materials: {ivory: {friction: 0.4, restitution: " +
          restitution +
          "}}\n"
          "bodies:\n"
          "  - {name: floor, fixed: true, material: ivory, shapes: [{plane: {normal: [0, 0, "
          "1]}}]}\n"
          "  - {name: ball, material: ivory, mass: 2, position: [0, 0, 0.3], velocity: [1, 0, 0],\n"
          "     shapes: [{sphere: {radius: 0.1}}]}\n"
          "method: {time-stepping: {" +
          settings +
          "}}\n"
          "record: {every: 0.01}\nuntil: " +
          until + "\n",
      "ball.yaml");
}

}  // namespace tenpin::lab
