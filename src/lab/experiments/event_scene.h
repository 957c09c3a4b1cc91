// Experiments on a scene under an event-driven method: the conditions that hold throughout the run,
// and where the bodies end.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Runs scene.yaml of the experiment's folder and judges it by its expected.json. Measures
//   finished        -       1 if the run reached its end
//   residual        -       worst certified residual of forces and impulses
//   penetration     m       deepest overlap
//   closure         -       error of the energy ledger over the run's largest energy
//   gain            -       most energy that any step or impact added, except by closing gaps,
//                           relative to the largest energy
//   lift            m       how far the energy of closing gaps would lift all bodies
//   force           N       mean of all normal forces over the run
//   speed           m/s     of the fastest body at the end
//   contacts        -       number of contacts in the first step
//   force/1, 2 ...  N       mean normal force of each of them, from left to right
//   impulse/A-B     N s     sum of the normal impulses between bodies A and B
//   none_vanishes, predicted, fallback    how often each guess was right, with forces: lp
//   added_energy    J       by fallbacks, none of which is a solution
//   x, y, z/BODY    m       position of a body's centre of mass at the end
//   v_x, .../BODY   m/s     and its velocity
[[nodiscard]] ExperimentResult run_event_scene(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
