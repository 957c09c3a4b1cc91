// A run as a binary glTF 2.0 file with its motion as an animation, for Blender, web viewers and
// other programs.
#pragma once

#include <string>

#include "record/run_reader.h"

namespace tenpin::lab {

// The bytes of a .glb file. y is up, as glTF requires; times start at the first frame. Throws
// InputError if the run has no frame, LimitError if it needs more than 4 GiB.
[[nodiscard]] std::string make_glb(const record::RunReader& run);

}  // namespace tenpin::lab
