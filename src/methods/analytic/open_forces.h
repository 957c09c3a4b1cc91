// Chooses among forces that all satisfy the law where the modes leave forces or nearly open
// contacts undetermined, such that the law also holds in the next moment.
#pragma once

#include <span>
#include <vector>

#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

// Where forces are not unique, a vertex of the feasible set would leave some contacts at the edge
// of their friction cones and soon beyond it, so they are moved well inside if possible. Returns
// false if some contacts other than those marked `kept` are outside.
[[nodiscard]] bool share_forces(const std::vector<bool>& kept, Motion* motion,
                                std::vector<Touch>* touches);

// The same after modes are decided. Contacts at rest without force take their share. If not all
// contacts can be well inside their cones, those that others hold at the edge stay there.
void settle_open_forces(const ForceScale& scale, std::span<const int> touching,
                        const std::vector<bool>& kept, Motion* motion, std::vector<Touch>* touches);

// Forces and accelerations that are tiny relative to others are classified by solving the equations
// of the modes, which is more accurate than the solve that chose the modes: principal pivoting from
// there. The best result is kept.
void exchange_contacts(const ForceScale& scale, std::span<const int> touching, Motion* motion,
                       std::vector<Touch>* touches);

}  // namespace tenpin::methods::analytic
