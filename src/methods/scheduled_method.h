// A method for scenes in which things happen at given times or under given conditions.
//
// Tables over time: the method ends a step at each time at which a force or a velocity jumps, and
// starts again there, so that no step contains a jump in its interior (dynamics/time_curve.h).
// Event-driven methods also end a step where only a derivative jumps, since their integrators have
// a higher order.
//
// Events: conditions are evaluated after each step of the method. A method with fixed steps uses
// the changed model from its next step on. An event-driven method returns to the start of its step,
// finds the time at which the condition first holds, and ends a step there. The list of past events
// is part of the state, and determines the model: see Method::prepare().
#pragma once

#include <memory>

#include "dynamics/model.h"
#include "methods/method.h"

namespace tenpin::methods {

// Same as make_method(), but for a model whose values events change. The model must outlive the
// method, and nothing else may change it.
[[nodiscard]] std::unique_ptr<Method> make_scheduled_method(dynamics::Model* model,
                                                            const scene::MethodOptions& options,
                                                            int threads);

}  // namespace tenpin::methods
