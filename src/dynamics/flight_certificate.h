// Certifies that flights conserve momentum and energy, from the states at both ends and the
// impulses between them, with code that does not move any body.
#pragma once

#include <string>
#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// All impulses on a loose body in an interval.
struct BodyImpulses {
  Vec3 linear = Vec3::Zero();   // N s
  Vec3 angular = Vec3::Zero();  // N m s   about the centre of mass at that time
  double size = 0.0;            // N s     sum of their sizes
  double angular_size = 0.0;    // N m s   sum of their sizes

  void add(const Vec3& impulse, const Vec3& twist) {
    linear += impulse;
    angular += twist;
    size += impulse.norm();
    angular_size += twist.norm();
  }
};

// Poses and velocities of all bodies.
struct MotionView {
  const std::vector<Pose>& X_WB;
  const std::vector<Twist>& V_WB;
  double t = 0.0;  // s   the time of the forces
};

struct FlightResidual {
  double worst = 0.0;  // -   0 when exact
  int body = -1;       // the body with this residual
};

// For every loose body under a constant force and torque, momentum changes by the impulses, its
// weight and the force, and angular momentum by the angular impulses and the torque. Relative to
// the largest of the terms.
[[nodiscard]] FlightResidual calc_momentum_residual(const Model& model, const MotionView& start,
                                                    const MotionView& end,
                                                    const std::vector<BodyImpulses>& impulses,
                                                    double dt);

// A flight of one body under its weight and a constant force and torque.
struct FreeFlight {
  double dt = 0.0;  // s
  // -   The method moves the centre by dt times the mean of the velocities at start and end, with
  // this weight on the velocity at the end: 1/2 is exact under constant forces, 1 is of first
  // order.
  double end_weight = 0.5;
};

// -   Largest residual of a free flight that passes. Chosen: rounding leaves 1e-13 or less
// (measured on tumbling boxes). With a value a hundred times smaller these would still pass; one a
// hundred times larger could hide errors that add up to 1e-3 in a run of 1e4 steps.
inline constexpr double kFlightTolerance = 1e-9;

// True if calc_free_flight_residual() knows the law of this body's flight: the body must be loose,
// and no force on it may depend on its velocity or on time.
[[nodiscard]] bool has_simple_flight(const Model& model, int body);

// -   By how much a body without contact departs from its law of flight: the worst of momentum,
// angular momentum, energy of rotation and path of its centre. Each error is relative to the terms
// that cancel; errors below the rounding of positions and of the rotation angle count as zero.
[[nodiscard]] double calc_free_flight_residual(const Model& model, int body,
                                               const MotionView& start, const MotionView& end,
                                               const FreeFlight& flight);

// Example: "the flight of NAME departs by 1e-3 from momentum and energy".
[[nodiscard]] std::string tell_flight(const Model& model, const FlightResidual& flight);

// The energies of an interval.   J
struct EnergyBalance {
  double t_start = 0.0;  // s
  double kinetic_start = 0.0;
  double kinetic_end = 0.0;
  double potential_start = 0.0;
  double potential_end = 0.0;
  double moved = 0.0;    // sum of the absolute values of all works
  double closure = 0.0;  // works minus the change of the energy
};

// The part of the energy change that the work does not explain, relative to the energies; 0 if it
// is within the rounding of the potential energy.
[[nodiscard]] double calc_energy_residual(const Model& model, const MotionView& end,
                                          const EnergyBalance& balance);

}  // namespace tenpin::dynamics
