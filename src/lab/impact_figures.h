// Pictures of impacts: paths in the velocity plane and in velocity space, work against impulse.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "impact/planar.h"
#include "impact/spatial.h"
#include "lab/experiment.h"

namespace tenpin::lab {

struct PlanarPicture {
  impact::PlanarContact contact;
  impact::Surface surface;
  impact::PlanarImpact impact;
  // contact velocity (t, n) = J u: the figure is drawn in the plane of u if J is regular
  std::optional<Mat2> J;
  bool with_directions = false;  // the normal and the friction part of the first slope
  // the first slope, continued beyond the point where the path leaves it
  bool with_first_line = false;
};

// Draws the path in the velocity plane. Points: a start, b slip ends in compression, c compression
// ends, d slip ends in restitution, e end.   [M11, Fig. 2.2]-[M11, Fig. 2.9]
[[nodiscard]] Figure draw_velocity_plane(const PlanarPicture& picture, const std::string& caption);

// Draws the work of the normal impulse, of friction, and of both.   [M11, Fig. 2.6]
[[nodiscard]] Figure draw_planar_energy(const PlanarPicture& picture, const std::string& caption);

struct SpatialPicture {
  impact::SpatialContact contact;
  impact::Surface surface;
  impact::SpatialImpact impact;
  std::span<const impact::SpatialPoint> trace;
};

// Draws the flow of slip for this body and friction, with the rays and the path of this impact.
// [MC95, Fig. 3]
[[nodiscard]] Figure draw_slip_flow(const SpatialPicture& picture, const std::string& caption);

// Draws the path in velocity space with the plane of maximum compression, for this friction (B), a
// third of it (A) and three times it (C).   [MC95, Fig. 4]
[[nodiscard]] Figure draw_velocity_space(const SpatialPicture& picture, const std::string& caption);

[[nodiscard]] Figure draw_spatial_energy(const SpatialPicture& picture, const std::string& caption);

}  // namespace tenpin::lab
