// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

namespace tenpin::contact {

// Of cap_contacts.cpp.

// -   Of the size: the narrow phase treats less as rounding.
inline constexpr double kSamePoint = 1e-11;

// Of chosen_normal.cpp.

// rad   Between two edges that have no common normal.
inline constexpr double kParallelEdges = 1e-6;

// Of core_curve.cpp.

// At most this many rounds of the search for a point of a core's outline.
inline constexpr int kMaxCurveRounds = 20;
// -   Of the distances from the origin.
inline constexpr double kCurveRounding = 4e-16;

// Of finder.cpp.

// Pairs that a worker examines at a time.
inline constexpr int kPairsAtATime = 256;
// -   Cosine or sine: a plane of motion is perpendicular to a normal, or parallel to another
// plane.
inline constexpr double kParallelAxis = 1e-9;

// Of joint_contacts.cpp.

// rad, m   From a joint's stop: a contact is made, whatever the joint's speed.
inline constexpr double kNearStop = 1e-2;

// Of passage_check.cpp.

// At most this many halvings of the way of one pair; beyond that it counts as passed.
inline constexpr int kMaxPassageHalvings = 100000;

// Of smooth_contact.cpp.

// At most this many steps of Newton's method for the common normal of two smooth surfaces.
inline constexpr int kMaxSmoothSteps = 20;
// rad   A step of Newton's method that turns the normal by less ends it.
inline constexpr double kSettledNormal = 4e-16;

// Of sparse_rank.cpp.

// -   Rows have unit length. Columns shorter than this after elimination count as dependent.
inline constexpr double kDependentColumn = 1e-9;

// Of sweep.cpp.

// -   Of a pair's thickness. In a head-on hit, the normal at the end points back along the
// approach for ways up to 1; half of that leaves a margin for oblique hits.
inline constexpr double kSweptShare = 0.5;
// rad   A smaller turn leaves paths straight.
inline constexpr double kSmallTurn = 1e-6;

// Of track.cpp.

// -   Cosine between a contact's normal and that of its features.
inline constexpr double kSameNormal = 0.998;

// Of uniqueness.cpp.

// -   Of the largest entry of a null vector: smaller entries count as zero. One refinement leaves
// errors of 1e-10.
inline constexpr double kZeroEntry = 1e-6;

}  // namespace tenpin::contact
