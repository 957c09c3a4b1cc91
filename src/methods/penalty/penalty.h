// The penalty method: springs where bodies overlap. For comparison with the analytical method only,
// not for use. The depth of overlap depends on mass and stiffness, and stiffer springs need shorter
// steps.   [B89, §2.1, Fig. 2]
#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::penalty {

// Throws InputError for a model with joints or friction.
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::penalty
