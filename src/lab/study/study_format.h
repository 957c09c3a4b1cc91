// The format of study files as data, as scene/format.h does it for scenes.
#pragma once

#include "scene/format.h"

namespace tenpin::lab {

[[nodiscard]] const scene::Object& study_object();
[[nodiscard]] const scene::Object& variable_object();
[[nodiscard]] const scene::Object& measure_object();

}  // namespace tenpin::lab
