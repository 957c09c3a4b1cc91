// Impulses of a step that its motion leaves open.
#pragma once

#include <span>
#include <vector>

#include "contact/friction_cone.h"
#include "contact/least_impulses.h"
#include "methods/time_stepping/velocity_problem.h"

namespace tenpin::methods::time_stepping {

// Keeps its buffers.
class OpenImpulses {
 public:
  struct Accuracy {
    double residual = 0.0;   // -   that the island has been solved up to, by the solver's measure
    double tolerance = 0.0;  // -   of the law
  };
  // Makes the impulses of an island that has been solved the least ones that lead to the same
  // velocities. Takes in the island's part of *v the velocities without impulses and leaves those
  // with them. False if the least ones are not found, or fail the law where those that were found
  // did not: the impulses stay.
  [[nodiscard]] bool make_least(const VelocityProblem& problem, const contact::FrictionCone& cone,
                                std::span<const int> island, const Accuracy& accuracy, VecX* v,
                                VelocityAnswer* answer);

 private:
  [[nodiscard]] double calc_speed(const VelocityProblem& problem, std::span<const int> island,
                                  const VelocityAnswer& answer) const;

  contact::LeastImpulses least_;
  std::vector<contact::Freedom> freedom_;      // by place in the island
  std::vector<Vec3> slips_;                    // m/s, m/s, rad/s
  std::vector<contact::ContactVector> found_;  // N s   as the solver left them
};

}  // namespace tenpin::methods::time_stepping
