// The accuracy scenes: motions with known exact solutions, each run under every method that
// supports it. The comparison with other engines uses the same scenes and measurements.
#pragma once

#include <string_view>

#include "lab/experiment.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/track.h"

namespace tenpin::lab::experiments {

struct AccuracyScene {
  std::string_view name;     // its folder is experiments/accuracy/<name>
  std::string_view y_label;  // y label of its figure, which shows `curve` over time
  double (*curve)(const Track& track, const TrackSample& sample);
  void (*measure)(const Track& track, Measurements* m);  // accuracy_measures.cpp lists the keys
};

// Returns nullptr if there is no scene of that name.
[[nodiscard]] const AccuracyScene* find_accuracy_scene(std::string_view name);

// The measurements of the scene. All scenes have
//    gain      -   largest rise of the energy above its earlier values, relative to the
//                  largest energy
[[nodiscard]] Measurements measure_accuracy(const AccuracyScene& scene, const Track& track);

// Runs scene.yaml of the experiment's folder in each way that its expected.json lists as a run.
// The keys of the scene are prefixed with that of the run, RUN/KEY. In addition:
//   RUN/finished   -   1 if the run reached its end
//   ledger         -   worst error of the energy ledger over the largest energy, of all runs
//   residual       -   worst certified residual, of all runs
[[nodiscard]] ExperimentResult run_accuracy(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
