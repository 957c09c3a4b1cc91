// The contents of a scene file: plain data, checked, before any mechanics. See
// docs/scene-format.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/event.h"
#include "dynamics/time_curve.h"
#include "math/pose.h"
#include "scene/options.h"
#include "shapes/height_field.h"
#include "shapes/shape.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::scene {

// A general limit surface: friction per unit of load as (along, across, spin in m).
struct FrictionLimit {
  enum class Kind { kPolygon, kPolytope, kEllipsoid } kind = Kind::kPolytope;
  // the set is their hull; for kEllipsoid: three conjugate semi-axes
  std::vector<Vec3> points = {};
};

// Friction that differs along and across a direction of the surface. A contact between two
// materials takes the geometric mean of each coefficient and the larger restitution, unless `pairs`
// says otherwise.
struct Friction {
  double along = 0.5;           // -   Coulomb coefficient along `axis`
  double across = 0.5;          // -   and across it; equal to `along` if isotropic
  Vec3 axis = Vec3::Zero();     // -   in the body frame; zero if isotropic
  double torsion = 0.0;         // m   radius of the contact patch: resists spin by mu * torsion * N
  double rolling = 0.0;         // m   resists rolling by rolling * N
  double stat = 0.0;            // -   Stribeck: coefficient at zero slip; 0 = same as `along`
  double stribeck_speed = 0.0;  // m/s  slip at which half of the excess stat - along remains
  double viscous = 0.0;         // N s/m  smooth force against the slip of each touching point
  std::optional<FrictionLimit> limit;  // replaces along, across, torsion and static
};

struct Material {
  std::string name;
  Friction friction;
  double restitution = 0.0;  // -   0 ... 1
  double stiffness = 0.0;    // N/m 0: rigid
};

// Overrides the combination rule for one pair of materials.
struct MaterialPair {
  int first = 0, second = 0;  // indices into Scene::materials
  double friction = 0.5;      // -
  double restitution = 0.0;   // -
};

// How a body moves relative to its parent, which is another body or the world.
enum class JointKind { kFree, kPlanar, kFixed, kPrescribed, kHinge, kSlider, kBall };

inline constexpr int kWorld = -1;  // as a parent or an end of a loop
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

using dynamics::TimeTable;

// The time during which something acts.
struct Span {
  double begin = -std::numeric_limits<double>::infinity();  // s
  double end = std::numeric_limits<double>::infinity();     // s

  bool is_always() const { return begin == -end && end == kNoLimit; }
};

// Drives a hinge or slider. The target is target + amplitude sin(2 pi frequency t).
struct Motor {
  enum class Kind { kNone, kForce, kVelocity, kPosition } kind = Kind::kNone;
  double target = 0.0;      // N, N m; or m/s, rad/s; or m, rad
  double amplitude = 0.0;   // same unit
  double frequency = 0.0;   // 1/s
  double stiffness = 0.0;   // N/m, N m/rad        kPosition: force per position error
  double damping = 0.0;     // N s/m, N m s/rad    kVelocity, kPosition: force per velocity error
  double limit = kNoLimit;  // N, N m             largest force
  TimeTable table;          // replaces `target`; usually empty
  Span during;
};

// Properties of a hinge, slider or ball joint, in units of its coordinate: rad or m.
struct JointProperties {
  Vec3 axis = Vec3::UnitZ();  // -   of a hinge or slider, body frame
  Vec3 anchor =
      Vec3::Zero();   // m   of a hinge or ball, body frame: the point that stays on the parent
  double at = 0.0;    // rad, m      coordinate at time 0; 0 is at the body's given pose
  double rate = 0.0;  // rad/s, m/s  at time 0
  Quat ball_at =
      Quat::Identity();  // -         of a ball, relative to the body's given pose, parent axes
  Vec3 ball_rate = Vec3::Zero();  // rad/s     of a ball relative to the parent, body axes
  double lower = -kNoLimit;       // rad, m
  double upper = kNoLimit;        // rad, m      of a ball: largest angle from its given pose
  double stiffness = 0.0;         // N m/rad, N/m      of a spring
  double rest = 0.0;              // rad, m
  double damping = 0.0;           // N m s/rad, N s/m
  double friction = 0.0;          // N m, N      dry, independent of the load
  double armature = 0.0;  // kg m^2, kg  inertia that the joint moves in addition to the body
  Motor motor;
};

struct PlanarJoint {
  Vec3 x = Vec3::UnitX();  // -   the plane's axes in the parent; positive angles turn x towards y
  Vec3 y = Vec3::UnitY();
};

// Moves with given velocities relative to its parent, regardless of contacts, plus an oscillation.
// Vectors are in the axes of the parent or the world.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();          // m/s     constant part
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   constant part, about the body origin
  Vec3 amplitude = Vec3::Zero();         // m       of amplitude * sin(2 pi frequency t)
  double frequency = 0.0;                // 1/s
  TimeTable velocity_table;              // m/s     replaces `velocity`
  TimeTable position_table;              // m       displacement; replaces either
  Vec3 axis = Vec3::Zero();              // -       of the tables below; zero without them
  TimeTable rate_table;                  // rad/s   replaces angular_velocity
  TimeTable angle_table;                 // rad     replaces either
};

struct Force {
  Vec3 force = Vec3::Zero();   // N     constant, world axes, at the centre of mass
  Vec3 torque = Vec3::Zero();  // N m   constant, world axes
  double viscous = 0.0;        // N s/m     -c v
  double viscous_spin = 0.0;   // N m s     -c w
  double drag = 0.0;           // N s^2/m^2  -c |v| v
  TimeTable force_table;       // N     replaces `force`
  TimeTable torque_table;      // N m   replaces `torque`
  Span during;

