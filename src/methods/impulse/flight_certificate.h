// Certifies that flights between impulses conserve momentum and energy, from the states at both
// ends of an interval and the impulses in it, with code that moves no body.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::methods::impulse {

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
  const std::vector<dynamics::Twist>& V_WB;
};

struct FlightResidual {
  double worst = 0.0;  // -   0 when exact
  int body = -1;       // the body with this residual
};

// For every loose body, momentum changes by the impulses, its weight and the force on it, and
// angular momentum by the angular impulses alone. Relative to the largest of the terms.
[[nodiscard]] FlightResidual calc_momentum_residual(const dynamics::Model& model,
                                                    const MotionView& start, const MotionView& end,
                                                    const std::vector<BodyImpulses>& impulses,
                                                    double dt);

// The energies of an interval.   J
struct EnergyBalance {
  double kinetic_start = 0.0;
  double kinetic_end = 0.0;
  double potential_start = 0.0;
  double potential_end = 0.0;
  double moved = 0.0;    // sum of the sizes of all works
  double closure = 0.0;  // works minus the change of the energy
};

// The part of the energy change that the work does not explain, relative to the energies; 0 within
// the rounding of the potential energy.
[[nodiscard]] double calc_energy_residual(const dynamics::Model& model, const MotionView& end,
                                          const EnergyBalance& balance);

}  // namespace tenpin::methods::impulse
