// Impulses of a step that its motion does not determine.
#pragma once

#include <span>
#include <vector>

#include "contact/friction_cone.h"
#include "contact/least_impulses.h"
#include "methods/time_stepping/core/contact_problem.h"

namespace tenpin::methods::time_stepping {

// Keeps its buffers.
class OpenImpulses {
 public:
  struct Accuracy {
    double residual = 0.0;   // -   of the island's solution, in the solver's measure
    double tolerance = 0.0;  // -   of the law
    double speed = 0.0;      // m/s   scale of the island's velocities
  };
  // Replaces the impulses of a solved island by the least ones that lead to the same velocities.
  // The island's part of *v holds velocities without impulses on entry, and those with impulses on
  // return. Returns false and keeps the impulses if the least ones are not found, or if they fail
  // the law where the solver's did not.
  [[nodiscard]] bool make_least(const ContactProblem& problem, const contact::FrictionCone& cone,
                                std::span<const int> island, const Accuracy& accuracy, VecX* v,
                                ContactAnswer* answer);

 private:
  [[nodiscard]] double calc_speed(const ContactProblem& problem, std::span<const int> island,
                                  const ContactAnswer& answer) const;

  contact::LeastImpulses least_;
  std::vector<contact::Freedom> freedom_;      // by place in the island
  std::vector<Vec3> slips_;                    // m/s, m/s, rad/s
  std::vector<contact::ContactVector> found_;  // N s   as solved
};

// -   The error of the impulses of an island that lead to velocities v, as the certificate measures
// it, relative to `speed` (m/s).
[[nodiscard]] double calc_law_residual(const ContactProblem& problem,
                                       const contact::FrictionCone& cone,
                                       std::span<const int> island, double speed, const VecX& v,
                                       const ContactAnswer& answer);

}  // namespace tenpin::methods::time_stepping
