// The contact law of a step of first order: the values that each contact of its problem requires.
#pragma once

#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/order1/step_values.h"

namespace tenpin::methods::time_stepping::order1 {

// The linearised step that a problem belongs to.
struct Linearized {
  const StepStart& start;
  const StepForces& forces;
  const Prediction& prediction;
  const Selection& selection;
};

// Fills *problem, whose contacts are set, and writes the velocities before the impulses and their
// scale to *kick. Guesses are the impulses of `active`, which also notes the impulses that renamed
// contacts take.
void fill_problem(const StepSetup& setup, const Linearized& step, ActiveSet* active,
                  ContactProblem* problem, Kick* kick);

// Sets the law again as fill_problem() did, after trial impulses have changed it. Contacts may have
// lost their restitution since.
void restore_law(const StepSetup& setup, const Linearized& step, const Kick& kick,
                 ContactProblem* problem);

// m/s   The scale of the velocities at a contact: the speeds of its bodies, and the speed gained in
// one step of free fall.
[[nodiscard]] double calc_speed(const StepSetup& setup, const StepStart& start,
                                const contact::Contact& c);

// True if free flight closes the contact in this step, faster than a resting contact would close.
[[nodiscard]] bool is_impact(const StepSetup& setup, const Linearized& step, const Kick& kick,
                             const ContactProblem& problem, int i);

// Adds viscous friction to forces->applied. It is a smooth force: -c u_t at each point that touched
// in the previous step.   [ST00, §2]
void add_viscous_contacts(const StepSetup& setup, const StepStart& start,
                          const Prediction& prediction, const ActiveSet& active,
                          ContactProblem* scratch, StepForces* forces);

}  // namespace tenpin::methods::time_stepping::order1
