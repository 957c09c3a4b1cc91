// Names for the features of a shape that touch. They depend on the shape alone, so they do not
// change while the same features touch; manifold.h documents them.
#pragma once

#include <cstdint>

namespace tenpin::collide {

enum class FeatureKind : std::uint32_t {
  kVertex =
      0,      // of a box, a polyhedron; the centre of a sphere or bowl (0); a capsule's ends (0, 1)
  kEdge = 1,  // of a box, a polyhedron; the axis of a capsule (0)
  kFace = 2,  // of a box, a polyhedron; the half space (0); the caps of a cylinder (0, 1)
  kRim = 3,   // the extreme point of a cylinder's rim: bottom (0), top (1)
  kRimMark = 4,   // a fixed point of a cylinder's rim: 8 * rim + k, at k * 45 degrees from x
  kRimCross = 5,  // where a rim crosses a boundary: 4 * rim + k
  kSide = 6,      // the generator of a cylinder that touches (0)
  kSmooth = 7,    // the point of an ellipsoid that touches (0); in a bowl, near the negative (0) or
                  // positive (1) end of its longest axis
};

// A feature is encoded as kind * 2^28 + index.
inline constexpr int kFeatureIndexBits = 28;

inline constexpr int kNumRimMarks = 8;
inline constexpr int kCrossingsPerRim = 4;

constexpr std::uint32_t make_feature(FeatureKind kind, int index) {
  return (static_cast<std::uint32_t>(kind) << kFeatureIndexBits) |
         static_cast<std::uint32_t>(index);
}
constexpr FeatureKind feature_kind(std::uint32_t feature) {
  return static_cast<FeatureKind>(feature >> kFeatureIndexBits);
}
constexpr int feature_index(std::uint32_t feature) {
  return static_cast<int>(feature & ((1U << kFeatureIndexBits) - 1U));
}

}  // namespace tenpin::collide
