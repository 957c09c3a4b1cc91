// The complementarity problem of one step over all contacts, and its solution.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/workers.h"
#include "complementarity/lcp.h"
#include "contact/contact.h"
#include "contact/friction_cone.h"
#include "contact/jacobian.h"
#include "math/types.h"

namespace tenpin::methods::time_stepping {

// -   Velocities that single impulses cause and that cancel in the law may be much larger than the
// velocities of the step. Residuals are relative to the former, up to this multiple of the latter.
// Chosen: with the default tolerances a certified velocity is off by at most 1e-3 (cone) or 1e-5
// (Lemke) of the step's velocities. A value a hundred times larger would let errors of a tenth
// pass; with 1, stacks with mass ratios above 1e4 would fail although their impulses are exact to
// ten digits.
inline constexpr double kMaxCancellation = 1e3;

// Find impulses p with v_end = v + M^-1 J'p such that at every contact
//   0 <= p_n                   _|_  n'v_end - required >= 0
//   friction in the cone of  mu (p_n + given_n), with maximum dissipation.
// Compliant contacts see v_end plus their compliance term: a spring along the normal, whose memory
// is the gap, and one along the surface, whose memory is the friction of the previous step.
struct ContactProblem {
  std::vector<contact::Contact> contacts;
  contact::ContactJacobian J;
  const dynamics::MassMatrix* M = nullptr;  // the mass matrix that J was computed with
  VecX v;                                   // m/s, rad/s  velocity with all impulses except p
  std::vector<double>
      required;               // m/s   least normal velocity, J v + drive  [ST00, eq. (15)] over h
  std::vector<double> mu;     // -     as used in this step
  std::vector<double> given;  // N s   normal impulse already contained in v; usually zero
  std::vector<Vec3> guess;    // N s   initial impulses, along n, t1, t2
  std::vector<Vec3> memory;   // N s   impulses at which springs are at rest
  std::vector<Vec3> compliance;  // 1/kg  along n, t1, t2; zero where rigid
  double speed = 1.0;            // m/s   scale of the step's velocities
  // m/s   The same scale for each contact: the largest velocity of its bodies, and its own velocity
  // without impulses. If empty, `speed` is used for all.
  std::vector<double> speeds;
  bool with_friction = true;

  int size() const { return static_cast<int>(contacts.size()); }
  // m/s   The scale of the velocities of an island.
  double calc_speed(std::span<const int> island) const {
    if (speeds.empty()) return speed;
    double largest = 0.0;
    for (const int i : island) largest = std::max(largest, speeds[i]);
    return largest;
  }
  // m/s   The compliance term of contact i under an impulse.
  Vec3 calc_compliance_velocity(int i, const Vec3& impulse) const {
    return compliance[i].cwiseProduct(impulse - memory[i]);
  }
  // 1/kg   Velocity per impulse at contact i: the mean over its directions. The next function gives
  // it along the normal.
  double calc_mobility(int i) const {
    return J.own_delassus(i).topLeftCorner<3, 3>().trace() / 3.0;
  }
  double calc_normal_mobility(int i) const {
    return J.own_delassus(i)(contact::kNormalRow, contact::kNormalRow);
  }
};

struct ContactAnswer {
  std::vector<contact::ContactVector> impulses;  // N s   p + given
  // N s   Corrections below the last digit of the impulses, where these move light bodies;
  // otherwise empty.
  std::vector<contact::ContactVector> remainders;
  VecX v;  // m/s   v_end
  complementarity::SolveStatus status = complementarity::SolveStatus::kSolved;
  int failed_contact = -1;  // first contact of an unsolved island
  int mended = 0;           // islands solved only by proximal steps
  double residual = 0.0;    // -     worst of the LCPs, relative, as certified
  bool is_least = true;     // true if the impulses are the least ones wherever they are not unique
  int largest = 0;          // rows of the largest LCP
  int pivots = 0;
  int solves = 0;
  std::int64_t swept = 0;  // contacts, each counted as often as it was swept
};

// The data of one contact that a problem needs, in the units of ContactProblem.
struct ContactLaw {
  double required = 0.0;
  double mu = 0.0;
  double given = 0.0;
  Vec3 guess = Vec3::Zero();
  Vec3 memory = Vec3::Zero();
  Vec3 compliance = Vec3::Zero();
  // m/s   Velocity of the contact at v = 0, unless it equals that of prescribed motion.
  std::optional<contact::ContactVector> drive;
};

// The configuration at which the contacts of a problem are linearised.
struct Linearization {
  const std::vector<Pose>& X_WB;
  const std::vector<dynamics::Twist>& V_drive;  // at v = 0
  const dynamics::MassMatrix& M;
  contact::FrictionPoint friction_point = contact::FrictionPoint::kSurface;
};

// Fills every field of *problem except its contacts, v and the scale of its velocities, which the
// caller sets first. calc_law(i) returns the ContactLaw of contact i. It may read problem->J, and
// is called from several threads.
template <class CalcLaw>
void fill_problem(const dynamics::Model& model, const Linearization& at, const Workers& workers,
                  const CalcLaw& calc_law, ContactProblem* problem) {
  const std::size_t n = problem->contacts.size();
  problem->J.update(model, problem->contacts, at.X_WB, at.V_drive, at.M, at.friction_point);
  problem->M = &at.M;
  problem->required.resize(n);
  problem->mu.resize(n);
  problem->given.resize(n);
  problem->guess.resize(n);
  problem->memory.resize(n);
  problem->compliance.resize(n);
  workers.split(problem->size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const ContactLaw law = calc_law(i);
      problem->required[i] = law.required;
      problem->mu[i] = law.mu;
      problem->given[i] = law.given;
      problem->guess[i] = law.guess;
      problem->memory[i] = law.memory;
      problem->compliance[i] = law.compliance;
      if (law.drive) problem->J.set_drive(i, *law.drive);
    }
  });
}

}  // namespace tenpin::methods::time_stepping
