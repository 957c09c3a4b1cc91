#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::time_stepping {

// Implicit time stepping with a polyhedral friction cone.   [ST00]
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::time_stepping
