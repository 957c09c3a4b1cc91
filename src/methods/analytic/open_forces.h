// Forces that grips leave open, and contacts that are nearly open themselves: what is chosen among
// answers that all obey the law, so that the next moment does too.
#pragma once

#include <span>
#include <vector>

#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

// Where forces are not unique, a vertex of what is possible would leave some contacts at the edge
// of their friction cones, to be beyond it at once: they shall be well inside if they can. False if
// some are beyond, of those that are not to be kept as they are.
[[nodiscard]] bool share_forces(const std::vector<bool>& kept, Motion* motion,
                                std::vector<Touch>* touches);

// The same once grips are decided. What rests without force bears its share; if not all can be well
// inside their cones, those that others hold at the edge stay there.
void settle_open_forces(const ForceScale& scale, std::span<const int> touching,
                        const std::vector<bool>& kept, Motion* motion, std::vector<Touch>* touches);

// Forces that are nothing beside others, and accelerations likewise, are told apart by the forces
// of the grips themselves, which are more exact than what the grips were chosen by: principal
// pivoting from there. The best found is kept.
void exchange_contacts(const ForceScale& scale, std::span<const int> touching, Motion* motion,
                       std::vector<Touch>* touches);

}  // namespace tenpin::methods::analytic
