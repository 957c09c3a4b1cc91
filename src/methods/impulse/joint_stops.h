// Joint stops, hit through all joints of their mechanism. A stop limits an angle or a distance,
// while the method's thresholds are in metres. So a stop is evaluated where the body reaches
// farthest from its joint: gap, velocity and impulse there are those of the joint times a lever.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/mass_matrix.h"
#include "methods/impulse/flying_bodies.h"

namespace tenpin::methods::impulse {

class JointStops {
 public:
  explicit JointStops(FlyingBodies* bodies);

  int size() const { return static_cast<int>(stops_.size()); }
  int body(int stop) const { return stops_[stop].body; }
  double lever(int stop) const { return stops_[stop].lever; }  // m/rad; 1 for sliders
  // The stops of a body: [begin, end).
  int begin(int body) const { return begins_[body]; }
  int end(int body) const { return begins_[body + 1]; }

  // The current state, in the joint's own units.
  [[nodiscard]] contact::Contact calc_contact(int stop) const;
  // m/s   At the lever; > 0: away from the stop.
  [[nodiscard]] double calc_velocity(const contact::Contact& contact, int stop) const;
  // m/s^2   Estimated bound on its change, as for all motions of mechanisms.
  [[nodiscard]] double calc_unsteadiness(int stop) const;

  // 1/kg   The response of the velocity to an impulse at the lever.
  [[nodiscard]] double update(const contact::Contact& contact, int stop);
  // Applies such an impulse (N s) at the stop of the last update.
  void apply(int stop, double impulse);

 private:
  struct Stop {
    int body = 0;
    bool upper = false;
    double lever = 1.0;
  };
  double calc_lever(int body) const;

  FlyingBodies* bodies_;
  std::vector<Stop> stops_;  // by body
  std::vector<int> begins_;
  VecX J_, L_;  // nv of the mechanism: m per joint velocity, and the response to an impulse
  VecX zero_;
  dynamics::MechanismInverse inverse_;
};

}  // namespace tenpin::methods::impulse
