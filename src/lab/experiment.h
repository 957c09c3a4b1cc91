// Experiments, of the papers and with exact answers: what is expected, what we get, and how close
// that must be.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin::lab {

// One number of a paper beside ours.
struct Finding {
  std::string id;        // experiment, e.g. ST00/rod
  std::string quantity;  // what it is, with its unit
  std::string source;    // where `paper` comes from: "paper", "claim", "reference", "limit", "ours"
  double paper = 0.0;    // as printed, or the number that `source` stands for
  double ours = 0.0;     // NaN when the simulation did not get there
  double tolerance = 0.0;  // |ours - paper| must not exceed it
  std::string reason;      // why that tolerance, and whose number it is compared with

  bool ok() const;
};

// A picture for the page.
struct Figure {
  std::string caption;  // begins with the paper's number, e.g. "Fig. 3: ..."
  std::string svg;
};

// Numbers side by side for the page; cells are plain text.
struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct ExperimentResult {
  std::vector<Finding> findings;
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<std::string> notes;  // what a reader should know: choices that are ours, errata
};

struct ExperimentOptions {
  std::string folder;         // holds scene.yaml and expected.json
  bool with_figures = false;  // figures and tables are made only when asked for
  std::function<void(const std::string& what)> on_progress;  // before each run; may be empty
};

struct Experiment {
  std::string_view id;  // PAPER/name or accuracy/name; its folder is experiments/<id>
  std::string_view title;
  ExperimentResult (*run)(const ExperimentOptions& options);
};

// Every experiment there is, in one table that can be read (experiments/experiments.cpp).
[[nodiscard]] std::span<const Experiment> all_experiments();

// "all", or ids; throws InputError naming the nearest one for an id that is not known.
[[nodiscard]] std::vector<const Experiment*> find_experiments(std::span<const std::string> ids);

// The folder of the experiments: $TENPIN_EXPERIMENTS, the installed one, or the source tree's.
// Throws InputError when there is none.
[[nodiscard]] std::string experiments_folder();

}  // namespace tenpin::lab
