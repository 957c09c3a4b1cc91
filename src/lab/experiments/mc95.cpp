#include "lab/experiments/mc95.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "lab/experiments/mc95_track.h"
#include "lab/svg_plot.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

// What one of the experiments measures and draws.
struct Mc95Case {
  std::string_view id;
  void (*measure)(const Track& track, Measurements* m);
  void (*draw)(const Track& track, ExperimentResult* result);
};

ExperimentResult run_case(const Mc95Case& experiment, const ExperimentOptions& options) {
  if (options.on_progress) options.on_progress("scene.yaml");
  const Track track = record_track(options.folder + "/scene.yaml");
  Measurements m;
  measure_run(track, &m);
  experiment.measure(track, &m);
  ExperimentResult result = make_result(experiment.id, options, track, m);
  if (options.with_figures) experiment.draw(track, &result);
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

void add_figure(const std::string& caption, const Plot& plot, ExperimentResult* result) {
  Plot described = plot;
  described.description = caption;
  result->figures.push_back({caption, draw_svg(described)});
}

// How often bodies collided: Fig. 5 of the pool break, and the like for the others.
void draw_rate(const Track& track, ExperimentResult* result) {
  Plot plot{.x_label = "t (s)", .y_label = "collisions (kHz)"};
  Series rate{.name = ""};
  for (std::size_t i = 1; i < track.samples.size(); ++i) {
    const double h = track.samples[i].t - track.samples[i - 1].t;
    const auto impacts = static_cast<double>(track.samples[i].impacts);
    rate.points.push_back({track.samples[i].t, 1e-3 * impacts / h});
  }
  plot.series.push_back(rate);
  add_figure("Collision rate (Fig. 5 of the pool break)", plot, result);
}

// Seen from above: where every body went.
void draw_plan(const Track& track, ExperimentResult* result) {
  constexpr int kColours = 7;
  Plot plot{.x_label = "x (m)", .y_label = "y (m)", .equal_scale = true};
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    Series way{.name = i < kColours ? track.bodies[i].name : "",
               .colour = static_cast<Colour>(i % kColours)};
    for (const TrackSample& s : track.samples) {
      way.points.push_back({s.bodies[i].p.x(), s.bodies[i].p.y()});
    }
    plot.series.push_back(way);
  }
  add_figure("The ways of the bodies, from above (Fig. 12 shows snapshots)", plot, result);
  draw_rate(track, result);
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

// Figs. 6 to 9, theory beside.
void draw_ramp(const Track& track, ExperimentResult* result) {
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
}

// ---- the others

void measure_platter(const Track& track, Measurements* m) {
  double angle = 0.0;
  for (std::size_t i = 1; i < track.samples.size(); ++i) {
    const Vec3& p = track.samples[i - 1].bodies[0].p;
    const Vec3& q = track.samples[i].bodies[0].p;
    angle += arc_tangent(p.x() * q.y() - p.y() * q.x(), p.x() * q.x() + p.y() * q.y());
  }
  (*m)["rate"] = angle / track.end().t;
  (*m)["growth"] = horizontal(track.end().bodies[0].p) / horizontal(track.start().bodies[0].p);
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
  // A pin that leans by more than 30 degrees, or left its place for the pit, is down.
  double fallen = 0.0;
  for (std::size_t i = 0; i < track.bodies.size(); ++i) {
    const TrackedBody& body = track.end().bodies[i];
    const bool is_pin = track.bodies[i].name.starts_with("pin");
    fallen += is_pin && (body.upright().z() < 0.866 || body.p.z() < 0.1) ? 1.0 : 0.0;
  }
  (*m)["fallen"] = fallen > 5.0 ? 1.0 : 0.0;
}

constexpr std::array<Mc95Case, 10> kCases = {{
    {"MC95/pool", measure_pool, draw_plan},
    {"MC95/ramp-decelerating", measure_ramp, draw_ramp},
    {"MC95/ramp-accelerating", measure_ramp, draw_ramp},
    {"MC95/bowling", measure_bowling, draw_plan},
    {"MC95/platter", measure_platter, draw_plan},
    {"MC95/block-drop", measure_block_drop, draw_rate},
    {"MC95/dominoes", measure_dominoes, draw_rate},
    {"MC95/chain", measure_chain, draw_plan},
    {"MC95/coins", measure_coins, draw_plan},
    {"MC95/dish", measure_dish, draw_plan},
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
