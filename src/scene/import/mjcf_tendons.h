// Fixed tendons: sums of joint coordinates that springs, limits and actuators act on.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// A coordinate of the scene that a length depends on: length = constant + slope * coordinate.
struct Lever {
  int joint = 0;  // index into Tree::joints
  double constant = 0.0;
  double slope = 1.0;
};

// length = sum of coefficient * coordinate, in MJCF's coordinates.
struct Tendon {
  struct Term {
    int joint = 0;  // index into Tree::joints
    double coefficient = 0.0;
  };
  std::vector<Term> terms;
  // The one coordinate that all of its joints follow because of equalities; empty if they move
  // independently of each other.
  std::optional<Lever> lever;
};

// Reads the fixed tendons. Springs, dampers, dry friction and limits are applied to the joint that
// the others follow. Notes list what cannot be used, including spatial tendons.
[[nodiscard]] std::map<std::string, Tendon> read_tendons(const Element& root,
                                                         const Settings& settings,
                                                         const Defaults& defaults, Tree* tree);

}  // namespace tenpin::scene::mjcf
