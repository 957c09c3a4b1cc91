// The contact law of a step of first order: what each contact of its problem demands.
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

// Fills *problem, whose contacts are set, and the velocities before the impulses and their scale in
// *kick. Guesses are the impulses of `active`, which also notes those that renamed contacts take.
void fill_problem(const StepSetup& setup, const Linearized& step, ActiveSet* active,
                  ContactProblem* problem, Kick* kick);

// Sets the law again as fill_problem() did, after impulses were tried; contacts may have lost their
// restitution since.
void restore_law(const StepSetup& setup, const Linearized& step, const Kick& kick,
                 ContactProblem* problem);

// m/s   The scale of the velocities at a contact: of its bodies, and of one step's fall.
[[nodiscard]] double calc_speed(const StepSetup& setup, const StepStart& start,
                                const contact::Contact& c);

// Does free flight close the contact in this step, faster than a contact at rest would?
[[nodiscard]] bool is_impact(const StepSetup& setup, const Linearized& step, const Kick& kick,
                             const ContactProblem& problem, int i);

// Viscous friction is a smooth force: -c u_t at each point that touched in the previous step. Adds
// its impulses to forces->applied.   [ST00, §2]
void add_viscous_contacts(const StepSetup& setup, const StepStart& start,
                          const Prediction& prediction, const ActiveSet& active,
                          ContactProblem* scratch, StepForces* forces);

}  // namespace tenpin::methods::time_stepping::order1
