// The outline of a flat face in its own plane: a polygon, a disc, or the whole plane.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collide/core.h"
#include "math/types.h"

namespace tenpin::collide {

// The part of a segment inside a region: from x0 + enter (x1 - x0) to x0 + leave (x1 - x0).
struct Clip {
  bool inside = false;
  double enter = 0.0;
  double leave = 1.0;
  std::uint32_t enter_feature = 0;  // the boundary crossed; undefined if enter is 0
  std::uint32_t leave_feature = 0;  // the same; undefined if leave is 1
  int enter_edge = -1;              // edge of a polygon that is crossed
  int leave_edge = -1;
};

// A face on which other shapes rest, with its own coordinates (u, v) in the plane.
class Region {
 public:
  enum class Kind { kPlane, kPolygon, kDisc };

  void set_plane();
  void set_face(const Core& core, int face);

  Kind kind() const { return kind_; }
  const Vec3& normal() const { return normal_; }     // -   outward, frame of the shape
  double offset() const { return offset_; }          // m
  double unevenness() const { return unevenness_; }  // m   how far corners may lie below the plane
  std::uint32_t feature() const { return feature_; }
  double radius() const { return radius_; }  // m   of a disc about the origin
  double calc_size() const;                  // m   infinite for the plane

  Vec2 project(const Vec3& x) const { return {u_.dot(x), v_.dot(x)}; }
  Vec3 lift(const Vec2& x) const { return x.x() * u_ + x.y() * v_ + offset_ * normal_; }

  // Points that are outside by less than `tolerance` count as inside.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  bool contains(const Vec2& x) const;
  Clip clip(const Vec2& x0, const Vec2& x1) const;

  // Corners of the polygon, or the fixed points of the disc's rim.
  const std::vector<Vec2>& corners() const { return corners_; }
  std::uint32_t corner_feature(int i) const { return corner_features_[i]; }
  std::uint32_t edge_feature(int i) const { return edge_features_[i]; }  // from corner i to i + 1
  const Vec2& edge_normal(int i) const { return edge_normals_[i]; }      // -   outward

 private:
  void set_axes(const Vec3& normal);
  Clip clip_polygon(const Vec2& x0, const Vec2& x1) const;
  Clip clip_disc(const Vec2& x0, const Vec2& x1) const;

  Kind kind_ = Kind::kPlane;
  Vec3 normal_ = Vec3::UnitZ();
  Vec3 u_ = Vec3::UnitX();
  Vec3 v_ = Vec3::UnitY();
  double offset_ = 0.0;
  double unevenness_ = 0.0;
  double radius_ = 0.0;
  double tolerance_ = 0.0;
  int rim_ = 0;
  std::uint32_t feature_ = 0;
  std::vector<Vec2> corners_;
  std::vector<Vec2> edge_normals_;  // -   outward unit
  std::vector<std::uint32_t> corner_features_;
  std::vector<std::uint32_t> edge_features_;
};

// Fixed point k of a cylinder's rim with radius 1, at k * 45 degrees from the x axis.
[[nodiscard]] Vec2 rim_mark(int k);

}  // namespace tenpin::collide
