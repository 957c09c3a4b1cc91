// The admissible reactions of one contact whose mode (stick or slide) is known.
#pragma once

#include <span>

#include "math/types.h"

namespace tenpin::complementarity::cone {

// Components along the normal, two tangents and spin. Rows that a contact does not have are zero.
using Reaction = Eigen::Vector4d;
using ReactionBlock = Eigen::Matrix4d;

struct ReactionSet {
  enum class Kind : unsigned char {
    kRay,       // non-negative multiples of `ray`: a sliding contact
    kCone,      // |r_T| <= mu r_N, round; with mu = 0 only the normal remains
    kPolygon,   // the pyramid whose edges are (1, mu d) for each d of `directions`
    kInterval,  // |r_T1| <= bound without a normal: a joint with dry friction
  };
  Kind kind = Kind::kCone;
  int num_rows = 3;
  double mu = 0.0;                   // -
  double bound = 0.0;                // in the units of the reaction
  Reaction ray = Reaction::Zero();   // -
  std::span<const Vec2> directions;  // unit, equally spaced, at least three
};

// The point of the set nearest to x, and its derivative by x (a symmetric matrix).
struct Projection {
  Reaction point = Reaction::Zero();
  ReactionBlock slope = ReactionBlock::Zero();
  bool is_inside = false;  // x is in the set, and the slope is that of the linear hull
};
[[nodiscard]] Projection project(const ReactionSet& set, const Reaction& x);

// The projection onto the linear hull of the set, the span of its members.
[[nodiscard]] ReactionBlock calc_span(const ReactionSet& set);

}  // namespace tenpin::complementarity::cone
