// A run as glTF 2.0, one binary file with its motion as an animation: for Blender, web viewers and
// whatever else reads it.
#pragma once

#include <string>

#include "record/run_reader.h"

namespace tenpin::lab {

// The bytes of a .glb file. y is up, as glTF wants it; times count from the first frame. Throws
// InputError when the run has no frame, LimitError when it needs more than 4 GiB.
[[nodiscard]] std::string make_glb(const record::RunReader& run);

}  // namespace tenpin::lab
