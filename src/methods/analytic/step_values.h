// The values that the stages of a step hand on.
#pragma once

#include <optional>
#include <vector>

#include "contact/contact.h"
#include "methods/analytic/approach.h"
#include "methods/analytic/collision.h"
#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

// The given state, constant during the step.
struct StepStart {
  double t = 0.0;        // s
  double t_limit = 0.0;  // s
  VecX q, v;
  std::vector<Pose> X_WB;
  double energy = 0.0, potential = 0.0;  // J
};

// The contacts at the start, and the pairs of bodies that may meet in the step.
struct Surroundings {
  std::vector<contact::Contact> found;
  std::vector<Touch> touches;
  std::vector<PartPair> apart;  // near, not touching
  std::vector<double> reach;    // m   by body: how far it may move before contacts may be missed
};

// What took a velocity from a contact that it does not have: it rests, or the slip has ended.
struct RestImpulse {
  contact::ContactKey key;
  Vec3 impulse = Vec3::Zero();  // N s   on b, world axes
  double normal = 0.0;          // N s   along the normal, or against a joint's stop
  double dry = 0.0;             // N s, N m s   of a joint's dry friction
};

// Changes of the state that obey no contact law: coming to rest, and the removal of rounding.
struct Corrections {
  std::vector<RestImpulse> impulses;
  double work = 0.0;        // J
  double loop_error = 0.0;  // m, rad   after loops were closed again
};

// A piece of smooth motion as it is prepared.
struct Piece {
  double h = 0.0;  // s   planned
  VecX v;          // at the start; slips that end at once change it
  Surroundings around;
  ForceScale scale;
  std::vector<ForceCheck> checks;  // by touch, at the start
  Corrections corrections;
};

// A collision at the start of the step.
struct Collision {
  std::vector<Closed> closed;
  CollisionReport report;
  // By touch, along normal, t1, t2.
  std::vector<Vec3> v_before;  // m/s
  std::vector<Vec3> impulses;  // N s
  std::vector<Vec3> kicks;     // m/s   change of velocities by the impulses
  std::vector<Vec2> works;     // J     of normal impulse and friction
};

struct StepEnd {
  double t = 0.0;  // s
  VecX q, v;
  VecX y;                  // of Motion, after a piece of motion
  double potential = 0.0;  // J   before rounding is taken out
  double h_next = 0.0;     // s   suggested
  bool has_event = true;   // did an event end the step?
};

// How a step ends.
struct Outcome {
  StepEnd end;
  std::optional<Collision> collision;  // if that is all that happened
  bool is_divided = false;             // have groups been simulated separately?
};

// J   Kinetic and potential energy.
struct Energies {
  double kinetic = 0.0;
  double potential = 0.0;
  double total() const { return kinetic + potential; }
};
[[nodiscard]] Energies calc_energies(const dynamics::Model& model, double t, const VecX& q,
                                     const VecX& v);

// "a and b"
[[nodiscard]] std::string name_of(const dynamics::Model& model, const contact::Contact& contact);

// Writes why a step ends.
void fail(StepReport* report, AdvanceStatus status, const std::string& message);

}  // namespace tenpin::methods::analytic
