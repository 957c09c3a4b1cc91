// The motion of mechanisms between impulses.
#pragma once

#include <vector>

#include "base/workers.h"
#include "dynamics/extrapolation.h"
#include "dynamics/model.h"
#include "dynamics/motion_rates.h"

namespace tenpin::dynamics {

// Loose bodies rotate by the exact torque-free motion. Trees and loops are integrated to near
// rounding by extrapolation of Gragg's midpoint rule [HNW93, §II.9]; loops are then closed to
// rounding.
class Flight {
 public:
  // The workers, if any, share the loose bodies.
  explicit Flight(const Model& model, const Workers* workers = nullptr);

  // The start of a flight.
  struct Start {
    const VecX& q;
    const VecX& v;
    double t;  // s
  };

  // Work done by the forces during the flight.   J
  struct Work {
    double potential = 0.0;   // gravity and springs
    double applied = 0.0;     // damping, motors and forces that the scene applies
    double prescribed = 0.0;  // prescribed motion of the bodies that the mechanism is attached to
  };

  // Moves all mechanisms except those marked in `but` for h seconds without any force. A body that
  // rotates freely changes its angular velocity, so velocities are written to *v_end. Momentum is
  // conserved exactly and kinetic energy to rounding.   [ST00, eq. (14)] with exact rotation. The
  // work is that of gravity and springs, had they acted: the potential energy lost by the motion.
  // Returns false if a mechanism moves too fast to be integrated. The work, if asked for, is that
  // of mechanisms that are not loose.
  bool drift(const Start& start, double h, const std::vector<bool>& but, VecX* q_end, VecX* v_end,
             Work* work = nullptr);
  // The same for one mechanism.
  bool drift(int mechanism, const Start& start, double h, VecX* q_end, VecX* v_end,
             Work* work = nullptr);

  // Moves one mechanism under all its smooth forces. False if they are too stiff to be integrated.
  bool fly(int mechanism, const Start& start, double h, VecX* q_end, VecX* v_end, Work* work);
  // The same if a motor reaches its limit on the way: such a kink is not resolved to rounding.
  bool fly_past_kinks(int mechanism, const Start& start, double h, VecX* q_end, VecX* v_end,
                      Work* work);

 private:
  bool integrate(const Mechanism& mechanism, SmoothForces forces,
                 const Extrapolation::Limits& limits, const Start& start, double h);
  Work store(const Mechanism& mechanism, VecX* q_end, VecX* v_end) const;
  [[nodiscard]] Work finish(int mechanism, const Start& start, VecX* q_end, VecX* v_end) const;

  const Model* model_;
  const Workers* workers_;
  MotionRates rates_;
  Extrapolation extrapolation_;
  VecX y_;  // of the mechanism that is moved
  VecX q_;  // buffer for closing loops
};

// Moves q to where the mechanism's loops are closed, by the shortest motion in the mass metric.
// Returns the largest remaining error, which is large if the loops cannot close.   m, rad
double close_loops(const Model& model, const Mechanism& mechanism, double t, VecX* q);

}  // namespace tenpin::dynamics
