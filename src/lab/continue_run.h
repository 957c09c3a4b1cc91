// Takes up a run where a frame of its run file left it, with the same bits.
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
  scene::Scene scene;     // as it ran, with all changes of the command line
  dynamics::State state;  // at or before the frame, with the method's memory
  double t_frame = 0.0;   // s
  std::string note;       // for the user: why bits may differ; "" = they do not
};

// The last frame that is not after `at`, or the last of all. Changes may name `until` and
// `record...` only: everything else would make another run. Throws InputError where the file cannot
// be continued: its meshes have changed, say, or the run has reached its end.
[[nodiscard]] Continuation read_continuation(const record::RunReader& run, std::optional<double> at,
                                             std::span<const scene::Override> changes,
                                             const scene::ReadLimits& limits);

}  // namespace tenpin::lab
