#include "lab/experiments/recording.h"

#include <algorithm>
#include <cmath>

#include "scene/build.h"
#include "scene/read_method.h"

namespace tenpin::lab::experiments {

Recording record_run(const std::string& scene_file, std::span<const scene::Override> changes) {
  const scene::Scene scene = scene::read_scene(scene_file, changes);
  const dynamics::State start = scene::build(scene).state;
  Recording recording{.q = start.q, .v = start.v, .h = scene::step_of(scene.method)};
  SimulationOptions options;
  options.on_step = [&recording](const methods::StepReport& report,
                                 std::span<const contact::ContactRecord> contacts,
                                 const dynamics::State& state) {
    recording.steps.push_back({.t = report.t,
                               .q = state.q,
                               .v = state.v,
                               .ledger = report.ledger,
                               .contacts = {contacts.begin(), contacts.end()}});
  };
  recording.summary = simulate(scene, options);
  return recording;
}

double calc_closure(const Recording& recording) {
  const Summary& s = recording.summary;
  return std::max(s.worst_closure, std::fabs(s.total_closure)) / s.largest_energy;
}

}  // namespace tenpin::lab::experiments
