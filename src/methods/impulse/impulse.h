#pragma once

#include <memory>

#include "methods/method.h"

namespace tenpin::methods::impulse {

// Models all contact as sequences of impulses, with ballistic motion in between.   [MC95]
[[nodiscard]] std::unique_ptr<Method> make(const dynamics::Model& model,
                                           const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods::impulse
