// The bodies of an MJCF file with their joints, geoms and sites.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scene/import/mjcf_assets.h"
#include "scene/import/mjcf_defaults.h"
#include "scene/import/mjcf_joint.h"
#include "scene/import/mjcf_settings.h"
#include "scene/import/mjcf_surfaces.h"
#include "scene/import/robot.h"

namespace tenpin::scene::mjcf {

struct JointRecord {
  int link = 0;
  int number = 0;                 // position among the link's joints
  double reference = 0.0;         // see Joint
  double spring_reference = 0.0;  // rad, m   MJCF's coordinate where the joint's own spring rests
  double motor_limit = kNoLimit;  // see Joint
  int element = 0;
};

struct Tree {
  Robot robot;                      // links[0] is the world
  std::vector<JointRecord> joints;  // in the order of their coordinates
  std::vector<Pose> X_WL;           // of each link at the reference coordinates
  std::map<std::string, int> link_named;
  std::map<std::string, int> joint_named;  // index into joints
  struct GeomPlace {
    int link = 0;
    int part = 0;  // position among the link's parts
    Surface surface = {};
  };
  std::map<std::string, GeomPlace> geom_named;
  struct SitePlace {
    int link = 0;
    Pose X_LS = {};
    int element = 0;  // marked as read when something uses the site
  };
  std::map<std::string, SitePlace> site_named;

  RobotJoint& joint(const JointRecord& record) {
    return robot.links[static_cast<std::size_t>(record.link)]
        .joints[static_cast<std::size_t>(record.number)];
  }
};

struct TreeContext {
  const Settings& settings;
  const Defaults& defaults;
  Assets* assets;
  Surfaces* surfaces;
  std::int64_t max_bodies = 0;
};

// Reads all <worldbody> elements of the root. Throws LimitError.
[[nodiscard]] Tree read_tree(const Element& root, const TreeContext& context);

}  // namespace tenpin::scene::mjcf
