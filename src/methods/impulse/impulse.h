#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::impulse {

// All contact as trains of impulses, ballistic motion between them.   [MC95]
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::impulse
