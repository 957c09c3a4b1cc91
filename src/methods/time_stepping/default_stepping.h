// Which order, solver and law of impact a scene is stepped with: what it names, and by one rule
// what it leaves open.
//
// Order 2 and the round cone are the default wherever they can do what the scene asks for. Where
// they cannot, or where something is named that only the paper's scheme knows, that scheme is the
// default, and the reason is stated. So it is where a joint is stiffer than the step: order 2 would
// not be of second order there. Newton's law of impact is the default wherever bodies can meet that
// bounce by their materials, so that a coefficient of restitution that is written down acts. How
// many contacts there are plays no part: the law of friction does not change with the size of a
// scene.
#pragma once

#include <string>

#include "dynamics/model.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

struct Stepping {
  scene::TimeSteppingOptions options;  // none is left open
  std::string order_reason;            // "named", "default", or "default: " and why not the other
  std::string solver_reason;           // the same of the solver
  std::string restitution_reason;      // and of the law of impact, with the materials that bounce

  // For people: "1 (default: formulation is named)", or "1" alone if that is named; the same with
  // "cone" and "newton".
  std::string order_text() const;
  std::string solver_text() const;
  std::string restitution_text() const;
  // All three; the law of impact only where one acts, or is switched off although bodies bounce.
  std::string text() const;
};

[[nodiscard]] Stepping choose_stepping(const dynamics::Model& model,
                                       const scene::TimeSteppingOptions& options);

// What order 2 cannot do and the scene asks for, in words; "" if there is none.
[[nodiscard]] std::string find_beyond_second_order(const dynamics::Model& model,
                                                   const scene::TimeSteppingOptions& options);

}  // namespace tenpin::methods::time_stepping
