// A robot in the form that URDF and MJCF share, as an intermediate step to a Scene: links connected
// by any number of joints, and their parts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "math/pose.h"
#include "scene/import/mass_sum.h"
#include "scene/import/model_text.h"
#include "scene/scene.h"

namespace tenpin::scene {

struct RobotJoint {
  std::string name;
  JointKind kind =
      JointKind::kHinge;       // kFree (alone, on a link of the world), kHinge, kSlider, kBall
  JointProperties properties;  // in the link's frame
  Vec3 free_velocity = Vec3::Zero();  // m/s    kFree, at time 0, world axes
  Vec3 free_spin = Vec3::Zero();      // rad/s  kFree, at time 0, world axes
};

struct RobotPart {
  std::string name;
  shapes::PlacedShape placed;  // in the link's frame
  MeshFile file;
  PartOptions options;
};

struct Link {
  std::string name;
  int parent = kWorld;             // index into Robot::links, less than the link's own
  Pose X_PL;                       // of the link in its parent, joints at 0
  std::vector<RobotJoint> joints;  // from the parent outwards; none: fixed to the parent
  std::vector<RobotPart> parts;
  std::vector<Visual> visuals;  // in the link's frame
  MassProperties mass;          // in the link's frame
  double lift = 0.0;            // -   fraction of its weight that is compensated
  std::string colour;
  bool touches_parent = false;
  int element = 0;  // its element in the model
};

// The place of a link in the scene: rigidly attached to a body.
struct Mount {
  int body = kWorld;  // index into Scene::bodies
  Pose X_BL;          // of the link in that body
  int first_part = 0;
};

struct Robot {
  std::vector<Link> links;  // parents before children

  // Filled by add_bodies.
  std::vector<Mount> mounts;                 // per link
  std::vector<std::vector<int>> joint_body;  // the body that each joint of each link moves
};

// Adds the links to the scene as bodies. A link with several joints becomes a chain of massless
// bodies `name~1`, `name~2`, ... followed by the link itself. A link fixed to a moving link becomes
// part of that link's body. A link fixed to the world remains a separate body if it has parts.
// Masses are checked here, because only here it is known which bodies move.
void add_bodies(ModelText* text, Robot* robot, Scene* scene);

// Makes a colour "#rrggbb" from at least three components, 0 to 1.
[[nodiscard]] std::string make_colour(std::span<const double> rgba);

// Converts a name to one that the scene format accepts: no '/', no '..', no blanks at the ends.
[[nodiscard]] std::string make_scene_name(const std::string& name);

}  // namespace tenpin::scene
