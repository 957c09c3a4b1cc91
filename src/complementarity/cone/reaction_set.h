// The reactions that one contact may have once it is known what it does: whether it sticks or
// slides.
#pragma once

#include <span>

#include "math/types.h"

namespace tenpin::complementarity::cone {

// Along the normal, two tangents and spin. Rows that a contact does not have stay zero.
using Reaction = Eigen::Vector4d;
using ReactionBlock = Eigen::Matrix4d;

struct ReactionSet {
  enum class Kind : unsigned char {
    kRay,       // multiples of `ray` that press: a contact that slides
    kCone,      // |r_T| <= mu r_N, round; mu = 0 leaves the normal alone
    kPolygon,   // the pyramid whose edges are (1, mu d) for each d of `directions`
    kInterval,  // |r_T1| <= bound without a normal: a joint with dry friction
  };
  Kind kind = Kind::kCone;
  int num_rows = 3;
  double mu = 0.0;                   // -
  double bound = 0.0;                // as the reaction
  Reaction ray = Reaction::Zero();   // -
  std::span<const Vec2> directions;  // unit, equally spaced, at least three
};

// The point of the set that is nearest to x, and how it moves with x (a symmetric matrix).
struct Projection {
  Reaction point = Reaction::Zero();
  ReactionBlock slope = ReactionBlock::Zero();
  bool is_inside = false;  // the slope is that of the linear hull
};
[[nodiscard]] Projection project(const ReactionSet& set, const Reaction& x);

// The projection on the linear hull of the set: what all its members span.
[[nodiscard]] ReactionBlock calc_span(const ReactionSet& set);

}  // namespace tenpin::complementarity::cone
