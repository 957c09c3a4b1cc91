// The order, the solver and the impact law of a scene: the ones that it names, and one rule for the
// choices that it leaves open.
//
// Order 2 and the round cone are the default wherever they support what the scene asks for. Where
// they do not, or where the scene names an option that only the paper's scheme has, that scheme is
// the default, and the reason is stated. The same holds where a joint is too stiff for the step,
// because order 2 would then not reach second order. Newton's impact law is the default wherever
// materials with restitution can meet, so that a coefficient of restitution in the scene takes
// effect. The number of contacts plays no part: the law of friction does not depend on the size of
// a scene.
#pragma once

#include <string>

#include "dynamics/model.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

struct Stepping {
  scene::TimeSteppingOptions options;  // with every choice made
  // "named", "default", or "default: " and why the other order was not chosen
  std::string order_reason;
  std::string solver_reason;  // the same for the solver
  std::string
      restitution_reason;  // and for the impact law, with the materials that have restitution

  // As text: "1 (default: formulation is named)", or just "1" if the scene names it; the other two
  // functions do the same for "cone" and "newton".
  std::string order_text() const;
  std::string solver_text() const;
  std::string restitution_text() const;
  // All three choices in one text. The impact law is included only if one acts, or if it is
  // switched off although materials have restitution.
  std::string text() const;
};

[[nodiscard]] Stepping choose_stepping(const dynamics::Model& model,
                                       const scene::TimeSteppingOptions& options);

// Names what only Lemke's algorithm supports, for example "limit surfaces with corners (skate)"; ""
// if there is nothing.
[[nodiscard]] std::string find_polytope(const dynamics::Model& model);
// A limit surface that no solver supports, and what to do about it; "" if there is none.
[[nodiscard]] std::string find_bad_limit(const dynamics::Model& model);

// Names what the scene asks for and order 2 does not support; "" if there is nothing.
[[nodiscard]] std::string find_beyond_second_order(const dynamics::Model& model,
                                                   const scene::TimeSteppingOptions& options);

}  // namespace tenpin::methods::time_stepping
