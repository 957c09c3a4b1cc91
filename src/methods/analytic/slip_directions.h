// Finds the directions of slips that start.
#pragma once

#include <vector>

#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

// In space the polyhedral cone gives the direction in which slip starts only roughly: it must be
// along its own acceleration, and sticking contacts must be inside the round cone. `share` is, by
// contact, one over the number of contacts in its island. Leaves the motion with the forces of the
// directions found.
void refine_slip_directions(const ForceScale& scale, const std::vector<double>& share,
                            Motion* motion, std::vector<Touch>* touches);

}  // namespace tenpin::methods::analytic
