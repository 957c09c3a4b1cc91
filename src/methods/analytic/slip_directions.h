// Where slips that begin lead to.
#pragma once

#include <vector>

#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

// In space the polyhedral cone only finds roughly where a slip will start to: it must be along its
// own acceleration, and what sticks must be inside the round cone. `share` is, by touch, one part
// of as many as its island has. Leaves the motion with the forces of the directions found.
void refine_slip_directions(const ForceScale& scale, const std::vector<double>& share,
                            Motion* motion, std::vector<Touch>* touches);

}  // namespace tenpin::methods::analytic
