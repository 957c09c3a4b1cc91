// Changes that a scene makes when a condition holds. Bodies, loops and materials are indices into
// the model's lists.
#pragma once

#include <string>
#include <vector>

#include "math/types.h"

namespace tenpin::dynamics {

inline constexpr int kWorld = -1;  // parent of a tree's root

// A quantity of the state, for conditions of events.
struct Measure {
  enum class Kind {
    kTime,             // s
    kPosition,         // m       of the body's origin, along a world axis
    kVelocity,         // m/s     of the body's origin
    kAngularVelocity,  // rad/s
    kCoordinate,       // m, rad  of the joint of the body
    kRate,             // m/s, rad/s
    kDistance,         // m       between the surfaces of two bodies, negative if they overlap
  } kind = Kind::kTime;
  int body_a = kWorld;
  int body_b = kWorld;  // kDistance
  int component = 0;    // of a vector or of the joint's coordinates
};

// A value that an event sets.
struct Setting {
  enum class Kind { kGravity, kTarget, kForce, kMotion, kSurface } kind = Kind::kGravity;
  int body = -1;                 // kTarget, kForce, kMotion
  Vec3 vector = Vec3::Zero();    // gravity, m/s^2; force, N; velocity, m/s
  Vec3 rotation = Vec3::Zero();  // torque, N m; angular velocity, rad/s
  double target = 0.0;           // of the motor
  int material_a = 0;            // kSurface
  int material_b = 0;
  double friction = 0.0;
  double restitution = 0.0;
};

// An event happens once, when its condition first holds.
struct Event {
  enum class When { kContact, kAbove, kBelow } when = When::kContact;
  std::string name;
  int body_a = kWorld;  // kContact: these two touch
  int body_b = kWorld;
  Measure measure;     // kAbove, kBelow
  double bound = 0.0;  // in the unit of the measure
  std::vector<int> released_loops;
  std::vector<int> released_motors;  // bodies whose motors stop acting
  std::vector<Setting> settings;
  bool stops = false;  // true: the event ends the run
};

}  // namespace tenpin::dynamics
