// Which contacts take part in the problem of a step of first order.   [ST00, §4]
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/core/sleepers.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/order1/step_values.h"

namespace tenpin::methods::time_stepping::order1 {

// True if a contact found at the prediction takes part.
[[nodiscard]] bool takes_part(const StepSetup& setup, const ActiveSet& active,
                              const contact::Contact& contact);

// Writes the contacts that take part to *contacts, and adds them to *active, so that they stay
// active while the step is solved. selection->extra is input.
void select_contacts(const StepSetup& setup, const Prediction& prediction, ActiveSet* active,
                     Selection* selection, std::vector<contact::Contact>* contacts);

// Adds contacts that overlap at the end although they took no part to *active, and to *selection if
// they were too far away at the prediction. Returns true if there are any. The contacts added to
// *selection are linearised about the end and moved back to the prediction.   [ST00, §4]
[[nodiscard]] bool add_violated(const StepSetup& setup, const StepView& step, ActiveSet* active,
                                Selection* selection);

// The contact with the deepest overlap at the end among those that took no part: the law was not
// imposed on it, so no residual can show the overlap. Compliant contacts between the same two parts
// carry each other's load. Returns a contact with gap 0 if there is none.
[[nodiscard]] contact::Contact find_overlooked(const StepSetup& setup, const Selection& selection,
                                               std::span<const contact::Contact> end_contacts);

// Stores the contacts that are active at the start of the next step: those that touch or carry an
// impulse, and supports.
void remember_active(const StepSetup& setup, const StepView& step,
                     std::span<const contact::ContactRecord> records,
                     std::span<const Support> supports, Selection* selection, ActiveSet* active);

}  // namespace tenpin::methods::time_stepping::order1
