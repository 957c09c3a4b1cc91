#include "lab/experiments/mc95_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "dynamics/kinematics.h"
#include "lab/experiments/scene_drawing.h"

namespace tenpin::lab::experiments {

namespace {

constexpr int kNumSnapshots = 6;

// The times and the camera of a series of pictures.
struct Snapshots {
  std::string_view id;
  std::array<double, kNumSnapshots> t;  // s
  Camera camera;
  std::vector<std::string> hidden;
  bool has_floor = false;  // draw the top of a hidden body at z = 0 as a square
};

std::vector<Snapshots> list_snapshots() {
  const Camera above = look_down();
  const Camera oblique = look_from(0.5, 0.5);
  return {
      {"MC95/pool", {0.0, 0.15, 0.2, 0.3, 0.6, 6.0}, above, {}},
      {"MC95/bowling",
       {2.4, 2.5, 2.6, 2.7, 2.9, 3.4},
       look_from(0.0, 0.6),
       {"oiled lane", "dry lane", "walls"}},
      {"MC95/platter", {0.0, 1.0, 2.0, 3.0, 8.0, 15.0}, look_from(0.0, 0.7), {}},
      {"MC95/block-drop", {0.0, 0.25, 0.35, 0.5, 0.8, 4.0}, oblique, {}},
      {"MC95/dominoes", {0.0, 0.1, 0.2, 0.3, 0.4, 2.0}, oblique, {}},
      {"MC95/chain", {0.0, 0.15, 0.25, 0.4, 0.6, 1.0}, look_from(0.0, 0.4), {}},
      {"MC95/coins", {0.0, 0.08, 0.15, 0.25, 0.5, 3.0}, look_from(0.3, 0.7), {"plate"}, true},
      {"MC95/dish", {0.0, 0.1, 0.3, 1.0, 3.0, 12.0}, look_from(0.3, 0.9), {}},
      {"MC95/ramp-decelerating", {0.0, 0.5, 1.0, 2.0, 3.0, 6.0}, {}, {}},
      {"MC95/ramp-accelerating", {0.0, 1.0, 1.5, 2.0, 3.0, 4.0}, {}, {}},
  };
}

// Poses of all bodies: the mobile ones from the sample, the others from the scene.
std::vector<Pose> calc_poses(const Mc95Run& run, const TrackSample& sample) {
  const dynamics::Model& model = run.built.model;
  std::vector<Pose> X_WB;
  update_poses(model, run.built.state.q, sample.t, &X_WB);
  std::size_t next = 0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (!model.bodies[i].is_mobile()) continue;
    X_WB[i] = {.R = sample.bodies[next].R, .p = sample.bodies[next].p};
    ++next;
  }
  return X_WB;
}

// Draws boxes with a line of text each, and arrows between them.
void add_box(const PlotPoint& at, const std::vector<std::string>& lines, Plot* plot) {
  constexpr double kHalfWidth = 1.45;
  constexpr double kLine = 0.32;
  constexpr double kPixelsPerLine = 16.0;
  const double half = 0.5 * kLine * static_cast<double>(lines.size()) + 0.2;
  plot->outlines.push_back({.points = {{at.x - kHalfWidth, at.y - half},
                                       {at.x + kHalfWidth, at.y - half},
                                       {at.x + kHalfWidth, at.y + half},
                                       {at.x - kHalfWidth, at.y + half}},
                            .colour = Colour::kBlue,
                            .fill = 0.12});
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const double row = static_cast<double>(k) - 0.5 * static_cast<double>(lines.size() - 1);
    plot->labels.push_back({.at = at, .text = lines[k], .dy = kPixelsPerLine * row + 4.0});
  }
}

}  // namespace

void add_figure(const std::string& caption, const Plot& plot, ExperimentResult* result) {
  Plot described = plot;
  described.description = caption;
  result->figures.push_back({caption, draw_svg(described)});
}

void draw_snapshots(const Mc95Run& run, ExperimentResult* result) {
  const std::vector<Snapshots> list = list_snapshots();
  const auto found = std::find_if(list.begin(), list.end(), [&run](const Snapshots& s) {
    return s.id == run.id;
  });
  TENPIN_DEMAND(found != list.end());
  Moments moments{.camera = found->camera, .hidden = found->hidden};
  if (found->has_floor) moments.floor = 0.0;
  for (const double t : found->t) {
    const TrackSample& sample = run.track.at(t);
    moments.t.push_back(sample.t);
    moments.poses.push_back(calc_poses(run, sample));
  }
  result->figures.push_back(
      draw_moments(run.built.model, moments, "Fig. 12: snapshots of this simulation"));
}

