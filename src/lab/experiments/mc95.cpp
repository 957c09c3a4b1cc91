#include "lab/experiments/mc95.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "lab/experiments/mc95_figures.h"
#include "lab/experiments/mc95_track.h"
#include "lab/svg_plot.h"
#include "math/trig.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

// How one of the experiments is measured and drawn.
struct Mc95Case {
  std::string_view id;
  void (*measure)(const Track& track, Measurements* m);
  void (*draw)(const Mc95Run& run, ExperimentResult* result);
};

ExperimentResult run_case(const Mc95Case& experiment, const ExperimentOptions& options) {
  if (options.on_progress) options.on_progress("scene.yaml");
  const std::string file = options.folder + "/scene.yaml";
  const Mc95Run run{.id = experiment.id,
                    .built = scene::build(scene::read_scene(file)),
                    .track = record_track(file)};
  Measurements m;
  measure_run(run.track, &m);
  experiment.measure(run.track, &m);
  ExperimentResult result = make_result(experiment.id, options, run.track, m);
  if (options.with_figures) experiment.draw(run, &result);
  return result;
}

double horizontal(const Vec3& v) {
  return std::sqrt(v.x() * v.x() + v.y() * v.y());
}

double count_bodies(const TrackSample& sample, bool (*is)(const TrackedBody& body)) {
  return static_cast<double>(std::count_if(sample.bodies.begin(), sample.bodies.end(), is));
}

double calc_fastest(const TrackSample& sample) {
  double fastest = 0.0;
  for (const TrackedBody& body : sample.bodies) fastest = std::max(fastest, body.v.norm());
  return fastest;
}

Series make_series(const Track& track, const std::string& name, Colour colour,
                   double (*value)(const TrackSample& sample)) {
  Series series{.name = name, .colour = colour};
  for (const TrackSample& s : track.samples) series.points.push_back({s.t, value(s)});
  return series;
}

// ---- pool break

void measure_pool(const Track& track, Measurements* m) {
  double moved = 0.0;
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    moved += (track.end().bodies[i].p - track.start().bodies[i].p).norm() > 0.05 ? 1.0 : 0.0;
  }
  double peak = 0.0;
  double late = 0.0;  // kHz   in the last second
  const double t_end = track.end().t;
  for (const TrackSample& s : track.samples) {
    peak = std::max(peak, static_cast<double>(s.impacts));
    if (s.t > t_end - 1.0) late += 1e-3 * static_cast<double>(s.impacts);
  }
  (*m)["moved"] = moved;
  (*m)["burst"] = peak > 2.0 * (0.01 * 1e3 * late) ? 1.0 : 0.0;
  (*m)["late_rate"] = late >= 1.0 && late < 10.0 ? 1.0 : 0.0;
}

// ---- ramps

double way_down(const TrackSample& s) {
  const SinCos slope = sin_cos(kPi / 12.0);
  return slope.cos * s.bodies[0].p.x() - slope.sin * s.bodies[0].p.z();
}

double speed_down(const TrackSample& s) {
  const SinCos slope = sin_cos(kPi / 12.0);
  return slope.cos * s.bodies[0].v.x() - slope.sin * s.bodies[0].v.z();
}

void measure_ramp(const Track& track, Measurements* m) {
  (*m)["acceleration"] =
      way_down(track.at(2.5)) - 2.0 * way_down(track.at(1.5)) + way_down(track.at(0.5));
  (*m)["creep"] = way_down(track.end()) - way_down(track.at(track.end().t - 1.5));
  (*m)["way"] = way_down(track.end()) - way_down(track.start());
}

// Draws Figs. 6 to 9, with theory for comparison.
void draw_ramp(const Mc95Run& run, ExperimentResult* result) {
  const Track& track = run.track;
  const double a =
      way_down(track.at(2.5)) - 2.0 * way_down(track.at(1.5)) + way_down(track.at(0.5));
  const bool stops = a < 0.0;
  const SinCos slope = sin_cos(kPi / 12.0);
  const double theory = 9.81 * (slope.sin - (stops ? 0.3 : 0.25) * slope.cos);
  const double v0 = stops ? 1.0 : 0.0;
  const double end = stops ? -v0 / theory : track.end().t;
  Series speed{.name = "theory", .colour = Colour::kInk, .dashed = true};
  Series way = speed;
  for (const TrackSample& s : track.samples) {
    const double t = std::min(s.t, end);
    speed.points.push_back({s.t, v0 + theory * t});
    way.points.push_back({s.t, v0 * t + 0.5 * theory * t * t});
  }
  Plot velocity{.x_label = "t (s)", .y_label = "velocity down the ramp (m/s)"};
  velocity.series = {make_series(track, "simulated", Colour::kBlue, speed_down), speed};
  add_figure(stops ? "Fig. 6: velocity, mu above critical" : "Fig. 8: velocity, mu below critical",
             velocity, result);
  Plot position{.x_label = "t (s)", .y_label = "way down the ramp (m)"};
  position.series = {make_series(track, "simulated", Colour::kBlue, way_down), way};
  add_figure(stops ? "Fig. 7: position, mu above critical" : "Fig. 9: position, mu below critical",
             position, result);
  draw_snapshots(run, result);
}

// ---- the others

void draw_pool(const Mc95Run& run, ExperimentResult* result) {
  draw_snapshots(run, result);
  draw_rate(run, 0.01, "Fig. 5: collision rate during the pool break, over 10 ms", result);
  draw_heap(run, result);
  draw_paths(run, result);
}

