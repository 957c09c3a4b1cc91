// The values of a step of second order: instants, contacts, and the problem and answer of a
// substep.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "contact/certify.h"
#include "contact/passage.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/contact_motion.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/core/journal.h"
#include "methods/time_stepping/order2/schedule.h"

namespace tenpin::methods::time_stepping::order2 {

// Coordinates and velocities of all nodes, each at one instant of its own substep.
struct Instant {
  VecX q, v;
  BodyMotion motion;  // of all bodies
};

// The substeps of all nodes.
struct Path {
  Instant begin;
  Instant mid;        // before the kick
  VecX v_kicked;      // m/s, rad/s   after the kick
  Instant predicted;  // the end if there were no kick
  Instant end;
};

// A contact that is near but does not overlap, in a group over the impact budget.
struct NearContact {
  contact::ContactKey key;
  double required = 0.0;  // m/s   normal velocity with which it just touches at the end
  bool operator<(const NearContact& other) const { return key < other.key; }
};

// The contacts whose law holds during the substeps.
struct ActiveContacts {
  std::vector<contact::Contact> contacts;  // by key, at the start of their substep
  std::vector<NearContact> near;           // by key: the near contacts among them

  // m/s   The least normal velocity at the end that the contact's law requires.
  double calc_required(const contact::ContactKey& key) const;
};

// Velocities and energies at the start of the step.
struct StepStart {
  double speed = 0.0;           // m/s   of the fastest point of all bodies
  std::vector<double> speeds;   // m/s   by body: of its fastest point
  std::vector<double> kinetic;  // J     by mechanism
  double energy = 0.0;          // J
};

// What has happened in the step so far.
struct StepJournal {
  std::vector<JournalEntry> entries;
  Works done;                        // of accepted substeps
  std::vector<contact::Kink> kinks;  // poses of bodies at the times at which their step was divided
  bool too_fast = false;             // the motion of a mechanism could not be integrated
};

// A step in progress.
struct StepProgress {
  StepStart start;
  Schedule schedule;
  Path path;
  ActiveContacts active;
  std::vector<contact::Contact> end_contacts;  // by key
  StepJournal journal;
  bool is_support_check = false;  // only sleeping bodies take part, to test whether they are held
};

// One contact of a substep or an impact.
struct SubstepContact {
  contact::Contact at_begin;
  contact::Contact at_end;  // at the end as far as it is known, with the tangents of the problem
  contact::ContactVector before;   // m/s   velocity at the start
  contact::ContactVector after;    // m/s   and at the end, according to the law
  contact::ContactVector offset;   // m/s   velocity at the end for v = 0
  Vec2 turn = Vec2::Zero();        // m/s   slip at the end minus the slip that friction opposes
  double fall = 0.0;               // m/s   normal velocity gained in the substep without contact
  double speed = 0.0;              // m/s   scale of the velocities of its group
  contact::ContactVector impulse;  // N s
  contact::LawCheck check;
  bool is_unique = true;  // true if no other impulses give the same motion
  bool is_least = true;   // true if the impulse is the least where others give the same motion
};

// A smooth substep of some nodes, or an impact, which is a substep of zero length.
struct Substep {
  NodeSet nodes;
  std::vector<SubstepContact> contacts;
  ContactProblem problem;  // of the same contacts, halfway between start and end
  ContactAnswer answer;
  double speed = 0.0;  // m/s   scale of all velocities
};

// m/s   The speed of the fastest point of a contact's bodies, now or at the start of the step, or
// the speed gained in one step of free fall.
[[nodiscard]] double calc_speed(const StepSetup& setup, const StepProgress& step,
                                const contact::Contact& contact);

// Checks the law of every contact, using the substep's impulses and velocities alone. Residuals are
// relative to the velocities of the bodies that contacts connect, not of a fast body elsewhere, and
// to the velocities that single impulses cause. Reuses its buffers between calls.
class SubstepLawCheck {
 public:
  void check(const StepSetup& setup, const StepProgress& step, Substep* substep);

 private:
  void update_speeds(const StepSetup& setup, const StepProgress& step, Substep* substep);

  UnionFind groups_;  // mechanisms connected by the contacts of the substep
  // m/s   scratch, by root: speed of bodies, and speed caused by impulses
  std::vector<double> moved_, pushed_;
};

}  // namespace tenpin::methods::time_stepping::order2
