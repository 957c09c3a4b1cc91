// The format of study files as data, in the same form as scene/format.h for scenes.
#pragma once

#include "scene/format.h"

namespace tenpin::lab {

[[nodiscard]] const scene::Object& study_object();
[[nodiscard]] const scene::Object& variable_object();
[[nodiscard]] const scene::Object& measure_object();

}  // namespace tenpin::lab
