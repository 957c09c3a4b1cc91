#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::time_stepping {

// Implicit time stepping: the paper's scheme and its extensions.   [ST00]
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::time_stepping
