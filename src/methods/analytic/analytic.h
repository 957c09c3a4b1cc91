#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::analytic {

// Exact forces between exactly located events.   [B89]
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::analytic
