// A method for scenes in which things happen at given times or on given conditions.
//
// Tables over time: the method lands on each time at which a force or a velocity jumps, and starts
// again there, so that no step sees both sides of a jump (dynamics/time_curve.h). Event-driven
// methods also land where only a derivative jumps, since their integrators have a higher order.
//
// Events: conditions are judged after each step of the method. A method with fixed steps goes on
// with the changed model in its next step. An event-driven method goes back to the start of its
// step, finds the time at which the condition first holds, and ends a step there. What has happened
// is part of the state, and the model follows from it: see Method::prepare().
#pragma once

#include <memory>

#include "dynamics/model.h"
#include "methods/method.h"

namespace tenpin::methods {

// As make_method(). Events change the model, which must outlive the method; nothing else does.
[[nodiscard]] std::unique_ptr<Method> make_scheduled_method(dynamics::Model* model,
                                                            const scene::MethodOptions& options,
                                                            int threads);

}  // namespace tenpin::methods
