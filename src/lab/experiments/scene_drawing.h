// Drawings of the bodies of a scene.
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

// The plane of a picture: parallel projection along right x up, which points towards the viewer.
struct Camera {
  Vec3 right = Vec3::UnitX();  // unit vector
  Vec3 up = Vec3::UnitZ();     // unit vector, perpendicular to `right`

  Vec3 towards() const { return right.cross(up); }
};

[[nodiscard]] Camera look_down();
// A camera at that elevation above the horizon, rotated by `azimuth` from the view along y.   rad
[[nodiscard]] Camera look_from(double azimuth, double elevation);

// The common view of a series of drawings, so that these can be compared.
struct View {
  Range x, z;  // m   across the picture and up
};

// A view of everything in the scene except planes, at all these poses, with a small margin.
[[nodiscard]] View calc_view(const dynamics::Model& model,
                             const std::vector<std::vector<Pose>>& poses,
                             const Camera& camera = {});

// Draws the bodies of a planar scene as outlines, seen along y; planes are lines across the view.
[[nodiscard]] Plot draw_bodies(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                               const View& view);

// Makes an arrow along a contact's normal, starting at the contact, as seen along y.
[[nodiscard]] Arrow draw_normal(const Vec3& position, const Vec3& normal, const View& view);

// Some moments of a motion.
struct Moments {
  std::vector<double> t;                 // s
  std::vector<std::vector<Pose>> poses;  // X_WB of all bodies at each moment
  Camera camera;
  std::vector<std::string> hidden;  // names of bodies that are left out
  std::optional<double> floor;      // m   height of the square; default: that of the scene's plane
};

// Draws solid bodies side by side, one picture per moment. Fixed bodies are drawn first, then
// moving ones, from far to near. A horizontal plane is a square below them; seen from the side,
// every plane is a line.
[[nodiscard]] Figure draw_moments(const dynamics::Model& model, const Moments& moments,
                                  const std::string& caption);

}  // namespace tenpin::lab::experiments
