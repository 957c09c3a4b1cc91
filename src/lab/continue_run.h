// Continues a run from a frame of its run file, with the same bits.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "dynamics/state.h"
#include "record/run_reader.h"
#include "scene/read.h"
#include "scene/scene.h"

namespace tenpin::lab {

struct Continuation {
  scene::Scene scene;     // the scene as it ran, with all changes of the command line
  dynamics::State state;  // at or before the frame, with the method's memory
  double t_frame = 0.0;   // s
  std::string note;       // for the user: why bits may differ; "" if they do not
};

// Reads the last frame that is not after `at`, or the last of all frames. Changes may only affect
// `until` and `record...`, because other changes would make a different run. Throws InputError if
// the file cannot be continued, for example because its meshes have changed or the run has reached
// its end.
[[nodiscard]] Continuation read_continuation(const record::RunReader& run, std::optional<double> at,
                                             std::span<const scene::Override> changes,
                                             const scene::ReadLimits& limits);

}  // namespace tenpin::lab
