// Baraff's figures without motion: where bodies touch, and how many rounds of impulses are needed.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Contacts of scene.yaml at its start, from left to right and from front to back.   [B89, Fig. 3-6]
//   contacts        -   their number
//   x, y, z/1 ...   m   their positions
//   n_x, n_y, n_z/1 -   normal, from the first body of the scene to the other
//   gap/1           m   distance; negative inside
[[nodiscard]] ExperimentResult run_b89_contacts(const ExperimentOptions& options);

// A heavy ball falls on a light one on the floor, both inelastic, for the masses of cases.json.
// [B89, Fig. 12]
//   top/RATIO/N       velocity of the heavy ball relative to its initial one, after N rounds of
//                     propagation
//   solves/RATIO      problems that the simultaneous model solves
//   speed/RATIO       fastest contact after it, relative to the initial velocity
[[nodiscard]] ExperimentResult run_b89_rounds(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
