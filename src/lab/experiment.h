// Experiments from the papers and with exact solutions: the expected numbers, the measured numbers,
// and the tolerances.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin::lab {

// A number from a paper and the measured number.
struct Finding {
  std::string id;          // experiment, e.g. ST00/rod
  std::string quantity;    // what is measured, with its unit
  std::string source;      // origin of `paper`: "paper", "claim", "reference", "limit", "ours"
  double paper = 0.0;      // as printed, or the number from `source`
  double ours = 0.0;       // measured number; NaN if the simulation did not get there
  double tolerance = 0.0;  // |ours - paper| must not exceed it
  std::string reason;      // why that tolerance was chosen, and where the number comes from

  bool ok() const;
};

// A picture for the page.
struct Figure {
  std::string caption;  // begins with the paper's number, e.g. "Fig. 3: ..."
  std::string svg;
};

// Numbers in a table for the page; cells are plain text.
struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct ExperimentResult {
  std::vector<Finding> findings;
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<std::string> notes;  // for the reader: choices of this implementation, errata
};

struct ExperimentOptions {
  std::string folder;         // holds scene.yaml and expected.json
  bool with_figures = false;  // figures and tables are made only on request
  std::function<void(const std::string& what)> on_progress;  // before each run; may be empty
};

struct Experiment {
  std::string_view id;  // PAPER/name or accuracy/name; its folder is experiments/<id>
  std::string_view title;
  ExperimentResult (*run)(const ExperimentOptions& options);
};

// All experiments, listed in experiments/experiments.cpp.
[[nodiscard]] std::span<const Experiment> all_experiments();

// Finds experiments by "all" or by ids. Throws InputError that suggests the nearest id for an
// unknown one.
[[nodiscard]] std::vector<const Experiment*> find_experiments(std::span<const std::string> ids);

// The folder of the experiments: $TENPIN_EXPERIMENTS, the installed folder, or that of the source
// tree. Throws InputError if there is none.
[[nodiscard]] std::string experiments_folder();

}  // namespace tenpin::lab
