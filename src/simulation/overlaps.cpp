#include "simulation/overlaps.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "scene/build.h"

namespace tenpin::simulation {

namespace {

constexpr double kOverlap = 1e-6;  // m   what is less may be a touch

// Links of one mechanism, and the bodies that it stands on.
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
    if (!belong_together(built.model, c.body_a, c.body_b)) continue;
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

}  // namespace tenpin::simulation
