#include "lab/experiments/mc95_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "dynamics/kinematics.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

Table make_time_table(const Track& track) {
  const Summary& s = track.summary;
  return {.caption =
              "Table 1: this experiment's row. The paper's digits are lost; ours are of the "
              "machine that made this page, one core.",
          .header = {"virtual time (s)", "real time (s)", "slowdown"},
          .rows = {{fmt::format("{:.3g}", s.t), fmt::format("{:.3g}", s.cpu),
                    fmt::format("{:.3g}", s.cpu / s.t)}}};
}

Table make_count_table(const Track& track) {
  const methods::EventCounts& c = track.counts;
  const auto text = [](std::int64_t n) {
    return fmt::format("{}", n);
  };
  return {.caption = "What was counted",
          .header = {"quantity", "number"},
          .rows = {{"collisions", text(c.impacts)},
                   {"of these, microcollisions", text(c.microcollisions)},
                   {"of these, slow and sliding", text(c.sliding)},
                   {"of these, lifts back into the envelope", text(c.lifts)},
                   {"times that a pair was looked at", text(c.events)},
                   {"operations on the heap", text(c.heap_operations)},
                   {"separations along a known direction", text(c.plane_checks)},
                   {"closest features", text(c.distance_queries)},
                   {"changes of features in them", text(c.feature_steps)},
                   {"boxes compared in the hash", text(c.hash_looks)},
                   {"distances without hash and heap", text(c.naive_queries)}}};
}

}  // namespace

const TrackSample& Track::at(double t) const {
  const auto found = std::lower_bound(samples.begin(), samples.end(), t - 1e-9,
                                      [](const TrackSample& s, double time) {
                                        return s.t < time;
                                      });
  return found == samples.end() ? samples.back() : *found;
}

std::size_t Track::index(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  TENPIN_REQUIRE(found != names.end(), "the scene has no body '" + std::string(name) + "'");
  return static_cast<std::size_t>(found - names.begin());
}

Track record_track(const std::string& scene_file) {
  const scene::Scene scene = scene::read_scene(scene_file);
  const scene::Built built = scene::build(scene);
  const dynamics::Model& model = built.model;
  Track track;
  std::vector<int> mobile;
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (!model.bodies[i].is_mobile()) continue;
    mobile.push_back(i);
    track.names.push_back(model.bodies[i].name);
  }
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  const auto add = [&](const dynamics::State& state, std::int64_t impacts) {
    update_poses(model, state.q, state.t, &X_WB);
    update_twists(model, X_WB, state.v, state.t, &V_WB);
    TrackSample sample{.t = state.t, .impacts = impacts};
    for (const int i : mobile) {
      sample.bodies.push_back({.p = X_WB[i].p, .v = V_WB[i].v, .upright = X_WB[i].R.col(2)});
    }
    track.samples.push_back(std::move(sample));
  };
  add(built.state, 0);
  SimulationOptions options;
  options.on_step = [&](const methods::StepReport& report, auto, const dynamics::State& state) {
    add(state, report.events.impacts);
    track.counts += report.events;
  };
  track.summary = simulate(scene, options);
  return track;
}

void measure_run(const Track& track, Measurements* m) {
  const Summary& s = track.summary;
  (*m)["finished"] = s.status == methods::AdvanceStatus::kReachedEnd ? 1.0 : 0.0;
  (*m)["ledger"] =
      std::max(s.worst_closure, std::fabs(s.total_closure)) / std::max(s.largest_energy, 1e-300);
  (*m)["residual"] = s.worst.residual;
}

ExperimentResult make_result(std::string_view id, const ExperimentOptions& options,
                             const Track& track, const Measurements& measurements) {
  ExperimentResult result;
  result.findings = judge(id, options.folder + "/expected.json", measurements);
  result.notes = read_notes(options.folder + "/expected.json");
  if (!options.with_figures) return result;
  result.tables.push_back(make_time_table(track));
  result.tables.push_back(make_count_table(track));
  return result;
}

}  // namespace tenpin::lab::experiments