void draw_with_paths(const Mc95Run& run, ExperimentResult* result) {
  draw_snapshots(run, result);
  draw_paths(run, result);
  draw_rate(run, 0.05, "Collision rate, over 50 ms", result);
}

void draw_with_rate(const Mc95Run& run, ExperimentResult* result) {
  draw_snapshots(run, result);
  draw_rate(run, 0.05, "Collision rate, over 50 ms", result);
}

// Follows the ball along the terrain. Its ramp begins at x = 2 m and ends, 0.35 m high, at x = 3.2
// m.
void measure_terrain(const Track& track, Measurements* m) {
  constexpr double kRampStart = 2.0;  // m
  constexpr double kRampEnd = 3.2;    // m
  constexpr double kRadius = 0.1;     // m
  double hop = 0.0;                   // m   highest point before the ramp, after the first bounce
  double top = 0.0;                   // m   highest point beyond the ramp
  bool has_bounced = false;
  for (const TrackSample& s : track.samples) {
    const TrackedBody& ball = s.bodies[0];
    has_bounced = has_bounced || ball.v.z() > 0.1;
    if (has_bounced && ball.p.x() < kRampStart) hop = std::max(hop, ball.p.z() - kRadius);
    if (ball.p.x() > kRampEnd) top = std::max(top, ball.p.z() - kRadius);
  }
  const TrackedBody& end = track.end().bodies[0];
  (*m)["hop"] = hop > 0.01 ? 1.0 : 0.0;
  (*m)["leap"] = top > 0.35 ? 1.0 : 0.0;
  (*m)["slip"] = std::fabs(end.v.x() - end.w.y() * kRadius) / end.v.norm();
  (*m)["height"] = end.p.z() - kRadius;
}

void measure_block_drop(const Track& track, Measurements* m) {
  const TrackedBody& lower = track.end().bodies[track.index("lower")];
  const TrackedBody& upper = track.end().bodies[track.index("upper")];
  (*m)["height"] = upper.p.z() - lower.p.z();
  (*m)["speed"] = calc_fastest(track.end());
}

void measure_dominoes(const Track& track, Measurements* m) {
  (*m)["fallen"] = count_bodies(track.end(), [](const TrackedBody& b) {
    return b.upright().z() < 0.7;
  });
}

void measure_chain(const Track& track, Measurements* m) {
  const TrackSample& after = track.at(0.6);
  double others = 0.0;
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    if (track.bodies[i].name != "ball 5") others = std::max(others, after.bodies[i].v.x());
  }
  (*m)["launched"] = after.bodies[track.index("ball 5")].v.x();
  (*m)["others"] = others;
}

void measure_coins(const Track& track, Measurements* m) {
  (*m)["speed"] = calc_fastest(track.end());
  (*m)["on_others"] = count_bodies(track.end(),
                                   [](const TrackedBody& b) {
                                     return b.p.z() > 0.0018;
                                   }) > 0.0
                          ? 1.0
                          : 0.0;
  (*m)["on_plate"] = count_bodies(track.end(), [](const TrackedBody& b) {
    return horizontal(b.p) < 0.3 && b.p.z() > 0.0;
  });
}

void measure_dish(const Track& track, Measurements* m) {
  (*m)["middle"] = count_bodies(track.end(), [](const TrackedBody& b) {
    return horizontal(b.p) < 0.004;
  });
  (*m)["around"] = count_bodies(track.end(), [](const TrackedBody& b) {
    return horizontal(b.p) > 0.036 && horizontal(b.p) < 0.045;
  });
}

void measure_bowling(const Track& track, Measurements* m) {
  // A pin counts as down if it leans by more than 30 degrees or has fallen into the pit.
  double fallen = 0.0;
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    const TrackedBody& body = track.end().bodies[i];
    const bool is_pin = track.bodies[i].name.starts_with("pin");
    fallen += is_pin && (body.upright().z() < 0.866 || body.p.z() < 0.1) ? 1.0 : 0.0;
  }
  (*m)["fallen"] = fallen > 5.0 ? 1.0 : 0.0;
}

constexpr std::array<Mc95Case, 10> kCases = {{
    {"MC95/terrain", measure_terrain, draw_terrain},
    {"MC95/pool", measure_pool, draw_pool},
    {"MC95/ramp-decelerating", measure_ramp, draw_ramp},
    {"MC95/ramp-accelerating", measure_ramp, draw_ramp},
    {"MC95/bowling", measure_bowling, draw_with_paths},
    {"MC95/block-drop", measure_block_drop, draw_with_rate},
    {"MC95/dominoes", measure_dominoes, draw_with_rate},
    {"MC95/chain", measure_chain, draw_with_rate},
    {"MC95/coins", measure_coins, draw_with_paths},
    {"MC95/dish", measure_dish, draw_with_paths},
}};

}  // namespace

ExperimentResult run_mc95(const ExperimentOptions& options) {
  const std::string id = "MC95/" + std::filesystem::path(options.folder).filename().string();
  const auto* found = std::find_if(kCases.begin(), kCases.end(), [&](const Mc95Case& c) {
    return c.id == id;
  });
  TENPIN_DEMAND(found != kCases.end());
  return run_case(*found, options);
}

}  // namespace tenpin::lab::experiments
