// Gauss-Seidel over batches of eight contacts that share no body, in the space of body velocities:
// the velocity of a contact is computed from its two bodies, and the change of its reaction is
// applied to them. No matrix entry that couples two contacts is ever formed.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/contact_batch.h"

namespace tenpin::complementarity::cone {

template <typename Batch>
struct SweepSpan {
  const Batch* batches = nullptr;
  BatchReaction* reactions = nullptr;
  int size = 0;  // number of batches
  BodyMotion* bodies = nullptr;
};
using RoundSpan = SweepSpan<RoundBatch>;
using ContactSpan = SweepSpan<ContactBatch>;

// Before a sweep, r and v are extrapolated by momentum times their last change: this function does
// so for all bodies; the sweep does so for each reaction.   [P64]
void lead_bodies(std::span<BodyMotion> bodies, double momentum);
// Sweeps all batches. Returns the sum of the squared changes.
double sweep_batches(const RoundSpan& span, double momentum);
double sweep_batches(const ContactSpan& span, double momentum);

// Adds the effect of the reactions to the velocities of the bodies.
void add_reactions(const RoundSpan& span);
void add_reactions(const ContactSpan& span);

// The largest |r - P_K(r - uhat)| of a contact, as a velocity; NaN if any number is NaN. Stores the
// square for each contact next to its reaction.
[[nodiscard]] double calc_largest_error(const RoundSpan& span);
[[nodiscard]] double calc_largest_error(const ContactSpan& span);

// The functions above for one instruction set. All sets give the same bits.
struct SweepKernels {
  const char* name = "";
  void (*lead)(BodyMotion* bodies, int num_bodies, double momentum) = nullptr;
  double (*sweep_round)(const RoundSpan& span, double momentum) = nullptr;
  double (*sweep_contacts)(const ContactSpan& span, double momentum) = nullptr;
  void (*add_round)(const RoundSpan& span) = nullptr;
  void (*add_contacts)(const ContactSpan& span) = nullptr;
  double (*error_round)(const RoundSpan& span) = nullptr;
  double (*error_contacts)(const ContactSpan& span) = nullptr;
};

// The kernels that this machine can run, from the slowest, which runs on every machine, to the
// fastest, which the functions above use.
[[nodiscard]] std::vector<SweepKernels> list_kernels();

}  // namespace tenpin::complementarity::cone
