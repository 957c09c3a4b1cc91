// Pages that show what experiments came to: self-contained, one per experiment, and an index.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"

namespace tenpin::lab {

// "ST00-rod.html"
[[nodiscard]] std::string page_name(const Experiment& experiment);

// Numbers in a table (pass or fail), figures, notes, the scene to run.
[[nodiscard]] std::string make_experiment_page(const Experiment& experiment,
                                               const ExperimentResult& result,
                                               const std::string& scene_text);

struct ExperimentRun {
  const Experiment* experiment = nullptr;
  ExperimentResult result;
};
[[nodiscard]] std::string make_experiment_index(std::span<const ExperimentRun> runs);

// A list of objects {id, quantity, source, paper, ours, tolerance, ok, reason}; `ours` is null when
// the simulation did not get there.
[[nodiscard]] std::string make_findings_json(std::span<const ExperimentRun> runs);

}  // namespace tenpin::lab
