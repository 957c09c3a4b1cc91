// Moves overlapping bodies apart by the smallest motion in the mass metric.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"
#include "dynamics/state.h"

namespace tenpin::methods {

struct Separation {
  double energy_change = 0.0;   // J   kinetic and potential
  double largest_motion = 0.0;  // m   of a body's centre of mass
  int rounds = 0;               // linearisations
};

// Surfaces that overlap and joints beyond their stops at coordinates q and time 0. All have gap <
// 0.
[[nodiscard]] std::vector<contact::Contact> find_overlapping(const dynamics::Model& model,
                                                             ConstVecRef q);

// Overlaps that joints, loops and fixed bodies make unavoidable remain, distributed as evenly as
// possible. Links that would have to move far to separate keep their overlaps, too, because such
// links overlap by design. Velocities change only where they would open a loop.
[[nodiscard]] Separation separate_bodies(const dynamics::Model& model, dynamics::State* state);

}  // namespace tenpin::methods
