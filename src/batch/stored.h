// The state of a world between launches. Launches may be cut anywhere: the bits do not change.
#pragma once

#include "batch/model.h"

namespace tenpin::batch {

// Why a world stopped. It is then run again elsewhere; its state is not meant for use.
enum Flag : Word {
  kOverflow = 1,      // more contacts, near pairs or colours than there is room for
  kNotCertified = 2,  // the sweeps are spent, or the law's residual is above the tolerance, or NaN
  kTooFast = 4,       // a body turns more than a radian or passes its own thickness in a step
  kSunk = 8,          // a contact overlaps too deeply
  kStartsOverlapping = 16,  // at time 0: the stepper moves such bodies apart first
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

  Real x[kMaxBodies][3];  // m          centre of mass, from the model's origin
  Real q[kMaxBodies][4];  // -          w x y z, principal axes
  Real v[kMaxBodies][6];  // m/s, rad/s
  Real r[kContacts][4];   // N s        impulses along n, t1, t2, and the rate of slip
  Word key[kContacts];
  Word num_contacts;
  Word model;       // index of the world's model
  Word flags;       // Flag, or 0
  Word steps;       // certified ones
  LongWord sweeps;  // of all steps
  LongWord visits;  // contacts, each as often as it was swept
  LongWord contacts;
  Word most_contacts, most_sweeps;                // of a step
  Real worst_residual;                            // -
  Real deepest;                                   // m    overlap
  Real work_normal, work_friction, work_gravity;  // J   sums over the steps
  Real worst_closure;  // J    largest difference of a step's works and its change of energy
  Real energy;         // J    at the end
  WatchState<Real> watches[kMaxWatches];
};

}  // namespace tenpin::batch
