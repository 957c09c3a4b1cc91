// The complementarity problem of one step over all contacts, and its solution.
#pragma once

#include <cstdint>
#include <vector>

#include "complementarity/lcp.h"
#include "contact/contact.h"
#include "contact/friction_cone.h"
#include "contact/jacobian.h"
#include "math/types.h"

namespace tenpin::methods::time_stepping {

// Find impulses p with v_end = v + M^-1 J'p such that at every contact
//   0 <= p_n                   _|_  n'v_end - required >= 0
//   friction in the cone of  mu (p_n + given_n), with maximum dissipation.
// Compliant contacts see v_end plus their compliance term: a spring along the normal, whose memory
// is the gap, and one along the surface, whose memory is the friction of the previous step.
struct VelocityProblem {
  std::vector<contact::Contact> contacts;
  contact::ContactJacobian J;
  const dynamics::MassMatrix* M = nullptr;  // as J has it
  VecX v;                                   // m/s, rad/s  velocity with all impulses except p
  std::vector<double>
      required;                // m/s   least normal velocity, J v + drive  [ST00, eq. (15)] over h
  std::vector<double> mu;      // -     as used in this step
  std::vector<double> given;   // N s   normal impulse already contained in v; usually zero
  std::vector<Vec3> guess;     // N s   initial impulses, along n, t1, t2
  std::vector<Vec3> memory;    // N s   impulses at which springs are at rest
  std::vector<Vec3> softness;  // 1/kg  along n, t1, t2; zero where rigid
  double speed = 1.0;          // m/s   scale of the step's velocities
  bool with_friction = true;

  int size() const { return static_cast<int>(contacts.size()); }
  // m/s   The compliance term of contact i under an impulse.
  Vec3 calc_giving(int i, const Vec3& impulse) const {
    return softness[i].cwiseProduct(impulse - memory[i]);
  }
};

struct VelocityAnswer {
  std::vector<contact::ContactVector> impulses;  // N s   p + given
  VecX v;                                        // m/s   v_end
  complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
  int failed_contact = -1;  // first contact of an unsolved island
  int mended = 0;           // islands solved only by proximal steps
  double residual = 0.0;    // -     worst of the LCPs, relative, as certified
  bool is_least = true;     // where impulses are not unique, are they the least?
  int largest = 0;          // rows of the largest LCP
  int pivots = 0;
  int solves = 0;
  std::int64_t swept = 0;  // contacts, each counted as often as it was swept
};

}  // namespace tenpin::methods::time_stepping
