// Gauss-Seidel over batches of eight contacts that share no body, in the space of the bodies'
// velocities: the velocity of a contact is read from its two bodies, and the change of its reaction
// is given back to them. No product of two contacts is ever formed.
#pragma once

#include <span>

#include "complementarity/cone/contact_batch.h"

namespace tenpin::complementarity::cone {

template <typename Batch>
struct SweepSpan {
  std::span<const Batch> batches;
  std::span<BatchReaction> reactions;
  BodyMotion* bodies = nullptr;
};
using RoundSpan = SweepSpan<RoundBatch>;
using ContactSpan = SweepSpan<ContactBatch>;

// Before a sweep, r and v take a lead: they go on by momentum times the way that they came since
// the sweep before. First, every body; then, in the sweep, every reaction.   [P64]
void lead_bodies(std::span<BodyMotion> bodies, double momentum);
// Returns the sum of the squares of the changes.
double sweep_batches(const RoundSpan& span, double momentum);
double sweep_batches(const ContactSpan& span, double momentum);

// What the bodies get from the reactions, on top of what they have.
void add_reactions(const RoundSpan& span);
void add_reactions(const ContactSpan& span);

// The largest |r - P_K(r - uhat)| of a contact, as a velocity; NaN if a number is. Leaves the
// square of each contact's with its reaction.
[[nodiscard]] double calc_largest_error(const RoundSpan& span);
[[nodiscard]] double calc_largest_error(const ContactSpan& span);

}  // namespace tenpin::complementarity::cone
