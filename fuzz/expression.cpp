// Arithmetic in scenes: a good value is finite, a bad one has a reason that lies within the text.
#include "scene/expression.h"

#include <cmath>

#include "honest.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  scene::Parameters parameters = {{"a", {.value = 2.0}}, {"length", {.value = -0.5}}};
  const scene::ExpressionValue value = scene::evaluate(fuzz::to_text(bytes, size), &parameters);
  fuzz::demand(value.problem.empty() ? std::isfinite(value.value)
                                     : value.offset >= 0 && value.offset <= static_cast<int>(size));
  return 0;
}
