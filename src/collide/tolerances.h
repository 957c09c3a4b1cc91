// Thresholds and limits of this module, by the file that uses them: unit, value, what they decide,
// and why where that was measured or derived; the others are chosen.
#pragma once

namespace tenpin::collide {

// Of box_box.cpp.

// -   Sine between two edges of boxes: below it, their cross product is no direction.
inline constexpr double kParallelBoxEdges = 1e-9;
// -   Sine between two edges of boxes: below it, their cross product loses digits.
inline constexpr double kSteepEdges = 1e-3;

// Of broad_phase.cpp.

// Entries that one task sorts.
inline constexpr int kSortedPiece = 512;

// Of closest_features.cpp.

// Changes of features in one query, before distances are computed from scratch.
inline constexpr int kMaxFeatureSteps = 200;
// -   Of the size: residuals of a witness up to this are rounding, and a gap that it proves is
// exact.
inline constexpr double kWitnessRounding = 2e-13;

// Of core.cpp.

// Directions that estimate how far a walk over a mesh goes: enough for its order of magnitude.
inline constexpr int kWalkSamples = 16;

// Of ellipsoid_pairs.cpp.

// Rounds of Newton and other features for an ellipsoid: a handful separates the start from the
// end.
inline constexpr int kMaxFeatureRounds = 10;
// At most this many halvings of such a step.
inline constexpr int kMaxDirectionHalvings = 12;
// rad   Of such a step: Newton's model is local.
inline constexpr double kLongestTurn = 0.5;
// rad   A Newton step over directions that is shorter ends the search.
inline constexpr double kSettledDirection = 2e-16;

// Of epa.cpp.

// -   Of the size: a facet this close to the surface is a good start for refining the direction.
inline constexpr double kNearSurface = 0.01;

// Of face_cylinder.cpp.

// Bisections of an angle on a rim: down to rounding.
inline constexpr int kRimHalvings = 52;

// Of face_polytope.cpp.

// -   Slope: a face of a polytope that looks away by more is not edge-on.
inline constexpr double kSeenEdgeOn = -0.02;
// Steeper faces are seen edge-on, so no corner is below them.
inline constexpr double kNoCornerBelow = -1e-6;
// rad   Between a face of a polytope and the region on which it lies.
inline constexpr double kFlatFace = 1e-2;
// rad   Between an edge of that face and an edge of the region, along which it goes.
inline constexpr double kStraightEdge = 1e-5;

// Of refine.cpp.

// -   Of the size: rounding of a separation.
inline constexpr double kSeparationRounding = 2e-15;
// -   Of the size: edges this flat may touch at either end.
inline constexpr double kFlatEdge = 1e-9;
// -   Sine: below it, a cross product is rounding.
inline constexpr double kParallelDirections = 1e-13;
// Newton's steps and better directions reveal other features; a few rounds settle this.
inline constexpr int kMaxRefinements = 6;

// Of rim_rim.cpp.

// At most this many steps of Newton's method for the closest points of two rims.
inline constexpr int kMaxRimSteps = 20;
// rad   Of one such step: Newton's model is local.
inline constexpr double kMaxRimTurn = 0.5;
// rad   A step that changes less ends the method.
inline constexpr double kSettledRim = 1e-15;

// Of round_pairs.cpp.

// -   Of squared distances: a smaller difference is rounding.
inline constexpr double kEqualDistance = 1e-14;

// Of separation.cpp.

// -   Of the size: at smaller gaps, rounding decides the direction between the closest points.
inline constexpr double kNearlyTouching = 1e-6;

}  // namespace tenpin::collide
