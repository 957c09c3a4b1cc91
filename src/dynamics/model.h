// Everything about a mechanism that does not change while it moves.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "math/pose.h"
#include "math/types.h"
#include "shapes/shape.h"

namespace tenpin::dynamics {

// How a body hangs from its parent, and what its coordinates mean. B is the body's frame at its
// centre of mass.
//   joint        q                        v
//   kFree        p_WB (3), quaternion (4)  velocity of the centre of mass (3), w_WB_W (3)
//   kPlanar      x, y, angle               their rates
//   kFixed       -                         -
//   kPrescribed  -                         -      pose and velocity are functions of time
enum class JointType { kFree, kPlanar, kFixed, kPrescribed };

[[nodiscard]] constexpr int num_positions(JointType type) {
  return type == JointType::kFree ? 7 : type == JointType::kPlanar ? 3 : 0;
}
[[nodiscard]] constexpr int num_velocities(JointType type) {
  return type == JointType::kFree ? 6 : type == JointType::kPlanar ? 3 : 0;
}

inline constexpr int kWorld = -1;  // parent of a tree's root

struct Joint {
  JointType type = JointType::kFree;
  int parent = kWorld;  // body index; always less than the body's own
  int q_begin = 0;      // first of its coordinates in State::q
  int v_begin = 0;      // and in State::v

  // kPlanar: X_WB = X_WJ * (translation (x, y, 0), rotation by angle about z) * X_JB.
  // kFixed:  X_WB = X_WJ.      kPrescribed: X_WB = X_WJ at t = 0.
  Pose X_WJ;
  Pose X_JB;
};

// Constant velocities plus a swing along a line.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();          // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   world axes, about the moving pivot
  Vec3 pivot = Vec3::Zero();             // m       of the rotation, at t = 0, world frame
  Vec3 amplitude = Vec3::Zero();         // m       of amplitude * sin(2 pi frequency t)
  double frequency = 0.0;                // 1/s
};

// Forces that depend smoothly on the state, summed over what a scene lists.
struct AppliedForce {
  Vec3 force = Vec3::Zero();   // N          at the centre of mass, world axes
  Vec3 torque = Vec3::Zero();  // N m        world axes
  double viscous = 0.0;        // N s/m      force -c v
  double viscous_spin = 0.0;   // N m s      torque -c w
  double drag = 0.0;           // N s^2/m^2  force -c |v| v
};

struct Body {
  std::string name;
  Joint joint;
  double mass = 0.0;             // kg       0 for bodies that no force moves
  Mat3 inertia = Mat3::Zero();   // kg m^2   about the centre of mass, body axes
  Quat q_BP = Quat::Identity();  // -        principal axes in the body
  Vec3 moments = Vec3::Zero();   // kg m^2   about them
  Vec3 p_BO = Vec3::Zero();      // m        the scene's origin of the body, from the centre of mass
  PrescribedMotion motion;
  AppliedForce applied;
  int material = 0;     // index into Model::materials
  int parts_begin = 0;  // its shapes are Model::parts[parts_begin .. parts_end)
  int parts_end = 0;

  bool is_mobile() const { return num_velocities(joint.type) > 0; }
};

// One convex piece of a body, in the body's frame B.
struct Part {
  int body = 0;
  shapes::PlacedShape placed;
};

// Surface properties, before two of them are mixed.
struct Material {
  std::string name;
  double mu_along = 0.0;        // -   along `axis` (or everywhere, when isotropic)
  double mu_across = 0.0;       // -
  Vec3 axis = Vec3::Zero();     // -   body frame; zero when isotropic
  double torsion = 0.0;         // m
  double mu_static = 0.0;       // -   Stribeck; equal to mu_along when there is none
  double stribeck_speed = 0.0;  // m/s
  double viscous = 0.0;         // N s/m
  double restitution = 0.0;     // -
};

// What the contact of two materials is like; one per unordered pair, see Model::surface().
struct Surface {
  double mu_along = 0.0;
  double mu_across = 0.0;
  double torsion = 0.0;
  double mu_static = 0.0;
  double stribeck_speed = 0.0;
  double viscous = 0.0;
  double restitution = 0.0;
};

struct Model {
  Vec3 gravity = Vec3::Zero();  // m/s^2
  std::vector<Body> bodies;     // parents before children
  std::vector<Part> parts;      // grouped by body
  std::vector<Material> materials;
  std::vector<Surface> surfaces;  // materials.size() squared, row-major
  int nq = 0;
  int nv = 0;

  const Surface& surface(int material_a, int material_b) const {
    return surfaces[material_a * materials.size() + material_b];
  }
  int num_bodies() const { return static_cast<int>(bodies.size()); }
};

}  // namespace tenpin::dynamics
