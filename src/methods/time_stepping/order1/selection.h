// Which contacts take part in the problem of a step of first order.   [ST00, §4]
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/core/sleepers.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/order1/step_values.h"

namespace tenpin::methods::time_stepping::order1 {

// Does a contact found at the prediction take part?
[[nodiscard]] bool takes_part(const StepSetup& setup, const ActiveSet& active,
                              const contact::Contact& contact);

// Writes the contacts that take part to *contacts, and adds them to *active, so that they stay
// while the step is solved. selection->extra is given.
void select_contacts(const StepSetup& setup, const Prediction& prediction, ActiveSet* active,
                     Selection* selection, std::vector<contact::Contact>* contacts);

// Contacts that overlap at the end although they took no part join *active, and *selection if they
// were too far away at the prediction; true if there are any. Those are linearised about the end
// and moved back to the prediction.   [ST00, §4]
[[nodiscard]] bool add_violated(const StepSetup& setup, const StepView& step, ActiveSet* active,
                                Selection* selection);

// The deepest overlap at the end of a contact that took no part: its law was never demanded, so no
// residual of the law can show it. Where contacts give way, those between the same two parts carry
// each other's load. A contact with gap 0 if there is none.
[[nodiscard]] contact::Contact find_overlooked(const StepSetup& setup, const Selection& selection,
                                               std::span<const contact::Contact> end_contacts);

// The contacts with which the next step starts: those that touch or carry an impulse, and supports.
void remember_active(const StepSetup& setup, const StepView& step,
                     std::span<const contact::ContactRecord> records,
                     std::span<const Support> supports, Selection* selection, ActiveSet* active);

}  // namespace tenpin::methods::time_stepping::order1
