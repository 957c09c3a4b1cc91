// What the analytical method is compared with, and what not to use: springs where bodies overlap.
// How far bodies sink in depends on their mass and on the stiffness; stiffer springs want shorter
// steps.   [B89, §2.1, Fig. 2]
#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::penalty {

// Throws InputError for a model with joints or friction.
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::penalty
