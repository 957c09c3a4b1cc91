// The state of a world between launches. How steps are divided between launches does not change the
// bits.
#pragma once

#include "batch/model.h"

namespace tenpin::batch {

// The reason why a world stopped. It then runs again elsewhere; its state is not meant to be used.
enum Flag : Word {
  kOverflow = 1,  // more contacts, near pairs or colours than there is room for
  // the sweeps are used up, the law's residual is above the tolerance, or a value is NaN
  kNotCertified = 2,
  // a body turns more than a radian or moves more than its own thickness in a step
  kTooFast = 4,
  kSunk = 8,                // a contact overlaps too deeply
  kStartsOverlapping = 16,  // bodies overlap at time 0: the stepper moves such bodies apart first
};

template <class Real>
struct WatchState {
  Real result, last, last_value;
  Word has_result, has_last;
};

template <class Real, int kContacts_>
struct Stored {
  using RealType = Real;
  static constexpr int kContacts = kContacts_;

  Real x[kMaxBodies][3];  // m          centre of mass, relative to the model's origin
  Real q[kMaxBodies][4];  // -          w x y z, principal axes
  Real v[kMaxBodies][6];  // m/s, rad/s
  Real r[kContacts][4];   // N s        impulses along n, t1, t2, and the rate of slip
  Word key[kContacts];
  Word num_contacts;
  Word model;       // index of the world's model
  Word flags;       // Flag, or 0
  Word steps;       // certified steps
  LongWord sweeps;  // in all steps
  LongWord visits;  // contacts, each counted as often as it was swept
  LongWord contacts;
  Word most_contacts, most_sweeps;                // in any step
  Real worst_residual;                            // -
  Real deepest;                                   // m    overlap
  Real work_normal, work_friction, work_gravity;  // J   sums over the steps
  // J    largest difference between the works of a step and its change of energy
  Real worst_closure;
  Real energy;  // J    at the end
  WatchState<Real> watches[kMaxWatches];
};

}  // namespace tenpin::batch
