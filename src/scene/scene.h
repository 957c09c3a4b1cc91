// A scene as its file says it: plain data, checked, before any mechanics. See docs/scene-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "math/pose.h"
#include "scene/options.h"
#include "shapes/shape.h"

namespace tenpin::scene {

// Friction that differs along and across a direction of the surface. A contact between two
// materials takes the geometric mean of each coefficient and the larger restitution, unless `pairs`
// says otherwise.
struct Friction {
  double along = 0.5;           // -   Coulomb coefficient along `axis`
  double across = 0.5;          // -   and across it; equal to `along` when isotropic
  Vec3 axis = Vec3::Zero();     // -   in the body frame; zero when isotropic
  double torsion = 0.0;         // m   radius of the contact patch: resists spin by mu * torsion * N
  double stat = 0.0;            // -   Stribeck: coefficient at zero slip; 0 = same as `along`
  double stribeck_speed = 0.0;  // m/s  slip at which half of the excess stat - along is left
  double viscous = 0.0;         // N s/m  smooth force against the slip of each touching point
};

struct Material {
  std::string name;
  Friction friction;
  double restitution = 0.0;  // -   0 ... 1
};

// Overrides the mixing rule for one pair of materials.
struct MaterialPair {
  int first = 0, second = 0;  // indices into Scene::materials
  double friction = 0.5;      // -
  double restitution = 0.0;   // -
};

// A body's way to move relative to the world. Trees of joints extend this.
enum class JointKind { kFree, kPlanar, kFixed, kPrescribed };

struct PlanarJoint {
  Vec3 x = Vec3::UnitX();  // -   the plane's axes; the angle turns x towards y
  Vec3 y = Vec3::UnitY();
};

// Moves with given velocities, whatever touches it, and swings about that motion.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();          // m/s     constant part
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   constant part, world axes, about the body origin
  Vec3 amplitude = Vec3::Zero();         // m       of amplitude * sin(2 pi frequency t)
  double frequency = 0.0;                // 1/s
};

struct Force {
  Vec3 force = Vec3::Zero();   // N     constant, world axes, at the centre of mass
  Vec3 torque = Vec3::Zero();  // N m   constant, world axes
  double viscous = 0.0;        // N s/m     -c v
  double viscous_spin = 0.0;   // N m s     -c w
  double drag = 0.0;           // N s^2/m^2  -c |v| v
};

struct MeshFile {
  std::string path;    // relative to the scene's folder
  double scale = 1.0;  // m   per unit of the file
};

struct Body {
  std::string name;
  JointKind joint = JointKind::kFree;
  PlanarJoint planar;
  PrescribedMotion motion;
  int material = 0;  // index into Scene::materials
  std::vector<shapes::PlacedShape> parts;
  std::vector<MeshFile> part_files;  // where each part came from; an empty path if not from a file
  double mass = 0.0;                 // kg       0 for fixed and prescribed bodies
  Vec3 center = Vec3::Zero();        // m        centre of mass in the body frame
  Mat3 inertia = Mat3::Zero();       // kg m^2   about the centre of mass, body axes
  Vec3 position = Vec3::Zero();      // m        of the body's origin
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          // m/s     of the body's origin
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   world axes
  std::vector<Force> forces;
  std::string colour;  // CSS colour for pictures; "" = chosen by material
  int line = 0;        // where the file speaks of it, for later errors
};

struct Record {
  double every = 0.01;  // s   time between frames; the first step at or after each multiple
  enum class Contacts { kNone, kFrames, kSteps } contacts = Contacts::kFrames;
};

struct Scene {
  std::string name;
  std::string text;                  // the file itself, kept in the run file
  std::string file;                  // its path, for errors
  Vec3 gravity = {0.0, 0.0, -9.81};  // m/s^2
  std::vector<Material> materials;   // [0] is the default one
  std::vector<MaterialPair> pairs;
  std::vector<Body> bodies;
  MethodOptions method;
  double until = 1.0;  // s
  Record record;
  std::uint64_t seed = 0;
  std::vector<std::string> notes;  // for the user, one line each: a mesh that is not convex, ...
};

}  // namespace tenpin::scene
