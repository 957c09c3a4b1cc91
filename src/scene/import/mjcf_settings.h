// The settings of <compiler> and <option> in an MJCF file, and the notation of poses under them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "math/pose.h"
#include "scene/import/model_text.h"

namespace tenpin::scene::mjcf {

struct Settings {
  double angle_unit = 0.0;  // rad   of every angle in the file
  std::string euler_sequence = "xyz";
  std::string mesh_folder;
  bool strip_path = false;
  bool auto_limits = true;
  enum class InertiaFromGeoms {
    kNever,
    kAlways,
    kWhereNoneIsGiven
  } inertia_from_geoms = InertiaFromGeoms::kWhereNoneIsGiven;
  std::array<int, 2> inertia_groups = {0, 5};
  bool balance_inertia = false;
  bool exact_mesh_inertia = false;
  double least_mass = 0.0;     // kg
  double least_inertia = 0.0;  // kg m^2
  double total_mass = -1.0;    // kg   total mass to scale to; not positive: no scaling

  double timestep = 0.002;           // s
  Vec3 gravity = {0.0, 0.0, -9.81};  // m/s^2
  // Parts of the physics that a model may switch off.
  struct Physics {
    bool contact = true, limits = true, friction_loss = true, equality = true, springs = true,
         actuation = true, filter_parent = true;
  } physics;

  // Settings of attached models, by the index of their files: what <compiler> says about units,
  // folders and the like applies to one model alone.
  std::map<int, std::shared_ptr<const Settings>> of_file;
  // The settings that apply to an element.
  [[nodiscard]] const Settings& at(const Element& element) const;
};

// Reads all <compiler> and <option> elements of the root; later ones override earlier ones.
[[nodiscard]] Settings read_settings(const Element& root);

// Reads any of quat, axisangle, euler, xyaxes, zaxis; returns the identity if there is none.
[[nodiscard]] Mat3 read_turn(const Element& element, const Settings& settings);
// Reads `pos` and an orientation.
[[nodiscard]] Pose read_pose(const Element& element, const Settings& settings);

// The smallest rotation that turns z to the direction of a vector; it is about x if the direction
// is -z.
[[nodiscard]] Mat3 turn_z_to(const Vec3& direction);

}  // namespace tenpin::scene::mjcf
