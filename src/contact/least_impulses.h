// Replaces contact impulses that the motion does not determine by the least ones.
//
// A table with four legs needs only three of them, so the loads of its legs are not unique; nor is
// friction between sticking contacts. Among all impulses that lead to the same motion and satisfy
// the same laws, the least are those with the smallest sum of squares. Equal springs at all
// contacts would share the load in the same way. The result does not depend on units, masses or the
// order of contacts: normal and friction impulses are compared directly, spin by the radius of the
// patch that resists it, friction across by the ratio of its coefficients, and joint stops by their
// mobility relative to that of other contacts. docs/contact-forces.md
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/least_reactions.h"
#include "contact/contact.h"
#include "contact/friction_cone.h"
#include "contact/jacobian.h"

namespace tenpin::contact {

// Does the motion determine the impulse of a contact that is alone? That of a loose body always;
// where a mechanism has fewer freedoms than the contact has directions, its joints can share the
// load in many ways.
[[nodiscard]] bool is_determined(const ContactJacobian& J, const Contact& contact, int index);

// How a contact may change its impulse without changing the motion.
enum class Freedom : unsigned char {
  kNone,     // its impulse stays unchanged
  kSliding,  // friction has its full size and opposes the slip
  kHeld,     // may take any impulse in its cone
};

class LeastImpulses {
 public:
  struct Problem {
    const ContactJacobian& J;
    std::span<const Contact> contacts;
    const FrictionCone& cone;
    std::span<const int> island;       // contacts that share mechanisms
    std::span<const Freedom> freedom;  // by place in the island
    std::span<const Vec3> slips;       // m/s, m/s, rad/s   by place: along t1, t2, spin
    std::span<const double> mu;        // -     by contact, as used in the step
    // N s   by contact: given normal impulses of joints with dry friction
    std::span<const double> loads;
  };
  enum class Outcome : unsigned char {
    kUnique,    // nothing to choose
    kLeast,     // the impulses are the least ones
    kNotFound,  // not found within max_systems: impulses stay unchanged
  };
  // Replaces the impulses (N s, by contact) of the island, which must satisfy their laws. Reuses
  // its buffers between calls.
  [[nodiscard]] Outcome solve(const Problem& problem, int max_systems,
                              std::span<ContactVector> impulses);
  // Number of linear systems in the last solve.
  int num_systems() const { return least_.num_systems(); }

 private:
  void number_mechanisms(const Problem& problem);
  void find_mobility(const Problem& problem);
  [[nodiscard]] ContactVector calc_units(const Problem& problem, int contact) const;
  [[nodiscard]] complementarity::cone::ReactionSet make_set(const Problem& problem, int place,
                                                            const ContactVector& reaction) const;
  [[nodiscard]] ContactVector calc_ray(const Problem& problem, int place) const;
  complementarity::cone::LeastReactions::Part make_part(const ContactJacobian& J,
                                                        const ContactJacobian::Side& side,
                                                        const ContactVector& units,
                                                        std::vector<double>* values) const;

  complementarity::cone::LeastReactions least_;
  std::vector<int> group_;   // by mechanism, -1 outside the island
  std::vector<int> widths_;  // velocities, by group
  std::vector<int> used_;    // mechanisms, by group
  double mobility_ = 0.0;    // 1/kg   mean over the island's surface contacts; 0 if there are none
  std::vector<double> part_a_, part_b_;
};

}  // namespace tenpin::contact
