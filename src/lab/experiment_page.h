// Pages that show what experiments came to: self-contained, one per experiment, and an index.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"

namespace tenpin::lab {

// "ST00-rod.html"
[[nodiscard]] std::string page_name(const Experiment& experiment);

// What an experiment was made from, and how a user runs that by itself.
struct ExperimentInput {
  std::string title;  // "Scene" or "Impacts"
  std::string text;
  std::string command;
};

// Figures beside the paper's numbers (pass or fail), tables, notes, the scene and how to run it.
[[nodiscard]] std::string make_experiment_page(const Experiment& experiment,
                                               const ExperimentResult& result,
                                               const ExperimentInput& input);

struct ExperimentRun {
  const Experiment* experiment = nullptr;
  ExperimentResult result;
};
[[nodiscard]] std::string make_experiment_index(std::span<const ExperimentRun> runs);

// A list of objects {id, quantity, source, paper, ours, tolerance, ok, reason}; `ours` is null when
// the simulation did not get there.
[[nodiscard]] std::string make_findings_json(std::span<const ExperimentRun> runs);

}  // namespace tenpin::lab
