// The complementarity problem of one step, and its answer, over all contacts at once.
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
//   friction in the cone of  mu (p_n + given_n), as dissipative as it can be.
// Compliant contacts see v_end and what they give way by: a spring along the normal, whose memory
// is the gap, and one along the surface, whose memory is the friction of the step before.
struct VelocityProblem {
  std::vector<contact::Contact> contacts;
  contact::ContactJacobian J;
  const dynamics::MassMatrix* M = nullptr;  // as J has it
  VecX v;                                   // m/s, rad/s  velocity with all impulses but p
  std::vector<double>
      required;                // m/s   least normal velocity, J v + drive  [ST00, eq. (15)] over h
  std::vector<double> mu;      // -     as used in this step
  std::vector<double> given;   // N s   normal impulse that v has in it already; mostly zero
  std::vector<Vec3> guess;     // N s   impulses to start from, along n, t1, t2
  std::vector<Vec3> memory;    // N s   those under which springs do not give way
  std::vector<Vec3> softness;  // 1/kg  along n, t1, t2; zero where rigid
  double speed = 1.0;          // m/s   scale of the step's velocities
  bool with_friction = true;

  int size() const { return static_cast<int>(contacts.size()); }
  // m/s   By how much contact i gives way under an impulse.
  Vec3 calc_giving(int i, const Vec3& impulse) const {
    return softness[i].cwiseProduct(impulse - memory[i]);
  }
};

struct VelocityAnswer {
  std::vector<contact::ContactVector> impulses;  // N s   p + given
  VecX v;                                        // m/s   v_end
  complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
  int failed_contact = -1;  // first contact of an island that was not solved
  int mended = 0;           // islands that only proximal steps solved
  double residual = 0.0;    // -     worst of the LCPs, relative, as certified
  int largest = 0;          // rows of the largest LCP
  int pivots = 0;
  int solves = 0;
  std::int64_t swept = 0;  // contacts, each as often as it was swept
};

}  // namespace tenpin::methods::time_stepping
