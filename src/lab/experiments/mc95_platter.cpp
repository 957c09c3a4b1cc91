// Why the circle grows under an impulse method. In rolling, 2/7 of any change of the disc's
// velocity at the contact is added to the ball's velocity v: dv/dt = w x v with w = (2/7) Omega,
// which gives a circle. An impact that stops the contact point on the disc, after a straight flight
// of h seconds, gives
//     v+ = v- + h w x v-,     |v+|^2 = |v-|^2 (1 + (w h)^2):
// the explicit Euler rule, whose radius grows as exp(w^2 h t / 2). A microcollision reverses the
// contact's velocity instead; its mean over two flights is zero, and the circle closes.
#include "lab/experiments/mc95_platter.h"

#include <algorithm>
#include <cmath>

#include "lab/experiments/mc95_figures.h"
#include "lab/experiments/mc95_track.h"
#include "math/trig.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

double calc_radius(const TrackSample& sample) {
  const Vec3& p = sample.bodies[0].p;
  return std::sqrt(p.x() * p.x() + p.y() * p.y());
}

// rad   The angle about the disc's axis, from start to end.
double calc_angle(const Track& track) {
  double angle = 0.0;
  for (std::size_t i = 1; i < track.samples.size(); ++i) {
    const Vec3& p = track.samples[i - 1].bodies[0].p;
    const Vec3& q = track.samples[i].bodies[0].p;
    angle += arc_tangent(p.x() * q.y() - p.y() * q.x(), p.x() * q.x() + p.y() * q.y());
  }
  return angle;
}

// The run until the ball leaves the disc, and the growth of its radius.
struct Spiral {
  Track track;  // samples on the disc
  bool has_rolled_off = false;
  double growth = 0.0;     // 1/s   of the logarithm of the radius
  double predicted = 0.0;  // 1/s   w^2 h / 2, with h the mean time between impacts
};

Spiral record_spiral(const std::string& file, double orbit_rate) {
  constexpr double kEdge = 0.5;  // m   of the scene's disc
  const scene::Override changes[] = {{"method.impulse.microcollisions", "false"}, {"until", "240"}};
  Spiral spiral{.track = record_track(file, changes)};
  std::vector<TrackSample>& samples = spiral.track.samples;
  const auto edge = std::find_if(samples.begin(), samples.end(), [](const TrackSample& s) {
    return calc_radius(s) > kEdge;
  });
  spiral.has_rolled_off = edge != samples.end() && samples.back().bodies[0].p.z() < 0.0;
  samples.erase(edge, samples.end());
  double impacts = 0.0;
  for (const TrackSample& s : samples) impacts += static_cast<double>(s.impacts);
  const double t = samples.back().t;
  spiral.growth = std::log(calc_radius(samples.back()) / calc_radius(samples.front())) / t;
  spiral.predicted = 0.5 * orbit_rate * orbit_rate * t / impacts;
  return spiral;
}

Series make_path(const std::string& name, Colour colour, const Track& track) {
  Series series{.name = name, .colour = colour};
  for (const TrackSample& s : track.samples) {
    series.points.push_back({s.bodies[0].p.x(), s.bodies[0].p.y()});
  }
  return series;
}

void draw_paths(const Mc95Run& run, const Spiral& spiral, ExperimentResult* result) {
  Plot plot{.x_label = "x (m)", .y_label = "y (m)", .equal_scale = true, .width = 620.0};
  plot.outlines.push_back({.points = make_circle({0.0, 0.0}, 0.5), .fill = 0.05});
  plot.series = {make_path("each impact sticks", Colour::kVermilion, spiral.track),
                 make_path("microcollisions", Colour::kBlue, run.track),
                 {.name = "exact circle",
                  .points = make_circle({0.0, 0.0}, calc_radius(run.track.start())),
                  .colour = Colour::kInk,
                  .dashed = true}};
  add_figure("The ball's path on the disc, from above, until it rolls off", plot, result);
}

void draw_radius(const Mc95Run& run, const Spiral& spiral, ExperimentResult* result) {
  Plot plot{.x_label = "t (s)", .y_label = "distance from the axis (m)"};
  Series grown{.name = "each impact sticks", .colour = Colour::kVermilion};
  Series theory{.name = "Euler's rule: exp(w² h t / 2)", .colour = Colour::kInk, .dashed = true};
  const double start = calc_radius(run.track.start());
  for (const TrackSample& s : spiral.track.samples) {
    grown.points.push_back({s.t, calc_radius(s)});
    theory.points.push_back({s.t, start * std::exp(spiral.predicted * s.t)});
  }
  Series kept{.name = "microcollisions", .colour = Colour::kBlue};
  for (const TrackSample& s : run.track.samples) kept.points.push_back({s.t, calc_radius(s)});
  plot.series = {grown, theory, kept};
  add_figure("Circles of gradually increasing radii, until the ball rolls off", plot, result);
}

}  // namespace

ExperimentResult run_mc95_platter(const ExperimentOptions& options) {
  if (options.on_progress) options.on_progress("scene.yaml");
  const std::string file = options.folder + "/scene.yaml";
  const Mc95Run run{.id = "MC95/platter",
                    .built = scene::build(scene::read_scene(file)),
                    .track = record_track(file)};
  Measurements m;
  measure_run(run.track, &m);
  m["rate"] = calc_angle(run.track) / run.track.end().t;
  m["growth"] = calc_radius(run.track.end()) / calc_radius(run.track.start());
  const Spiral spiral = record_spiral(file, m["rate"]);
  m["rolls_off"] = spiral.has_rolled_off ? 1.0 : 0.0;
  m["explicit_growth"] = spiral.growth / spiral.predicted;
  ExperimentResult result = make_result(run.id, options, run.track, m);
  if (!options.with_figures) return result;
  draw_paths(run, spiral, &result);
  draw_radius(run, spiral, &result);
  draw_snapshots(run, &result);
  return result;
}

}  // namespace tenpin::lab::experiments
