// Impulses of a step that the motion does not determine.
#pragma once

#include <span>
#include <vector>

#include "contact/friction_cone.h"
#include "contact/least_impulses.h"
#include "contact/uniqueness.h"
#include "methods/time_stepping/core/contact_problem.h"

namespace tenpin::methods::time_stepping {

// True if the least impulses of the contact are computed where its impulse is not unique. They are
// not computed for friction pyramids with spin and for general limit surfaces, nor for contacts
// that return a part of their compression: these keep the impulses that the solver found.
[[nodiscard]] bool finds_least(const ContactProblem& problem, const contact::FrictionCone& cone,
                               int contact);
// The same for a contact without restitution that belongs to no problem.
[[nodiscard]] bool finds_least(const contact::Contact& contact, const contact::FrictionCone& cone,
                               double mu);
// Writes 1 or 0 by contact: is its impulse unique, or is it the least? If contacts of a problem
// give back compression, its impulses are those of a second phase, and their sum with the first
// phase is not the least. Friction between two generators keeps its direction.
void mark_least(const ContactProblem& problem, const contact::FrictionCone& cone,
                std::span<const contact::ForceState> forces, std::span<const char> is_unique,
                std::vector<char>* is_least);

// Replaces impulses by the least ones. Reuses its buffers between calls.
class OpenImpulses {
 public:
  struct Accuracy {
    double residual = 0.0;   // -   of the island's solution, in the solver's measure
    double tolerance = 0.0;  // -   of the law
    double speed = 0.0;      // m/s   scale of the island's velocities
  };
  // Replaces the impulses of a solved island by the least ones that lead to the same velocities. On
  // entry the island's part of *v holds velocities without impulses, on return it holds those with
  // impulses. Returns false and keeps the impulses if the least ones are not found, or if they fail
  // the law where the solver's impulses did not.
  [[nodiscard]] bool make_least(const ContactProblem& problem, const contact::FrictionCone& cone,
                                std::span<const int> island, const Accuracy& accuracy, VecX* v,
                                ContactAnswer* answer);

 private:
  [[nodiscard]] double calc_speed(const ContactProblem& problem, std::span<const int> island,
                                  const ContactAnswer& answer) const;

  contact::LeastImpulses least_;
  std::vector<contact::Freedom> freedom_;      // by place in the island
  std::vector<Vec3> slips_;                    // m/s, m/s, rad/s
  std::vector<contact::ContactVector> found_;  // N s   as the solver found them
};

// -   The error of an island's impulses, which lead to velocities v, as the certificate measures
// it: relative to `speed` (m/s).
[[nodiscard]] double calc_law_residual(const ContactProblem& problem,
                                       const contact::FrictionCone& cone,
                                       std::span<const int> island, double speed, const VecX& v,
                                       const ContactAnswer& answer);

}  // namespace tenpin::methods::time_stepping
