// The impacts of a file, read and checked.
//   {"inputs": {"q", "u", "mu", "e", ...}}      the double pendulum of [M11], planar
//   {"inputs": {"A_tt", ..., "vt0", "vn0"}}     any planar contact by its 2 x 2 matrix
//   {"inputs": {"K", "u0", "mu", "e"}}          a contact in three dimensions [MC95]
//   {"masses", "v0", "contacts", "eps"}         collisions of a row of bodies [B89]
// A file contains one such object, or {"cases": [...]} with several. Resting contacts ({"A", "b"})
// are skipped.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "impact/double_pendulum.h"
#include "impact/multiple.h"
#include "impact/spatial.h"

namespace tenpin::app {

struct PlanarCase {
  // empty if the contact's matrix is given instead
  std::optional<impact::PlanarMechanism> mechanism;
  Vec2 u = Vec2::Zero();  // rad/s
  impact::PlanarContact contact;
  impact::Surface surface;  // with the law of `cor`, or else the energetic law
};

struct SpatialCase {
  impact::SpatialContact contact;
  impact::Surface surface;
};

struct CollisionCase {
  VecX masses;                                // kg
  VecX v0;                                    // m/s
  std::vector<std::pair<int, int>> contacts;  // bodies a, b along the line; -1 is fixed
  impact::Collision collision;
};

struct ImpactCase {
  std::string file;
  std::string name;
  std::variant<PlanarCase, SpatialCase, CollisionCase> what;
};

struct ImpactInput {
  std::vector<ImpactCase> cases;
  int num_passed_over = 0;
};

// Adds the cases of a file to *input, and every problem found to `problems`, one line each.
void read_impact_cases(const std::string& file, ImpactInput* input,
                       std::vector<std::string>* problems);

}  // namespace tenpin::app
