// A scene with what the stages of time stepping need of it.
#pragma once

#include <string>
#include <vector>

#include "base/workers.h"
#include "contact/finder.h"
#include "dynamics/mass_matrix.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/default_stepping.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::test {

// Balls of 1 kg and 0.1 m radius above a floor, all of one material with friction 0.5.
inline std::string balls(const std::vector<Vec3>& positions) {
  std::string text =
      "tenpin: 1\nname: balls\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3& p = positions[i];
    text += "  - {name: ball" + std::to_string(i + 1) + ", material: m, mass: 1, position: [" +
            std::to_string(p.x()) + ", " + std::to_string(p.y()) + ", " + std::to_string(p.z()) +
            "], shapes: [{sphere: {radius: 0.1}}]}\n";
  }
  return text;
}

struct StepFixture {
  explicit StepFixture(const std::string& yaml, int threads = 1)
      : scene(scene::parse_scene(yaml + "until: 1000\n", "test.yaml")),
        built(scene::build(scene)),
        workers(threads),
        setup(built.model,
              methods::time_stepping::choose_stepping(
                  built.model, std::get<scene::TimeSteppingOptions>(scene.method))
                  .options,
              workers) {
    update_poses(built.model, built.state.q, 0.0, &X);
    update_twists(built.model, X, built.state.v, 0.0, &V);
    M.update(built.model, X, built.state.q, setup.zero);
  }

  // Contacts of bodies that are at most 2 cm apart, by key.
  std::vector<contact::Contact> find_contacts() {
    contact::ContactFinder finder(built.model);
    const std::vector<double> reach(built.model.bodies.size(), 0.01);
    std::vector<contact::Contact> contacts;
    finder.find(X, reach, &contacts);
    return contacts;
  }

  scene::Scene scene;
  scene::Built built;
  Workers workers;
  methods::time_stepping::StepSetup setup;
  std::vector<Pose> X;  // by body, at the start
  std::vector<dynamics::Twist> V;
  dynamics::MassMatrix M;
};

}  // namespace tenpin::test