  bool is_timed() const {
    return !force_table.empty() || !torque_table.empty() || !during.is_always();
  }
};

struct MeshFile {
  std::string path;                                     // relative to the scene's folder
  double scale = 1.0;                                   // m   per unit of the file
  int parts = 1;                                        // convex pieces that stand for the mesh
  int piece = 0;                                        // this one among them
  std::optional<shapes::HeightPlacement> heights = {};  // of a height field
};

// Properties of a part other than its shape. Two parts may touch if the layer of one is among the
// layers that the other touches.
struct PartOptions {
  int material = -1;                     // index into Scene::materials; -1: the body's
  std::uint32_t layer = 1;               // bits
  std::uint32_t touches = 1;             // bits
  Vec3 surface_velocity = Vec3::Zero();  // m/s   relative to the body, body axes
};

// A shape that is only drawn: it touches nothing and has no mass. A body that has such shapes is
// drawn by them instead of by its parts.
struct Visual {
  shapes::PlacedShape placed;                        // if there is a mesh, the shape has no meaning
  std::shared_ptr<const shapes::TriangleMesh> mesh;  // m   may be open; null: draw the shape
  MeshFile file;                                     // the same as for part_files
  std::string colour;                                // CSS; "" = the body's
};

struct Body {
  std::string name;
  JointKind joint = JointKind::kFree;
  int parent = kWorld;         // index into Scene::bodies, less than the body's own
  JointProperties properties;  // of kHinge, kSlider, kBall
  bool touches_parent = false;
  PlanarJoint planar;
  PrescribedMotion motion;
  int material = 0;  // index into Scene::materials
  std::vector<shapes::PlacedShape> parts;
  std::vector<MeshFile> part_files;       // source file of each part; empty path if not from a file
  std::vector<PartOptions> part_options;  // one per part
  std::vector<Visual> visuals;
  double mass = 0.0;            // kg       0 for fixed and prescribed bodies
  Vec3 center = Vec3::Zero();   // m        centre of mass in the body frame
  Mat3 inertia = Mat3::Zero();  // kg m^2   about the centre of mass, body axes
  Vec3 position =
      Vec3::Zero();  // m        of the body's origin, in the parent's frame (origin and axes)
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          // m/s     of the body's origin
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   world axes
  std::vector<Force> forces;
  std::string colour;  // CSS colour for pictures; "" = chosen by material
  std::string file;    // file that contains the body, for later errors; "" = the scene's own
  int line = 0;
};

// Closes a loop of joints: connects two bodies, or a body and the world, outside the tree of
// joints.
struct Loop {
  enum class Kind {
    kBall,      // the two anchors stay together
    kHinge,     // the same, and the two axes stay parallel
    kWeld,      // the same, and the bodies do not rotate relative to each other
    kDistance,  // the anchors stay `length` apart
    kCoupling,  // coordinate of joint a = polynomial in the coordinate of joint b
  } kind = Kind::kBall;
  std::string name;
  int body_a = kWorld;  // index into Scene::bodies; kCoupling: the bodies whose joints are coupled
  int body_b = kWorld;  // kCoupling: kWorld means a constant
  Vec3 anchor_a = Vec3::Zero();  // m   in the frame of a (or of the world)
  Vec3 anchor_b = Vec3::Zero();  // m   in the frame of b
  Vec3 axis_a = Vec3::UnitZ();   // -   kHinge
  Vec3 axis_b = Vec3::UnitZ();
  std::optional<Quat> orientation;  // -   kWeld: of b in a; if empty, that at time 0
  std::optional<double> length;     // m   kDistance; if empty, that at time 0
  std::array<double, 5> polynomial = {0.0, 1.0, 0.0, 0.0, 0.0};  // kCoupling: of q_b
  std::string file;                                              // the same as for Body
  int line = 0;
};

// Exceptions to the rules on which parts may touch.
struct BodyPair {
  int body_a = 0, body_b = 0;  // indices into Scene::bodies
};
struct PartPair {
  int body_a = 0, part_a = 0;
  int body_b = 0, part_b = 0;
};

struct Record {
  // s   time between frames; a frame is the first step at or after each multiple
  double every = 0.01;
  enum class Contacts { kNone, kFrames, kSteps } contacts = Contacts::kFrames;
};

// How the scene is treated before time 0.
struct Start {
  // What happens to bodies that overlap at time 0. kResolve: they are moved apart by the smallest
  // motion. kKeep: they stay, and may overlap by that much throughout the run. kRefuse: the scene
  // is not run.
  enum class Overlaps { kResolve, kKeep, kRefuse } overlaps = Overlaps::kResolve;
};

struct Scene {
  std::string name;
  std::string text;                  // contents of the file, kept in the run file
  std::string file;                  // path of the file, for errors
  Vec3 gravity = {0.0, 0.0, -9.81};  // m/s^2
  std::vector<Material> materials;   // [0] is the default one
  std::vector<MaterialPair> pairs;
  std::vector<Body> bodies;  // parents before children
  std::vector<Loop> loops;
  std::vector<BodyPair> never_touch;
  std::vector<PartPair> always_touch;   // overrides layers, parents and never_touch
  std::vector<dynamics::Event> events;  // bodies, loops and materials are indices into these lists
  MethodOptions method;
  Start start;
  double until = 1.0;  // s
  Record record;
  std::uint64_t seed = 0;
  // for the user, one line each; for example, that a mesh is not convex
  std::vector<std::string> notes;
};

}  // namespace tenpin::scene
