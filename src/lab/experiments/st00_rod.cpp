#include "lab/experiments/st00_rod.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/experiment_expected.h"
#include "lab/experiments/st00_rod_figures.h"
#include "lab/experiments/st00_rod_motion.h"

namespace tenpin::lab::experiments {

namespace {

using contact::ContactRecord;
using contact::Mode;

std::vector<RodRun> list_runs() {
  std::vector<RodRun> runs;
  for (const char* formulation : {"position", "velocity", "nonlinear"}) {
    for (const char* lever : {"full", "printed"}) {
      for (const char* step : {"0.04", "0.01", "0.0025"})
        runs.push_back({formulation, lever, step});
    }
  }
  // These runs are for the limit h -> 0.
  for (const char* formulation : {"position", "nonlinear"}) {
    for (const char* step : {"0.000625", "0.00015625"}) runs.push_back({formulation, "full", step});
  }
  runs.push_back({"position", "printed", "0.00015625"});
  return runs;
}

void measure_run(const std::string& key, const Recording& run, Measurements* m) {
  const RodEvents events = find_events(run);
  const bool is_whole = run.finished();
  (*m)[key + "/impact"] = events.impact;
  (*m)[key + "/slap"] = events.slap;
  (*m)[key + "/rest"] = is_whole ? events.rest : kNothing;
  (*m)[key + "/slide"] = is_whole ? events.rest - events.slap : kNothing;
  (*m)[key + "/x"] = is_whole ? run.summary.state.q[0] : kNothing;
  (*m)[key + "/penetration"] = run.summary.worst.penetration;
  (*m)[key + "/steps"] = static_cast<double>(run.summary.steps);
}

// Measures what the paper describes of the motion between impact and rest.
void measure_story(const std::string& key, const Recording& run, Measurements* m) {
  const RodEvents events = find_events(run);
  int num_apart = 0;
  double first_speed = kNothing;  // m/s   of the tip, at the end of the step with the impact
  double left = 0.0;
  for (const RecordedStep& step : run.steps) {
    if (step.t < events.impact) continue;
    const bool is_pushed =
        std::any_of(step.contacts.begin(), step.contacts.end(), [](const ContactRecord& c) {
          return is_loaded(c.mode);
        });
    num_apart += is_pushed ? 0 : 1;
    const double speed = calc_tip_speed(step);
    if (step.t == events.impact) first_speed = speed;
    if (step.t < events.slap) left = std::min(left, speed);
  }
  (*m)[key + "/tip_speed"] = first_speed;
  (*m)[key + "/tip_right"] = first_speed > 0.0 ? 1.0 : 0.0;
  (*m)[key + "/tip_left"] = left < -0.5 ? 1.0 : 0.0;
  (*m)[key + "/steps_apart"] = num_apart;
}

void measure_painleve(const std::string& key, const Recording& run, Measurements* m) {
  const ContactRecord* first = find_first_push(run);
  (*m)[key + "/painleve"] = first == nullptr ? kNothing : first->painleve;
  (*m)[key + "/no_force"] = first != nullptr && first->no_acceleration_solution ? 1.0 : 0.0;
}

// Measures a rod that stands on its tip at 110 degrees and slides to the right at 1 m/s: nothing
// collides, but no finite force can support the tip. The step finds the impulse that stops the
// slip.
void measure_jam(const std::string& scene_file, const std::string& step, Measurements* m) {
  const std::array<scene::Override, 6> changes = {{
      {"method.time-stepping.step", step},
      {"bodies.rod.orientation", "{axis: [0, -1, 0], degrees: 110}"},
      {"bodies.rod.position", "[0, 0, 0.284923155196477]"},
      {"bodies.rod.velocity", "[1, 0, 0]"},
      {"bodies.rod.angular_velocity", "[0, 0, 0]"},
      {"until", step},
  }};
  const Recording run = record_run(scene_file, changes);
  const ContactRecord* first = find_first_push(run);
  (*m)["jam/" + step + "/impulse"] = first == nullptr ? kNothing : first->normal_impulse;
  (*m)["jam/" + step + "/no_force"] =
      first != nullptr && first->no_acceleration_solution ? 1.0 : 0.0;
}

void measure_rod(const RodRecordings& recordings, Measurements* m) {
  double closure = 0.0;
  double unfinished = 0.0;
  for (const auto& [key, run] : recordings) {
    measure_run(key, run, m);
    measure_painleve(key, run, m);
    closure = std::max(closure, calc_closure(run));
    unfinished += run.finished() ? 0.0 : 1.0;
  }
  (*m)["ledger"] = closure;
  (*m)["unfinished"] = unfinished;
  for (const char* key : {"position/full/0.0025", "nonlinear/full/0.0025"}) {
    measure_story(key, recordings.at(key), m);
  }
}

}  // namespace

ExperimentResult run_st00_rod(const ExperimentOptions& options) {
  const std::string scene_file = options.folder + "/scene.yaml";
  RodRecordings recordings;
  for (const RodRun& run : list_runs()) {
    if (options.on_progress) options.on_progress(key_of(run));
    recordings.emplace(key_of(run), record_rod(scene_file, run));
  }
  Measurements measurements;
  measure_rod(recordings, &measurements);
  for (const char* step : {"0.0025", "0.00015625"}) measure_jam(scene_file, step, &measurements);

  ExperimentResult result;
  result.findings = judge("ST00/rod", options.folder + "/expected.json", measurements);
  result.notes = read_notes(options.folder + "/expected.json");
  // Figures are drawn only if all runs finished.
  if (options.with_figures && measurements.at("unfinished") == 0.0)
    draw_rod_figures(recordings, &result);
  return result;
}

}  // namespace tenpin::lab::experiments
