// Checks, before the first trial runs, that a study fits its scene.
#pragma once

#include <cstdint>

#include "lab/study/study.h"
#include "scene/problem_list.h"

namespace tenpin::lab {

// Tries every value separately, the ends of ranges, and the names of quantities and bodies. Returns
// a hash of what the scene reads from other files. Throws SceneError if the scene itself is
// invalid.
std::uint64_t check_against_scene(const Study& study, scene::ProblemList* problems);

}  // namespace tenpin::lab
