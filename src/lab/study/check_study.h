// Whether a study fits its scene, asked before the first trial runs.
#pragma once

#include <cstdint>

#include "lab/study/study.h"
#include "scene/problem_list.h"

namespace tenpin::lab {

// Tries every value by itself, the ends of ranges, and the names of quantities and bodies. Returns
// a hash of what the scene takes from other files. Throws SceneError if the scene itself is wrong.
std::uint64_t check_against_scene(const Study& study, scene::ProblemList* problems);

}  // namespace tenpin::lab
