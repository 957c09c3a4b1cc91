// The bodies of a scene as drawings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "lab/experiment.h"
#include "lab/svg_plot.h"
#include "math/pose.h"

namespace tenpin::lab::experiments {

// The plane of a picture: parallel projection along right x up, which points to the eye.
struct Camera {
  Vec3 right = Vec3::UnitX();  // unit vector
  Vec3 up = Vec3::UnitZ();     // unit vector, perpendicular to `right`

  Vec3 towards() const { return right.cross(up); }
};

[[nodiscard]] Camera look_down();
// From that height above the horizon, and turned by `azimuth` from the view along y.   rad
[[nodiscard]] Camera look_from(double azimuth, double elevation);

// What is seen in all drawings of a series, so that they can be compared.
struct View {
  Range x, z;  // m   across the picture and up
};

// Everything of the scene but planes, at all those poses, and a little more.
[[nodiscard]] View calc_view(const dynamics::Model& model,
                             const std::vector<std::vector<Pose>>& poses,
                             const Camera& camera = {});

// Bodies of a planar scene, seen along y, as outlines; planes are lines across the view.
[[nodiscard]] Plot draw_bodies(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                               const View& view);

// An arrow along a contact's normal, from the contact; seen along y.
[[nodiscard]] Arrow draw_normal(const Vec3& position, const Vec3& normal, const View& view);

// Some moments of a motion.
struct Moments {
  std::vector<double> t;                 // s
  std::vector<std::vector<Pose>> poses;  // X_WB of all bodies, at each
  Camera camera;
  std::vector<std::string> hidden;  // names of bodies that are left out
  std::optional<double> floor;      // m   height of the square; default: the scene's plane
};

// Solid bodies side by side, one picture per moment. Bodies that stand still are drawn first, then
// those that move, far ones before near ones. A horizontal plane is a square below them, and seen
// from the side every plane is a line.
[[nodiscard]] Figure draw_moments(const dynamics::Model& model, const Moments& moments,
                                  const std::string& caption);

}  // namespace tenpin::lab::experiments
