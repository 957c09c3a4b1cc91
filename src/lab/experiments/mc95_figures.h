// Figures that several experiments of [MC95] share.
#pragma once

#include <string>
#include <string_view>

#include "lab/experiment.h"
#include "lab/experiments/track.h"
#include "lab/svg_plot.h"
#include "scene/build.h"

namespace tenpin::lab::experiments {

// A run and its scene.
struct Mc95Run {
  std::string_view id;  // of the experiment
  scene::Built built;
  Track track;
};

void add_figure(const std::string& caption, const Plot& plot, ExperimentResult* result);

// Draws [MC95, Fig. 12]: the bodies at six moments.
void draw_snapshots(const Mc95Run& run, ExperimentResult* result);

// Draws the rate of collisions, counted over windows of some seconds.
void draw_rate(const Mc95Run& run, double window, const std::string& caption,
               ExperimentResult* result);

// Draws the paths of all bodies as seen from above.
void draw_paths(const Mc95Run& run, ExperimentResult* result);

// Draws [MC95, Fig. 1]: the ball along the terrain, from the side.
void draw_terrain(const Mc95Run& run, ExperimentResult* result);

// Draws [MC95, Fig. 2]: how the next collision is found, with the counts of this run.
void draw_heap(const Mc95Run& run, ExperimentResult* result);

}  // namespace tenpin::lab::experiments
