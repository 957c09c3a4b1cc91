#include "lab/overlaps.h"

#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "scene/build.h"

namespace tenpin::lab {

namespace {

constexpr double kOverlap = 1e-6;  // m   what is less may be a touch

bool always_touch(const scene::Scene& scene, int a, int b) {
  for (const scene::PartPair& p : scene.always_touch) {
    if (std::minmax(p.body_a, p.body_b) == std::minmax(a, b)) return true;
  }
  return false;
}

}  // namespace

void part_overlapping_links(scene::Scene* scene) {
  const scene::Built built = scene::build(*scene);
  std::vector<Pose> X_WB;
  update_poses(built.model, built.state.q, 0.0, &X_WB);
  std::vector<contact::Contact> contacts;
  contact::ContactFinder finder(built.model);
  finder.find(X_WB, std::vector<double>(built.model.bodies.size(), 0.0), &contacts);
  std::map<std::pair<int, int>, double> deepest;  // m
  for (const contact::Contact& c : contacts) {
    const int mechanism = built.model.bodies[c.body_a].mechanism;
    if (mechanism < 0 || mechanism != built.model.bodies[c.body_b].mechanism) continue;
    if (c.gap > -kOverlap || always_touch(*scene, c.body_a, c.body_b)) continue;
    double& depth = deepest[std::minmax(c.body_a, c.body_b)];
    depth = std::max(depth, -c.gap);
  }
  for (const auto& [pair, depth] : deepest) {
    scene->never_touch.push_back({.body_a = pair.first, .body_b = pair.second});
    scene->notes.push_back(scene->bodies[pair.first].name + " and " +
                           scene->bodies[pair.second].name + " overlap by " + to_text(depth) +
                           " m at the start: taken not to touch");
  }
}

}  // namespace tenpin::lab
