// Pairs of shapes in general and in awkward positions, the same for the same seed.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>

#include "math/pose.h"
#include "shapes/shape.h"

namespace tenpin::collide {

struct ShapePair {
  shapes::Shape A;
  Pose X_WA;
  shapes::Shape B;
  Pose X_WB;
  double size = 1.0;  // m   the larger of both; errors are relative to it
  // m   Nearly coplanar vertices make one face of a polyhedron, and lie up to this far off its
  // plane (at most kHullTolerance of its size). What is judged by planes is known to this only.
  double unevenness = 0.0;
};

enum class ShapeKind {
  kSphere,
  kBox,
  kCapsule,
  kCylinder,
  kPlane,
  kPolyhedron,
  kRoundedBox,
  kEllipsoid,
  kCone
};
inline constexpr int kNumShapeKinds = 9;
inline constexpr const char* kShapeKindNames[] = {"Sphere",     "Box",       "Capsule",
                                                  "Cylinder",   "Plane",     "Polyhedron",
                                                  "RoundedBox", "Ellipsoid", "Cone"};

class PairMaker {
 public:
  // Different for each test_seed().
  explicit PairMaker(unsigned stream);

  // Lengths of `scale`, drawn out by up to sqrt(1000) either way.
  [[nodiscard]] shapes::Shape make_shape(ShapeKind kind, double scale);
  // Any rotation, or a multiple of 90 degrees about an axis with noise of 1e-15 ... 1e-6 rad or
  // none.
  [[nodiscard]] Mat3 make_rotation();
  // A pair whose signed distance is drawn from exact contact, tiny and large gaps and overlaps.
  [[nodiscard]] ShapePair make_pair(ShapeKind A, ShapeKind B);

  double uniform(double low, double high);
  Vec3 make_direction();
  int pick(int count) { return static_cast<int>(uniform(0.0, count)); }

 private:
  double stretch();
  std::mt19937_64 random_;
};

[[nodiscard]] double calc_size(const shapes::Shape& shape);

// The largest distance of a face's vertex from its plane; 0 unless a polyhedron.
[[nodiscard]] double calc_unevenness(const shapes::Shape& shape);

// Multiplies the number of random cases: TENPIN_TEST_SCALE, default 1.
inline int test_scale() {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  return scale != nullptr ? std::max(1, std::atoi(scale)) : 1;
}

// Other random cases: TENPIN_TEST_SEED, default 0.
inline unsigned test_seed() {
  const char* seed = std::getenv("TENPIN_TEST_SEED");
  return seed != nullptr ? static_cast<unsigned>(std::strtoul(seed, nullptr, 10)) : 0;
}

}  // namespace tenpin::collide
