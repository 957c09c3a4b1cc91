// Self-contained pages with the results of experiments: one per experiment, and an index.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"

namespace tenpin::lab {

// For example "ST00-rod.html".
[[nodiscard]] std::string page_name(const Experiment& experiment);

// The input of an experiment, and how users can run it themselves.
struct ExperimentInput {
  std::string title;  // "Scene" or "Impacts"
  std::string text;
  std::string command;
};

// Makes the page of an experiment: figures beside the paper's numbers (pass or fail), tables,
// notes, the scene and how to run it.
[[nodiscard]] std::string make_experiment_page(const Experiment& experiment,
                                               const ExperimentResult& result,
                                               const ExperimentInput& input);

struct ExperimentRun {
  const Experiment* experiment = nullptr;
  ExperimentResult result;
};
[[nodiscard]] std::string make_experiment_index(std::span<const ExperimentRun> runs);

// Makes a list of objects {id, quantity, source, paper, ours, tolerance, ok, reason}; `ours` is
// null if the simulation did not get there.
[[nodiscard]] std::string make_findings_json(std::span<const ExperimentRun> runs);

}  // namespace tenpin::lab
