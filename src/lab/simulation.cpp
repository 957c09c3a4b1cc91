#include "lab/simulation.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/check.h"
#include "base/stopwatch.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "lab/motions.h"
#include "lab/version.h"
#include "record/run_writer.h"
#include "scene/build.h"
#include "simulation/state_hash.h"

namespace tenpin::lab {

namespace {

using contact::ContactRecord;
using contact::Ledger;
using methods::AdvanceStatus;

constexpr double kProgressInterval = 0.1;  // s

// Adds one step to the summary of the run.
void accumulate(const methods::StepReport& r, std::span<const ContactRecord> contacts,
                const dynamics::Model& model, Summary* s) {
  s->worst += r.certificate;
  for (int k = 0; k < Ledger::kNumStages; ++k) s->work[k] += r.ledger.work[k];
  s->worst_closure = std::max(s->worst_closure, std::fabs(r.ledger.closure));
  s->energy_end = r.ledger.total();
  s->largest_energy =
      std::max(s->largest_energy, std::fabs(r.ledger.kinetic) + std::fabs(r.ledger.potential));
  s->max_contacts = std::max(s->max_contacts, r.num_active);
  s->max_problem_size = std::max(s->max_problem_size, r.problem_size);
  s->pivots += r.pivots;
  s->solves += r.solves;
  s->slept += r.asleep;
  s->retries += r.retries;
  s->max_iterations = std::max(s->max_iterations, r.iterations);
  s->max_contraction = std::max(s->max_contraction, r.contraction);
  const bool promised = r.existence.normals_independent && r.existence.spans_disjoint;
  s->steps_without_promise += promised ? 0 : 1;
  if (!r.message.empty() && s->unsettled_steps++ == 0) s->first_message = r.message;
  s->events += r.events;
  s->division += r.division;
  s->branches += r.branches;
  s->guarded += r.guarded;
  s->undetermined_steps += r.certificate.forces_unique ? 0 : 1;
  const bool is_least = r.certificate.forces_unique || r.certificate.forces_least;
  s->not_least_steps += is_least ? 0 : 1;
  ++s->steps;

  bool defied = false;
  for (const ContactRecord& c : contacts) {
    ++s->modes[static_cast<std::size_t>(c.mode)];
    if (!c.no_acceleration_solution) continue;
    if (s->painleve_steps == 0 && !defied) {
      s->first_painleve = {.t = r.t,
                           .A = c.painleve,
                           .body_a = model.bodies[c.body_a].name,
                           .body_b = model.bodies[c.body_b].name};
    }
    defied = true;
  }
  s->painleve_steps += defied ? 1 : 0;
}

// Observes the method: summary, run file, progress.
class Recorder final : public methods::StepObserver {
 public:
  Recorder(const scene::Scene& scene, const dynamics::Model& model,
           const SimulationOptions& options, Summary* summary)
      : scene_(scene), model_(model), options_(options), summary_(summary), motions_(model) {
    if (options.run_file.empty()) return;
    record::RunHeader header = record::make_run_header(scene, model, kVersion);
    header.start_overlaps = summary->start_lines;
    header.start_energy_change = summary->start.energy_change;
    writer_ = std::make_unique<record::RunWriter>(options.run_file, header);
  }

  bool on_step(const methods::StepReport& report, std::span<const ContactRecord> contacts,
               const dynamics::State& state) override {
    if (report.status != AdvanceStatus::kReachedEnd) {
      summary_->solver = report.solver;
      summary_->message = report.message;
      return true;  // the method stops by itself
    }
    accumulate(report, contacts, model_, summary_);
    contacts_ = contacts;
    if (writer_ != nullptr) writer_->append_step(report, contacts);
    if (options_.on_step) options_.on_step(report, contacts, state);
    return go_on(state.t);
  }

  bool is_stopped() override { return !go_on(summary_->t); }

  void record_frame(const dynamics::State& state) {
    ++summary_->frames;
    if (writer_ == nullptr) return;
    writer_->append_frame(state, motions_.read(state), contacts_);
  }

