#include "lab/experiments/event_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dynamics/kinematics.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/recording.h"
#include "lab/experiments/scene_drawing.h"
#include "scene/build.h"

namespace tenpin::lab::experiments {

namespace {

// --- measurements --------------------------------------------------------------------------------

// -   The largest energy that a step added, except that of closing gaps, which calc_lift measures.
double calc_gain(const Recording& run) {
  double gain = 0.0;
  double before = run.summary.energy_start;
  for (const RecordedStep& step : run.steps) {
    const double closing = std::max(step.ledger.work[contact::Ledger::kProjection], 0.0);
    gain = std::max(gain, step.ledger.total() - before - closing);
    before = step.ledger.total();
  }
  return gain / run.summary.largest_energy;
}

// m   How far the energy of closing gaps in one step could lift all bodies.
double calc_lift(const Recording& run, const dynamics::Model& model) {
  double weight = 0.0;
  for (const dynamics::Body& body : model.bodies) weight += body.mass * model.gravity.norm();
  double most = 0.0;
  for (const RecordedStep& step : run.steps) {
    most = std::max(most, step.ledger.work[contact::Ledger::kProjection]);
  }
  return most > 0.0 ? most / weight : 0.0;
}

double calc_mean_force(const Recording& run) {
  double impulse = 0.0;
  for (const RecordedStep& step : run.steps) {
    for (const contact::ContactRecord& c : step.contacts) impulse += c.normal_impulse;
  }
  return impulse / run.summary.t;
}

// N, N s   Measures the mean forces of the contacts that touch in the first step, from left to
// right, and the sum of impulses between each pair of bodies.
void measure_contacts(const Recording& run, const dynamics::Model& model, Measurements* m) {
  std::vector<std::pair<double, contact::ContactKey>> order;
  for (std::size_t i = 0; !run.steps.empty() && i < run.steps.front().contacts.size(); ++i) {
    const contact::ContactRecord& c = run.steps.front().contacts[i];
    order.emplace_back(c.position.x(), c.key);
  }
  std::sort(order.begin(), order.end());
  (*m)["contacts"] = static_cast<double>(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) (*m)[fmt::format("force/{}", k + 1)] = 0.0;
  for (const RecordedStep& step : run.steps) {
    for (const contact::ContactRecord& c : step.contacts) {
      const std::string& a = model.bodies[c.body_a].name;
      const std::string& b = model.bodies[c.body_b].name;
      (*m)[fmt::format("impulse/{}-{}", a, b)] += c.normal_impulse;
      (*m)[fmt::format("impulse/{}-{}", b, a)] += c.normal_impulse;
      for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k].second != c.key) continue;
        (*m)[fmt::format("force/{}", k + 1)] += c.normal_impulse / run.summary.t;
      }
    }
  }
}

Measurements measure(const Recording& run, const dynamics::Model& model) {
  Measurements m;
  measure_contacts(run, model, &m);
  const methods::ForceBranches& branches = run.summary.branches;
  m["none_vanishes"] = static_cast<double>(branches.none_vanishes);
  m["predicted"] = static_cast<double>(branches.predicted);
  m["fallback"] = static_cast<double>(branches.fallback);
  m["added_energy"] = branches.added_energy;
  m["finished"] = run.finished() ? 1.0 : 0.0;
  m["residual"] = run.summary.worst.residual;
  m["penetration"] = run.summary.worst.penetration;
  m["closure"] = calc_closure(run);
  m["gain"] = calc_gain(run);
  m["lift"] = calc_lift(run, model);
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

std::vector<Pose> calc_poses(const dynamics::Model& model, const VecX& q, double t) {
  std::vector<Pose> X;
  update_poses(model, q, t, &X);
  return X;
}

// Draws some moments of the run, all with the same axes.
void draw_frames(const Recording& run, const dynamics::Model& model, std::vector<Figure>* figures) {
  constexpr int kFrames = 5;
  std::vector<std::vector<Pose>> poses;
  std::vector<const RecordedStep*> shown;
  for (int k = 0; k <= kFrames; ++k) {
    const double t = run.summary.t * k / kFrames;
    const auto after = std::find_if(run.steps.begin(), run.steps.end(), [t](const auto& step) {
      return step.t > t;
    });
    shown.push_back(after == run.steps.begin() ? nullptr : &*std::prev(after));
    poses.push_back(calc_poses(model, shown[k] == nullptr ? run.q : shown[k]->q, t));
  }
  const View view = calc_view(model, poses);
  for (int k = 0; k <= kFrames; ++k) {
    const double t = run.summary.t * k / kFrames;
    Plot plot = draw_bodies(model, poses[k], view);
    for (std::size_t i = 0; shown[k] != nullptr && i < shown[k]->contacts.size(); ++i) {
      const contact::ContactRecord& c = shown[k]->contacts[i];
      if (c.normal_impulse > 0.0) plot.arrows.push_back(draw_normal(c.position, c.normal, view));
    }
    plot.description = fmt::format("The bodies at t = {:.3g} s", t);
    figures->push_back(
        {.caption = fmt::format("t = {:.3g} s; arrows where contacts carry force", t),
         .svg = draw_svg(plot)});
  }
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
  draw_frames(run, built.model, &result.figures);
  result.figures.push_back(draw_energy(run));
  result.figures.push_back(draw_forces(run));
  return result;
}

}  // namespace tenpin::lab::experiments
