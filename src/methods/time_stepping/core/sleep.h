// Sleep, for both orders: decides which bodies are at rest and whether their supports hold them.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/core/journal.h"
#include "methods/time_stepping/core/sleepers.h"
#include "methods/time_stepping/core/step_setup.h"

namespace tenpin::methods::time_stepping {

// The end of a step in which bodies may have come to rest.
struct RestSample {
  std::span<const JournalEntry> entries;
  const std::vector<dynamics::Twist>& V_WB;  // at the end
  double h = 0.0;                            // s
};

// The support check, after a step of sleeping bodies alone. Returns 1 for each mechanism that must
// wake: it had a velocity (v_start), it moves in that step, or one of its contacts fails the law.
// All mechanisms wake if the step was not solved.
[[nodiscard]] std::vector<char> find_unsupported(const StepSetup& setup, const RestSample& sample,
                                                 ConstVecRef v_start, bool is_solved,
                                                 Sleepers* sleepers);

// The supports of sleeping bodies: made from the entries of that step, sorted by contact, and the
// record of each contact. The bodies are at X_WB.
[[nodiscard]] std::vector<Support> make_supports(std::span<const JournalEntry> entries,
                                                 std::span<const contact::ContactRecord> records,
                                                 const std::vector<Pose>& X_WB);

// After a step: bodies that have been at rest for long enough fall asleep, together with all bodies
// that `contacts` connect to them. Saves this in the state.
void settle(const StepSetup& setup, const RestSample& sample,
            std::span<const contact::Contact> contacts, Sleepers* sleepers, dynamics::State* state);

// Adds the contacts of sleeping bodies to records and report like those of other bodies.
void report_supports(const StepSetup& setup, const Sleepers& sleepers,
                     std::vector<contact::ContactRecord>* records, StepReport* report);

}  // namespace tenpin::methods::time_stepping
