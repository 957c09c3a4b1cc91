// The pictures and tables of [ST00, §4.1].
#pragma once

#include <map>
#include <string>

#include "lab/experiment.h"
#include "lab/experiments/recording.h"

namespace tenpin::lab::experiments {

using RodRecordings = std::map<std::string, Recording, std::less<>>;  // by key_of()

// Draws the figures and tables. Needs the runs of every formulation and lever at h = 0.04, 0.01,
// 0.0025 and, for the full lever, those at the steps of the limit.
void draw_rod_figures(const RodRecordings& recordings, ExperimentResult* result);

}  // namespace tenpin::lab::experiments