void draw_rate(const Mc95Run& run, double window, const std::string& caption,
               ExperimentResult* result) {
  constexpr double kSameTime = 1e-9;  // s
  Plot plot{.x_label = "t (s)", .y_label = "collisions (kHz)"};
  Series rate{.name = ""};
  double impacts = 0.0;
  double begin = 0.0;
  for (const TrackSample& s : run.track.samples) {
    impacts += static_cast<double>(s.impacts);
    if (s.t < begin + window - kSameTime) continue;
    rate.points.push_back({s.t, 1e-3 * impacts / window});
    impacts = 0.0;
    begin = s.t;
  }
  plot.series.push_back(rate);
  add_figure(caption, plot, result);
}

void draw_paths(const Mc95Run& run, ExperimentResult* result) {
  constexpr int kColours = 7;
  Plot plot{.x_label = "x (m)", .y_label = "y (m)", .equal_scale = true};
  for (std::size_t i = 0; i < run.track.bodies.size(); ++i) {
    Series path{.name = i < kColours ? run.track.bodies[i].name : "",
                .colour = static_cast<Colour>(i % kColours)};
    for (const TrackSample& s : run.track.samples) {
      path.points.push_back({s.bodies[i].p.x(), s.bodies[i].p.y()});
    }
    plot.series.push_back(path);
  }
  add_figure("Paths of the bodies, from above", plot, result);
}

void draw_terrain(const Mc95Run& run, ExperimentResult* result) {
  constexpr double kFlash = 0.05;  // s   between two pictures of the ball
  const double radius = std::get<shapes::Sphere>(run.built.model.parts.back().placed.shape).radius;
  const std::vector<Pose> X_WB = calc_poses(run, run.track.start());
  const std::vector<std::vector<Pose>> ends = {X_WB, calc_poses(run, run.track.end())};
  Plot plot = draw_bodies(run.built.model, X_WB, calc_view(run.built.model, ends));
  plot.width = 900.0;
  Series path{.name = "", .colour = Colour::kVermilion};
  double next = 0.0;
  for (const TrackSample& s : run.track.samples) {
    const PlotPoint at{s.bodies[0].p.x(), s.bodies[0].p.z()};
    path.points.push_back(at);
    if (s.t < next) continue;
    next += kFlash;
    plot.outlines.push_back(
        {.points = make_circle(at, radius), .colour = Colour::kBlue, .width = 0.8});
  }
  plot.series.push_back(path);
  add_figure(
      fmt::format("Fig. 1: a ball bounces along the terrain, goes up the ramp, leaves it and "
                  "settles into a roll, all by impulses; a picture every {} s",
                  kFlash),
      plot, result);
}

void draw_heap(const Mc95Run& run, ExperimentResult* result) {
  const methods::EventCounts& c = run.track.counts;
  Plot plot{.x_range = Range{-1.7, 9.7},
            .y_range = Range{-1.9, 1.9},
            .equal_scale = true,
            .axes = false,
            .width = 760.0};
  add_box(
      {0.0, 0.0},
      {"dynamic state", "all bodies fly", "to the time on top", fmt::format("{} times", c.events)},
      &plot);
  add_box(
      {4.0, 1.1},
      {"closest features (Lin-Canny)", "of the pair on top", fmt::format("{}", c.distance_queries)},
      &plot);
  add_box({4.0, -1.1}, {"impact", "if nearer than the envelope", fmt::format("{}", c.impacts)},
          &plot);
  add_box({8.0, 0.0},
          {"collision heap", "pairs, the earliest bound", "on the time of impact on top",
           fmt::format("{} operations", c.heap_operations)},
          &plot);
  plot.arrows = {{{1.5, 0.4}, {2.5, 0.9}},
                 {{5.5, 0.9}, {6.5, 0.4}},
                 {{4.0, 0.35}, {4.0, -0.35}},
                 {{5.5, -0.9}, {6.5, -0.4}},
                 {{2.5, -0.9}, {1.5, -0.4}}};
  add_figure(
      "Fig. 2: collisions are prioritized in a heap, sorted by a lower bound on each pair's time "
      "of "
      "impact; the numbers are of this run",
      plot, result);
}

}  // namespace tenpin::lab::experiments
