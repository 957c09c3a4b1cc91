// The constant description of bodies, joints, shapes and materials.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/event.h"
#include "dynamics/limit_surface.h"
#include "dynamics/time_curve.h"
#include "math/pose.h"
#include "math/types.h"
#include "shapes/shape.h"

namespace tenpin::dynamics {

// How a body is attached to its parent P, and the meaning of its coordinates. B is the body's frame
// at its centre of mass, J the joint's frame on the parent, M the joint's frame on the body.
//   joint        q                         v
//   kFree        p_WB (3), quaternion (4)  velocity of the centre of mass (3), w_WB_W (3)
//   kPlanar      x, y, angle               their rates; in the plane of J's x and y
//   kFixed       -                         -
//   kPrescribed  -                         -      pose and velocity are functions of time
//   kHinge       angle about J's z         its rate
//   kSlider      distance along J's z      its rate
//   kBall        quaternion q_JM           w_JM_M (3)
enum class JointType { kFree, kPlanar, kFixed, kPrescribed, kHinge, kSlider, kBall };

[[nodiscard]] constexpr int num_positions(JointType type) {
  constexpr std::array kCount = {7, 3, 0, 0, 1, 1, 4};
  return kCount[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr int num_velocities(JointType type) {
  constexpr std::array kCount = {6, 3, 0, 0, 1, 1, 3};
  return kCount[static_cast<std::size_t>(type)];
}

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

inline constexpr double kAlways = std::numeric_limits<double>::infinity();

// Drives a hinge or slider towards target + amplitude sin(2 pi frequency t), or along a curve.
struct Motor {
  enum class Kind { kNone, kForce, kVelocity, kPosition } kind = Kind::kNone;
  double target = 0.0;      // N, N m; or m/s, rad/s; or m, rad
  double amplitude = 0.0;   // same unit
  double frequency = 0.0;   // 1/s
  double stiffness = 0.0;   // N/m, N m/rad       of kPosition
  double damping = 0.0;     // N s/m, N m s/rad   of kVelocity and kPosition
  double limit = kNoLimit;  // N, N m
  TimeCurve curve;          // added to the target, in its unit; usually empty
  double begin = -kAlways;  // s   acts from this time on
  double end = kAlways;     // s   and until before this time

  bool is_released = false;  // an event has switched it off

  bool is_on(double t) const { return !is_released && t >= begin && t < end; }
};

// Forces in a joint, the same for each of its velocities. The spring of a ball joint acts along the
// shortest rotation.
struct JointForces {
  double lower = -kNoLimit;  // rad, m
  double upper = kNoLimit;   // rad, m   of a ball joint: largest angle
  double stiffness = 0.0;    // N m/rad, N/m
  double rest = 0.0;         // rad, m
  double damping = 0.0;      // N m s/rad, N s/m
  double friction = 0.0;     // N m, N   dry
  double armature = 0.0;     // kg m^2, kg
  Motor motor;
  Vec3 applied = Vec3::Zero();  // N m, N   external, constant, on the joint's velocities; a free
                                // body's are in Body::applied
};

struct Joint {
  JointType type = JointType::kFree;
  int parent = kWorld;  // body index; always less than the body's own
  int q_begin = 0;      // first of its coordinates in State::q
  int v_begin = 0;      // and in State::v

  // X_PB = X_PJ * (what q says) * X_MB.   kFixed: X_PB = X_PJ.   kPrescribed: X_PB = X_PJ at t = 0.
  // kFree has neither. P is the parent's frame at its centre of mass, or the world.
  Pose X_PJ;
  Pose X_MB;
  JointForces forces;
};

// Constant velocities plus an oscillation along a line; or curves.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();          // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s   parent's axes, about the moving pivot
  Vec3 pivot = Vec3::Zero();             // m       of the rotation, at t = 0, parent's frame
  Vec3 amplitude = Vec3::Zero();         // m       of amplitude * sin(2 pi frequency t)
  double frequency = 0.0;                // 1/s
  TimeCurve displacement;                // m   three columns, added to the motion; usually empty
  Vec3 axis = Vec3::UnitZ();             // -   of `angle`, parent's axes
  TimeCurve angle;                       // rad   replaces angular_velocity; usually empty
};

// Forces that depend smoothly on the state.
struct ForceTerms {
  Vec3 force = Vec3::Zero();   // N          at the centre of mass, world axes
  Vec3 torque = Vec3::Zero();  // N m        world axes
  double viscous = 0.0;        // N s/m      force -c v
  double viscous_spin = 0.0;   // N m s      torque -c w
  double drag = 0.0;           // N s^2/m^2  force -c |v| v
};

// A force that acts for a limited time, or changes with time.
struct TimedForce {
  ForceTerms terms;         // constant
  TimeCurve force;          // N     three columns, added; empty if it is constant
  TimeCurve torque;         // N m
  double begin = -kAlways;  // s   acts from this time on
  double end = kAlways;     // s   and until before this time

  bool is_on(double t) const { return t >= begin && t < end; }
};

// The sum of the scene's forces on a body.
struct AppliedForce : ForceTerms {
  std::vector<TimedForce> timed;  // in addition

  bool resists() const {
    const auto does = [](const ForceTerms& f) {
      return f.viscous > 0.0 || f.viscous_spin > 0.0 || f.drag > 0.0;
    };
    return does(*this) || std::any_of(timed.begin(), timed.end(), [&](const TimedForce& f) {
             return does(f.terms);
           });
  }
  bool is_zero() const {
    return force.isZero(0.0) && torque.isZero(0.0) && !resists() && timed.empty();
  }
};

struct Body {
  std::string name;
  Joint joint;
  int mechanism = -1;           // index into Model::mechanisms; -1 for bodies that no force moves
  int weld = 0;                 // first of the bodies that are welded together
  int weld_parent = -1;         // weld of the bodies that these are attached to; -1: the world
  bool touches_parent = false;  // true if it may touch its parent
  Vec3 plane =
      Vec3::Zero();   // -        world direction along which it never moves; zero if there is none
  double mass = 0.0;  // kg       0 for bodies that no force moves, and massless links
  Mat3 inertia = Mat3::Zero();   // kg m^2   about the centre of mass, body axes
  Quat q_BP = Quat::Identity();  // -        principal axes in the body
  Vec3 moments = Vec3::Zero();   // kg m^2   about them
  // m        origin of the body in the scene, relative to the centre of mass
  Vec3 p_BO = Vec3::Zero();
  PrescribedMotion motion;
  AppliedForce applied;
  Vec3 pushed = Vec3::Zero();   // N     force that an event has set, in addition
  Vec3 twisted = Vec3::Zero();  // N m   and torque
  int material = 0;             // index into Model::materials
  int parts_begin = 0;          // its shapes are Model::parts[parts_begin .. parts_end)
  int parts_end = 0;

  bool is_mobile() const { return mechanism >= 0; }
};

// One convex part of a body, in the body's frame B.
struct Part {
  int body = 0;
  shapes::PlacedShape placed;
  int material = 0;                      // index into Model::materials
  std::uint32_t layer = 1;               // bits; two parts may touch if `layer` of one part
  std::uint32_t touches = 1;             // bits  and `touches` of the other part have a common bit
  Vec3 surface_velocity = Vec3::Zero();  // m/s   of a belt, relative to the body, body axes
};

// Connects two bodies outside the tree of joints. Frames are at the centres of mass (B), or the
// world's.
struct Loop {
  enum class Kind { kBall, kHinge, kWeld, kDistance, kCoupling } kind = Kind::kBall;
  std::string name;
  int body_a = kWorld;  // kCoupling: the bodies whose joints are coupled
  int body_b = kWorld;
  Vec3 p_A = Vec3::Zero();                // m   anchors
  Vec3 p_B = Vec3::Zero();                // m
  Mat3 R_A = Mat3::Identity();            // -   kHinge: z is the axis; kWeld: frames that coincide
  Mat3 R_B = Mat3::Identity();            // -
  double length = 0.0;                    // m   kDistance
  std::array<double, 5> polynomial = {};  // kCoupling: q_a = polynomial in q_b
};

// Bodies that move together: trees of joints, and the bodies that loops connect to them. Their
// coordinates are contiguous.
struct Mechanism {
  int q_begin = 0, nq = 0;
  int v_begin = 0, nv = 0;
  bool is_loose = false;    // true if it is a single free or planar body
  std::vector<int> bodies;  // parents before children
  std::vector<int> bases;   // bodies that it is attached to and that no force moves
  std::vector<int> loops;   // indices into Model::loops
};

// Surface properties of one material, before two are combined.
struct Material {
  std::string name;
  double mu_along = 0.0;        // -   along `axis` (or everywhere, when isotropic)
  double mu_across = 0.0;       // -
  Vec3 axis = Vec3::Zero();     // -   body frame; zero when isotropic
  double torsion = 0.0;         // m
  double rolling = 0.0;         // m   largest moment against rolling over the normal force
  double mu_static = 0.0;       // -   Stribeck; equal to mu_along when there is none
  double stribeck_speed = 0.0;  // m/s
  double viscous = 0.0;         // N s/m
  double restitution = 0.0;     // -
  double stiffness = 0.0;       // N/m of a point of contact; 0: rigid
  bool has_limit = false;       // friction is a limit surface, with `axis` as its direction along
};

// The contact properties of two materials; one per unordered pair, see Model::surface().
struct Surface {
  double mu_along = 0.0;
  double mu_across = 0.0;
  double torsion = 0.0;
  double rolling = 0.0;
  double mu_static = 0.0;
  double stribeck_speed = 0.0;
  double viscous = 0.0;
  double restitution = 0.0;
  double stiffness = 0.0;
  // index into Model::limits, in the frame of a contact; -1: friction is a cone
  int limit = -1;
  // both materials have a limit surface, and no entry for the pair says which one counts
  bool limits_clash = false;
};

// Two parts that may overlap by `depth`: their contacts start at that depth.
struct KeptOverlap {
  int part_a = 0;  // the smaller
  int part_b = 0;
  double depth = 0.0;  // m
};

struct Model {
  Vec3 gravity = Vec3::Zero();  // m/s^2
  std::vector<Body> bodies;     // parents before children
  std::vector<Part> parts;      // grouped by body
  std::vector<Mechanism> mechanisms;
  std::vector<Loop> loops;
  std::vector<int> jointed;  // bodies that are not loose; only these have joint forces
  std::vector<std::pair<int, int>> never_touch;   // pairs of bodies, smaller first, sorted
  std::vector<std::pair<int, int>> always_touch;  // pairs of parts, smaller first, sorted
  std::vector<KeptOverlap> kept_overlaps;         // sorted by parts
  std::vector<Material> materials;
  std::vector<Surface> surfaces;  // materials.size() squared, row-major
  std::vector<LimitSurface> limits;
  std::vector<Event> events;
  bool has_breaks = false;  // forces, motors or motions change at given times: see breaks.h
  int nq = 0;
  int nv = 0;

  const Surface& surface(int material_a, int material_b) const {
    return surfaces[material_a * materials.size() + material_b];
  }
  int num_bodies() const { return static_cast<int>(bodies.size()); }
  int num_mechanisms() const { return static_cast<int>(mechanisms.size()); }
};

// m   How deep two parts may overlap; 0 for most pairs.
[[nodiscard]] double find_kept_overlap(const Model& model, int part_a, int part_b);

// m   Of the largest moment about the centre of mass; 0 for bodies without mass.
[[nodiscard]] double calc_gyration_radius(const Body& body);

// Does a body (or the world) never move, because only fixed joints connect it to the world?
[[nodiscard]] bool stands_still(const Model& model, int body);

// Groups the bodies into mechanisms by their joints and loops, and assigns positions in q and v to
// every joint. Call this once, when bodies and loops are complete.
void assign_coordinates(Model* model);

// Assigns every loop to its mechanism. assign_coordinates() does so, too; call this again after
// loops were released.
void assign_loops(Model* model);

}  // namespace tenpin::dynamics
