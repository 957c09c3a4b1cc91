// Bodies between impulses, each at its own time: bodies that do not collide need no work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collide/time_of_impact.h"
#include "dynamics/flight_certificate.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::methods::impulse {

// How a body moves between impulses. Loose bodies under constant forces fly on parabolas with the
// exact torque-free rotation. Loose bodies under torques, resistance or forces that follow a curve
// are integrated to rounding like trees and loops, all bodies of a mechanism together.
enum class FlightKind : std::uint8_t {
  kStill,
  kPrescribed,
  kBall,  // its rotation changes neither its shape nor its inertia
  kFree,
  kPlanar,
  kArticulated,
};

// J   The effect of rounding on rotational energy, the work of forces other than gravity, and the
// work of prescribed motion.
struct FlightWork {
  double rotation = 0.0;
  double applied = 0.0;
  double prescribed = 0.0;
};

struct BodyFlight {
  double turn_rate = 0.0;  // -   of Euler's equations: spin rate bound per spin^2

  // Constant from load() to load().
  FlightKind kind = FlightKind::kStill;
  Vec3 center = Vec3::Zero();        // m       in the body's frame: the point it rotates about
  Vec3 force = Vec3::Zero();         // N       applied
  Vec3 acceleration = Vec3::Zero();  // m/s^2   in free fall, also while the body rests
  Vec3 plane_force = Vec3::Zero();   // m/s^2   of planar bodies: along the plane's x and y

  double t = 0.0;                // s   the body's own time
  double t_turned = 0.0;         // s   of a ball: the time up to which its rotation is integrated
  Quat q_WB = Quat::Identity();  // of balls and free bodies
  double spin_bound = 0.0;       // rad/s     of free bodies, until their next impulse
  double unsteadiness = 0.0;     // m/s^2     of articulated bodies, estimated
  double spin_rate = 0.0;        // rad/s^2   of articulated bodies, estimated
  bool is_resting = false;       // supporting forces hold it, although it would fall
  FlightWork work;               // since load(); of a mechanism, in its first body
  double rotation_error = 0.0;   // -   largest relative change of rotational energy in a flight
};

// All bodies of a model. Balls and free bodies have their coordinates in `flights`, X_WB and V_WB
// only; the entries of q and v are those of the last load().
struct FlyingBodies {
  explicit FlyingBodies(const dynamics::Model& of_model);

  const Pose& pose(int body) const { return X_WB[body]; }
  const dynamics::Twist& twist(int body) const { return V_WB[body]; }
  bool is(FlightKind kind, int body) const { return flights[body].kind == kind; }
  bool is_still(int body) const { return is(FlightKind::kStill, body); }
  bool is_articulated(int body) const { return is(FlightKind::kArticulated, body); }
  bool is_integrated(const dynamics::Mechanism& mechanism) const {
    return is_articulated(mechanism.bodies.front());
  }
  // Is the motion of any body bounded by estimates only?
  bool has_integrated() const {
    return std::any_of(flights.begin(), flights.end(), [](const BodyFlight& flight) {
      return flight.kind == FlightKind::kArticulated;
    });
  }
  bool turns_freely(int body) const {
    return is(FlightKind::kBall, body) || is(FlightKind::kFree, body);
  }
  // Is the body currently motionless?
  bool stands(int body) const { return is_still(body) || flights[body].is_resting; }

  const dynamics::Model* model;
  VecX q, v;
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  std::vector<BodyFlight> flights;
  std::vector<dynamics::BodyImpulses> impulses;  // since load()
  bool is_followed = true;                       // false once a mechanism could not be integrated
};

// Sets all bodies to a state, with the forces and prescribed motions that the model has now; and
// back, if all bodies are at the same time.
void load(const dynamics::State& state, FlyingBodies* bodies);
void store(const FlyingBodies& bodies, dynamics::State* state);
// Copies the bodies of a mechanism from where another thread has moved them.
void take(const dynamics::Mechanism& mechanism, const FlyingBodies& other, FlyingBodies* bodies);

// The motion until the next impulse, for bounds. For articulated bodies these are estimates from
// the motion so far, for short times only.
[[nodiscard]] collide::BallisticMotion calc_motion(const FlyingBodies& bodies, int body);

// J   Of all bodies, summed in their order; and of one mechanism, the work of forces other than
// gravity.
[[nodiscard]] FlightWork calc_work(const FlyingBodies& bodies);
[[nodiscard]] double calc_applied_work(const FlyingBodies& bodies,
                                       const dynamics::Mechanism& mechanism);
// -   Largest relative change of a body's rotational energy in one flight.
[[nodiscard]] double calc_rotation_error(const FlyingBodies& bodies);

// Turns a ball, whose rotation is updated only when its spin changes and at the end.
void turn_ball(int body, double t, FlyingBodies* bodies);
// After the spin of a body has changed.
void update_spin_bound(int body, FlyingBodies* bodies);

[[nodiscard]] inline bool has_equal_moments(const dynamics::Body& body) {
  return body.moments[0] == body.moments[1] && body.moments[1] == body.moments[2];
}
[[nodiscard]] inline Vec3 plane_axis(const dynamics::Body& body) {
  return body.joint.X_PJ.R.col(2);
}

}  // namespace tenpin::methods::impulse