  void close(AdvanceStatus status) {
    if (writer_ == nullptr) return;
    const record::RunState end = status == AdvanceStatus::kReachedEnd ? record::RunState::kFinished
                                 : status == AdvanceStatus::kStopped
                                     ? record::RunState::kInterrupted
                                     : record::RunState::kFailed;
    writer_->close(end, summary_->message);
  }

  const Stopwatch& clock() const { return clock_; }

 private:
  bool go_on(double t) {
    if (!options_.on_progress || clock_.wall() < next_progress_) return true;
    next_progress_ = clock_.wall() + kProgressInterval;
    return options_.on_progress({.t = t, .until = scene_.until, .wall = clock_.wall()});
  }

  const scene::Scene& scene_;
  const dynamics::Model& model_;
  const SimulationOptions& options_;
  Summary* summary_;
  std::unique_ptr<record::RunWriter> writer_;
  std::span<const ContactRecord> contacts_;  // of the last step
  MotionReader motions_;
  Stopwatch clock_;
  double next_progress_ = 0.0;  // s
};

double calc_energy(const dynamics::Model& model, const dynamics::State& state) {
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  update_poses(model, state.q, state.t, &X_WB);
  update_twists(model, X_WB, state.v, state.t, &V_WB);
  return calc_kinetic_energy(model, X_WB, V_WB, state.v) +
         calc_potential_energy(model, X_WB, state.q);
}

// Frames at the multiples of record.every, by count instead of by sum, and one at the end.
AdvanceStatus advance_to_end(const scene::Scene& scene, methods::Method* method,
                             dynamics::State* state, Recorder* recorder) {
  AdvanceStatus status = AdvanceStatus::kReachedEnd;
  double frame = 1.0;
  while (status == AdvanceStatus::kReachedEnd && state->t < scene.until) {
    // A step may have passed several frames; one reached up to rounding counts as passed.
    frame = std::max(frame, std::floor(state->t / scene.record.every));
    while (frame * scene.record.every <= state->t + 1e-9 * scene.record.every) frame += 1.0;
    const double before = state->t;
    const double target = std::min(frame * scene.record.every, scene.until);
    status = method->advance(target, scene.until, state, recorder);
    frame += 1.0;
    const bool certified =
        status == AdvanceStatus::kReachedEnd || status == AdvanceStatus::kStopped;
    if (certified && state->t > before) recorder->record_frame(*state);
  }
  return status;
}

}  // namespace

Summary simulate(const scene::Scene& scene, const SimulationOptions& options) {
  scene::Built built = scene::build(scene);
  dynamics::State& state = built.state;
  Summary summary;
  summary.start = methods::treat_start_overlaps(scene.start.overlaps, &built.model, &built.state);
  check_kept_overlaps(built.model, summary.start, scene.method.name);
  for (const methods::StartOverlap& overlap : summary.start.overlaps) {
    summary.start_lines.push_back(describe_outcome(built.model, overlap, scene.start.overlaps));
  }
  summary.energy_start = summary.energy_end = calc_energy(built.model, state);
  summary.largest_energy = std::fabs(summary.energy_start);
  summary.loops = built.loops;
  if (scene.method.name == "time-stepping") {
    summary.stepping =
        methods::time_stepping::choose_stepping(built.model, scene.method.time_stepping);
  }
  const auto method = methods::make_method(built.model, scene.method, options.threads);
  Recorder recorder(scene, built.model, options, &summary);

  recorder.record_frame(state);
  if (options.on_start) options.on_start(built.model, state);
  try {
    summary.status = advance_to_end(scene, method.get(), &state, &recorder);
  } catch (const LimitError& error) {
    summary.message = error.what();
    recorder.close(AdvanceStatus::kSolverFailed);
    throw;
  }
  if (options.on_end) options.on_end(state);
  summary.t = state.t;
  double sum = 0.0;
  for (const double work : summary.work) sum += work;
  summary.total_closure = sum - (summary.energy_end - summary.energy_start);
  summary.state_hash = simulation::calc_state_hash(state);
  recorder.close(summary.status);
  summary.wall = recorder.clock().wall();
  summary.cpu = recorder.clock().cpu();
  summary.state = state;
  return summary;
}

}  // namespace tenpin::lab
