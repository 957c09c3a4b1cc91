// The forces of an island of frictionless contacts at one instant, by the paper's linear programs,
// whose matrix is sparse.   [B89, §6-§7]
#pragma once

#include <span>

#include "complementarity/vanishing.h"
#include "methods/analytic/friction_lcp.h"

namespace tenpin::methods::analytic {

// N   by contact.
[[nodiscard]] complementarity::ForceAnswer solve_programs(std::span<const FrictionContact> contacts,
                                                          const contact::ContactJacobian& J);

}  // namespace tenpin::methods::analytic
