// The pictures and tables of [ST00, §4.2], and of its friction cone.
#pragma once

#include <array>
#include <map>
#include <string>

#include "lab/experiment.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/recording.h"

namespace tenpin::lab::experiments {

using BallRecordings = std::map<std::string, Recording, std::less<>>;  // by "formulation/step"

inline constexpr std::array<const char*, 3> kBallFormulations = {"position", "nonlinear",
                                                                 "velocity"};
inline constexpr std::array<const char*, 5> kBallSteps = {"0.02", "0.01", "0.005", "0.0025",
                                                          "0.00125"};

// Draws the figures and tables. Measurements are those of every formulation and step: vel_error,
// pos_error, variation. Findings provide the paper's column of Table 1.
void draw_ball_figures(const BallRecordings& recordings, const Measurements& measurements,
                       ExperimentResult* result);

}  // namespace tenpin::lab::experiments
