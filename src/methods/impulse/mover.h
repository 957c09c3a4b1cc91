// Moves bodies along their flights.
#pragma once

#include <vector>

#include "dynamics/flight.h"
#include "methods/impulse/flying_bodies.h"

namespace tenpin::methods::impulse {

// Keeps the buffers of the integrator.
class Mover {
 public:
  explicit Mover(const dynamics::Model& model) : flight_(model) {}

  // Moves a body and its whole mechanism to time t, which is not before its own.
  void move(int body, double t, FlyingBodies* bodies);
  // The same, and turns it: a ball is otherwise turned only when its spin changes.
  void move_to_end(int body, double t, FlyingBodies* bodies);
  void move_all(double t, FlyingBodies* bodies);

 private:
  void move_mechanism(int mechanism, double t, FlyingBodies* bodies);

  dynamics::Flight flight_;
  std::vector<dynamics::Twist> V_before_;  // scratch
};

}  // namespace tenpin::methods::impulse
