#include "lab/experiments/event_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dynamics/kinematics.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/recording.h"
#include "lab/svg_plot.h"
#include "math/trig.h"
#include "scene/build.h"

namespace tenpin::lab::experiments {

namespace {

// --- measurements --------------------------------------------------------------------------------

double calc_gain(const Recording& run) {
  double gain = 0.0;
  double before = run.summary.energy_start;
  for (const RecordedStep& step : run.steps) {
    gain = std::max(gain, step.ledger.total() - before);
    before = step.ledger.total();
  }
  return gain / run.summary.largest_energy;
}

double calc_mean_force(const Recording& run) {
  double impulse = 0.0;
  for (const RecordedStep& step : run.steps) {
    for (const contact::ContactRecord& c : step.contacts) impulse += c.normal_impulse;
  }
  return impulse / run.summary.t;
}

Measurements measure(const Recording& run, const dynamics::Model& model) {
  Measurements m;
  m["finished"] = run.finished() ? 1.0 : 0.0;
  m["residual"] = run.summary.worst.residual;
  m["penetration"] = run.summary.worst.penetration;
  m["closure"] = calc_closure(run);
  m["gain"] = calc_gain(run);
  m["force"] = calc_mean_force(run);
  const dynamics::State& end = run.summary.state;
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  update_poses(model, end.q, end.t, &X);
  update_twists(model, X, end.v, end.t, &V);
  double speed = 0.0;
  for (int i = 0; i < model.num_bodies(); ++i) {
    const std::string& name = model.bodies[i].name;
    const char* axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
      m[fmt::format("{}/{}", axes[k], name)] = X[i].p[k];
      m[fmt::format("v_{}/{}", axes[k], name)] = V[i].v[k];
    }
    speed = std::max(speed, V[i].v.norm());
  }
  m["speed"] = speed;
  return m;
}

// --- figures -------------------------------------------------------------------------------------

PlotPoint seen_from_the_side(const Vec3& p) {
  return {p.x(), p.z()};
}

// A part's outline along y, or nothing for shapes that go on for ever.
std::vector<PlotPoint> calc_outline(const shapes::PlacedShape& placed, const Pose& X_WB) {
  const Pose X_WS = X_WB * placed.X_BS;
  if (const auto* box = std::get_if<shapes::Box>(&placed.shape)) {
    std::vector<PlotPoint> corners;
    for (const auto& [x, z] : {std::pair(1, 1), {-1, 1}, {-1, -1}, {1, -1}}) {
      corners.push_back(seen_from_the_side(X_WS * Vec3(x * box->half.x(), 0.0, z * box->half.z())));
    }
    return corners;
  }
  if (const auto* capsule = std::get_if<shapes::Capsule>(&placed.shape)) {
    const Vec3 axis = X_WS.R.col(2);
    return make_capsule(seen_from_the_side(X_WS.p), arc_tangent(axis.z(), axis.x()),
                        capsule->half_length, capsule->radius);
  }
  if (const auto* cylinder = std::get_if<shapes::Cylinder>(&placed.shape)) {
    return make_circle(seen_from_the_side(X_WS.p), cylinder->radius);
  }
  if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
    return make_circle(seen_from_the_side(X_WS.p), sphere->radius);
  }
  return {};
}

void add_bodies(const dynamics::Model& model, const VecX& q, double t, double fill, Plot* plot) {
  constexpr Colour kColours[] = {Colour::kBlue,   Colour::kVermilion, Colour::kGreen,
                                 Colour::kPurple, Colour::kOrange,    Colour::kSky};
  std::vector<Pose> X;
  update_poses(model, q, t, &X);
  for (const dynamics::Part& part : model.parts) {
    Outline outline;
    outline.points = calc_outline(part.placed, X[part.body]);
    if (outline.points.empty()) continue;
    const bool moves = model.bodies[part.body].is_mobile();
    outline.colour = moves ? kColours[part.body % std::size(kColours)] : Colour::kInk;
    outline.fill = fill;
    plot->outlines.push_back(std::move(outline));
  }
}

// The state at a moment, and at all before it the last.
Figure draw_frame(const Recording& run, const dynamics::Model& model, double t) {
  const RecordedStep* shown = nullptr;
  for (const RecordedStep& step : run.steps) {
    if (step.t <= t) shown = &step;
  }
  Plot plot{.x_label = "x / m", .y_label = "z / m", .equal_scale = true};
  add_bodies(model, shown == nullptr ? run.q : shown->q, t, 0.25, &plot);
  if (shown != nullptr) {
    for (const contact::ContactRecord& c : shown->contacts) {
      if (c.normal_impulse <= 0.0) continue;
      const PlotPoint at = seen_from_the_side(c.position);
      const Vec3 tip = c.position + 0.05 * c.normal;
      plot.arrows.push_back({.from = at, .to = seen_from_the_side(tip)});
    }
  }
  plot.description = fmt::format("The bodies at t = {:.3g} s", t);
  return {.caption = fmt::format("t = {:.3g} s; arrows where contacts carry force", t),
          .svg = draw_svg(plot)};
}

Figure draw_energy(const Recording& run) {
  Series total{.name = "total", .colour = Colour::kInk};
  Series kinetic{.name = "kinetic", .colour = Colour::kVermilion};
  for (const RecordedStep& step : run.steps) {
    total.points.push_back({step.t, step.ledger.total()});
    kinetic.points.push_back({step.t, step.ledger.kinetic});
  }
  Plot plot{.x_label = "t / s", .y_label = "energy / J"};
  plot.series = {total, kinetic};
  plot.description = "Energy over time";
  return {.caption = "Energy: constant from event to event, less at impacts that are not elastic",
          .svg = draw_svg(plot)};
}

Figure draw_forces(const Recording& run) {
  Series forces{.name = "", .colour = Colour::kBlue};
  double before = 0.0;
  for (const RecordedStep& step : run.steps) {
    double impulse = 0.0;
    for (const contact::ContactRecord& c : step.contacts) impulse += c.normal_impulse;
    if (step.t > before) forces.points.push_back({step.t, impulse / (step.t - before)});
    before = step.t;
  }
  Plot plot{.x_label = "t / s", .y_label = "sum of normal forces / N"};
  plot.series = {forces};
  plot.description = "Sum of the normal forces over time, without impacts";
  return {.caption = "Sum of the normal forces between impacts", .svg = draw_svg(plot)};
}

}  // namespace

ExperimentResult run_event_scene(const ExperimentOptions& options) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(options.folder).lexically_normal();
  const std::string name =
      folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
  const fs::path parent =
      folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path();
  const std::string id = parent.filename().string() + "/" + name;
  if (options.on_progress) options.on_progress(id);
  const std::string scene_file = (folder / "scene.yaml").string();
  const Recording run = record_run(scene_file, {});
  const scene::Built built = scene::build(scene::read_scene(scene_file, {}));
  const std::string expected = (folder / "expected.json").string();
  ExperimentResult result{.findings = judge(id, expected, measure(run, built.model)),
                          .notes = read_notes(expected)};
  if (!options.with_figures) return result;
  constexpr int kFrames = 5;
  for (int k = 0; k <= kFrames; ++k) {
    result.figures.push_back(draw_frame(run, built.model, run.summary.t * k / kFrames));
  }
  result.figures.push_back(draw_energy(run));
  result.figures.push_back(draw_forces(run));
  return result;
}

}  // namespace tenpin::lab::experiments
