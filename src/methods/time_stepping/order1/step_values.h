// The values that the stages of a step of first order pass to each other.
#pragma once

#include <vector>

#include "contact/certify.h"
#include "contact/contact.h"
#include "contact/jacobian.h"
#include "dynamics/flight.h"
#include "dynamics/mass_matrix.h"
#include "methods/time_stepping/contact_motion.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/key_set.h"

namespace tenpin::methods::time_stepping::order1 {

// The start of the step.
struct StepStart {
  double h = 0.0;             // s
  double t = 0.0;             // s   at the start
  double t_end = 0.0;         // s
  VecX q, v;                  // state
  BodyMotion motion;          // of all bodies
  double energy = 0.0;        // J
  std::vector<double> reach;  // m   by body: the distance within which its contacts are searched
  // m/s of the fastest point of all bodies, or of one step of free fall
  double body_speed = 0.0;
  std::vector<double> speeds;  // m/s by body: of its fastest point
};

// The impulses of all forces except contact over the step.   N s, N m s
struct StepForces {
  VecX gravity;
  VecX outside;               // forces that the scene applies to bodies
  VecX applied;               // forces on bodies, of joints, and of viscous contact
  VecX joint_spring;          // the part of them due to joint springs
  VecX slope_spring, slope;   // impulse lost per change of velocity: of springs, and of all forces
  std::vector<double> motor;  // N m, N   by body: force of its motor at its limit, else 0
  dynamics::MassMatrix M;     // at the start, with the slopes on its diagonal
  VecX v_free;                // m/s, rad/s   velocity after these impulses
};

// The configuration at which contacts are linearised.   [ST00, §3.1]
struct Prediction {
  VecX v;                                  // m/s, rad/s   velocity that leads to this configuration
  VecX q;                                  // coordinates
  std::vector<Pose> X;                     // by body
  std::vector<dynamics::Twist> V_drive;    // of prescribed motion alone
  std::vector<contact::Contact> contacts;  // sorted by key
};

// The contacts that take part in the step's problem: some of those found at the prediction, then
// those found only at the end of an earlier round, then joints with dry friction.
struct Selection {
  KeySet keys;                          // keys of all contacts except joints with dry friction
  int num_predicted = 0;                // contacts of the prediction
  std::vector<contact::Contact> extra;  // found at an earlier end, moved back to the prediction
  std::vector<double> extra_required;   // m/s   required normal velocities of `extra`
  std::vector<char> marks;              // scratch, by contact
  std::vector<int> kept;                // scratch

  int num_gaps() const { return num_predicted + static_cast<int>(extra.size()); }
};

// One contact of the problem, after the solve.
struct KickedContact {
  contact::ContactVector before;   // m/s   velocity at the start of the step
  contact::ContactVector after;    // m/s   with the impulses
  contact::ContactVector impulse;  // N s   sum of all phases
  contact::LawCheck check;         // worst of all phases
  double speed = 0.0;              // m/s   scale of the velocities of its island
  double rigid_residual = 0.0;     // -     error of a compliant impulse in the law of rigid contact
};

// The velocities after the impulses.
struct Kick {
  VecX v;                               // m/s, rad/s
  double speed = 0.0;                   // m/s   scale of the velocities, for residuals
  std::vector<KickedContact> contacts;  // as in the problem
  double unconverged = 0.0;             // m     last change of a fixed point that did not converge
  std::vector<char> is_known;           // scratch: by contact
};

// The end of the step.
struct StepEnd {
  double t = 0.0;                          // s
  VecX q, v;                               // state
  BodyMotion motion;                       // of all bodies
  std::vector<contact::Contact> contacts;  // sorted by key
  // by mechanism: true if it has no contact and moves by its smooth forces alone
  std::vector<bool> flies;
  dynamics::Flight::Work flown;           // J   work on these mechanisms
  double drift_potential = 0.0;           // J   that trees lost in the drift
  double drift_prescribed = 0.0;          // J   work of prescribed motion on trees in the drift
  bool too_fast = false;                  // the motion of a mechanism could not be integrated
  bool is_current = false;                // true if this end follows from the last kick
  std::vector<dynamics::Twist> V_kicked;  // by body: after the kick, at the start
  double kinetic_kicked = 0.0;            // J   after the kick, before the drift
  double projection_work = 0.0;           // J
  // J   part of projection_work: kinetic energy gained by trees
  double projection_kinetic = 0.0;
  contact::Contact overlooked;  // deepest overlap of a contact that took no part; gap 0 if none
  double energy = 0.0;          // J   valid if the step was accepted
  bool is_accepted = false;     // true if the state continues from here
};

// A finished step, as the reporter reads it.
struct StepView {
  const StepStart& start;
  const StepForces& forces;
  const Prediction& prediction;
  const ContactProblem& problem;
  const Kick& kick;
  const StepEnd& end;
};

}  // namespace tenpin::methods::time_stepping::order1
