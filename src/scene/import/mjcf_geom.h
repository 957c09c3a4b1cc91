// A <geom>: what it looks like, weighs, touches.
#pragma once

#include <optional>
#include <string>

#include "scene/import/mjcf_assets.h"
#include "scene/import/mjcf_settings.h"
#include "scene/import/mjcf_surfaces.h"
#include "scene/import/robot.h"

namespace tenpin::scene::mjcf {

struct Geom {
  std::optional<RobotPart> part;  // placed in the link; nothing if it is bad or flat and only drawn
  MassProperties mass;            // in the link
  int group = 0;
  std::string colour;
  Surface surface;
};

struct GeomContext {
  const Settings& settings;
  Assets* assets;
  Pose X_LF;               // of the frame that the geom stands in, in the link
  bool is_static = false;  // the link does not move, and has no need of mass
  bool needs_mass = true;  // the link has no <inertial> that counts
};

// `geom` has its defaults. Problems are added to the model.
[[nodiscard]] Geom read_geom(const Element& geom, const GeomContext& context);

// The corners that stand for an ellipsoid: on it, its poles and semiaxes among them.
[[nodiscard]] std::vector<Vec3> make_ellipsoid_points(const Vec3& semiaxes);

}  // namespace tenpin::scene::mjcf
