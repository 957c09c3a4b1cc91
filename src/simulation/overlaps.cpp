#include "simulation/overlaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "base/rounded.h"
#include "base/text.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "scene/build.h"
#include "scene/import/import.h"
#include "shapes/bounds.h"

namespace tenpin::simulation {

namespace {

constexpr double kOverlap = 1e-6;  // m   a smaller overlap may be mere contact

// True for links of one mechanism, and for the bodies that it is attached to.
bool belong_together(const dynamics::Model& model, int a, int b) {
  const int m_a = model.bodies[a].mechanism;
  const int m_b = model.bodies[b].mechanism;
  if (m_a >= 0 && m_b >= 0) return m_a == m_b;
  const std::vector<int>& bases = model.mechanisms[std::max(m_a, m_b)].bases;
  return std::find(bases.begin(), bases.end(), m_a < 0 ? a : b) != bases.end();
}

bool always_touch(const scene::Scene& scene, int a, int b) {
  for (const scene::PartPair& p : scene.always_touch) {
    if (std::minmax(p.body_a, p.body_b) == std::minmax(a, b)) return true;
  }
  return false;
}

bool is_from_robot(const scene::Scene& scene, const scene::Body& body) {
  return scene::is_robot_model(body.file.empty() ? scene.file : body.file);
}

bool has_plane(const scene::Scene& scene) {
  for (const scene::Body& body : scene.bodies) {
    for (const shapes::PlacedShape& part : body.parts) {
      if (std::holds_alternative<shapes::Plane>(part.shape)) return true;
    }
  }
  return false;
}

}  // namespace

void part_overlapping_links(scene::Scene* scene) {
  if (std::none_of(scene->bodies.begin(), scene->bodies.end(), [&](const scene::Body& body) {
        return is_from_robot(*scene, body);
      })) {
    return;
  }
  const scene::Built built = scene::build(*scene);
  std::vector<Pose> X_WB;
  update_poses(built.model, built.state.q, 0.0, &X_WB);
  std::vector<contact::Contact> contacts;
  contact::ContactFinder finder(built.model);
  finder.find(X_WB, std::vector<double>(built.model.bodies.size(), 0.0), &contacts);
  std::map<std::pair<int, int>, double> deepest;  // m
  for (const contact::Contact& c : contacts) {
    if (!belong_together(built.model, c.body_a, c.body_b)) continue;
    if (!is_from_robot(*scene, scene->bodies[c.body_a])) continue;
    if (!is_from_robot(*scene, scene->bodies[c.body_b])) continue;
    if (c.gap > -kOverlap || always_touch(*scene, c.body_a, c.body_b)) continue;
    double& depth = deepest[std::minmax(c.body_a, c.body_b)];
    depth = std::max(depth, -c.gap);
  }
  for (const auto& [pair, depth] : deepest) {
    scene->never_touch.push_back({.body_a = pair.first, .body_b = pair.second});
    scene->notes.push_back(scene->bodies[pair.first].name + " and " +
                           scene->bodies[pair.second].name + " overlap by " + to_rounded(depth) +
                           " m at the start: taken not to touch");
  }
}

void add_ground(scene::Scene* scene) {
  if (has_plane(*scene)) return;
  const scene::Built built = scene::build(*scene);
  std::vector<Pose> X_WB;
  update_poses(built.model, built.state.q, 0.0, &X_WB);
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < scene->bodies.size(); ++i) {
    const scene::Body& body = scene->bodies[i];
    for (std::size_t k = 0; k < body.parts.size(); ++k) {
      const bool touches = body.part_options[k].layer != 0 || body.part_options[k].touches != 0;
      const Pose X_WS = X_WB[i] * Pose{.p = -body.center} * body.parts[k].X_BS;
      if (touches)
        lowest = std::min(lowest, shapes::calc_bounds(body.parts[k].shape, X_WS).lower.z());
    }
  }
  if (!std::isfinite(lowest)) return;
  scene::Body ground;
  ground.name = "ground";
  while (std::any_of(scene->bodies.begin(), scene->bodies.end(), [&](const scene::Body& body) {
    return body.name == ground.name;
  })) {
    ground.name += "_";
  }
  ground.joint = scene::JointKind::kFixed;
  ground.position = Vec3(0.0, 0.0, lowest);
  ground.parts.push_back({shapes::Plane{}, {}});
  ground.part_files.emplace_back();
  ground.part_options.push_back({.layer = ~0u, .touches = ~0u});
  scene->bodies.push_back(std::move(ground));
  scene->notes.push_back("a plane at z = " + to_text(lowest) + " m is the ground");
}

bool falls_forever(const scene::Scene& scene) {
  if (scene.gravity.isZero()) return false;
  const bool held = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& body) {
    return body.parent == scene::kWorld && body.joint != scene::JointKind::kFree;
  });
  return !held && !scene.bodies.empty();
}

}  // namespace tenpin::simulation
