// Reads a <geom>: its shape, mass and contact properties.
#pragma once

#include <optional>
#include <string>

#include "scene/import/mjcf_assets.h"
#include "scene/import/mjcf_settings.h"
#include "scene/import/mjcf_surfaces.h"
#include "scene/import/robot.h"

namespace tenpin::scene::mjcf {

struct Geom {
  std::optional<RobotPart>
      // placed in the link; empty if it is invalid, or flat and only drawn
      part;
  MassProperties mass;           // in the link
  std::optional<Visual> visual;  // in the link, if MuJoCo's viewer would show it
  bool is_only_drawn = false;    // touches nothing
  int group = 0;
  std::string colour;
  Surface surface;
};

struct GeomContext {
  const Settings& settings;
  Assets* assets;
  Pose X_LF;               // pose in the link of the frame that contains the geom
  bool is_static = false;  // true if the link does not move, so that it needs no mass
  bool needs_mass = true;  // true if the link has no <inertial> that applies
};

// Expects `geom` with its defaults applied. Adds problems to the model.
[[nodiscard]] Geom read_geom(const Element& geom, const GeomContext& context);

}  // namespace tenpin::scene::mjcf
