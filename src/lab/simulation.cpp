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
#include "scene/write.h"
#include "simulation/reactions.h"
#include "simulation/state_hash.h"

namespace tenpin::lab {

namespace {

using contact::ContactRecord;
using contact::Ledger;
using methods::AdvanceStatus;

// s   Stopping a run takes that long, and twice where one thread tells another.
constexpr double kProgressInterval = 0.03;
constexpr double kSameTime = 1e-9;  // -   of the time between frames: what is nearer is one

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

record::ReactionRow to_row(const simulation::JointReaction& r, double duration) {
  const auto to_array = [](const Vec3& v) {
    return std::array<double, 3>{v.x(), v.y(), v.z()};
  };
  const double per_second = duration > 0.0 ? 1.0 / duration : 0.0;
  return {.position = to_array(r.position),
          .impulse = to_array(r.impulse),
          .moment = to_array(r.moment),
          .force = to_array(per_second * r.impulse),
          .torque = to_array(per_second * r.moment),
          .drive = per_second * r.drive,
          .stop = per_second * r.stop,
          .duration = duration,
          .step = 0,
          .index = r.index,
          .kind = r.kind == contact::Reaction::Kind::kLoop ? record::ReactionRow::kLoop
                                                           : record::ReactionRow::kJoint,
          .reserved = {}};
}

// Both ends of the last step, from which the reactions of joints and loops follow.
class LastStep {
 public:
  explicit LastStep(const dynamics::Model& model) : model_(&model) {}

  void begin(const dynamics::State& state) { after_ = keep(state); }
  void add(const dynamics::State& state) {
    std::swap(before_, after_);
    after_ = keep(state);
    has_step_ = true;
  }

  double duration() const { return has_step_ ? after_.t - before_.t : 0.0; }
  // Good until the next call.
  std::span<const record::ReactionRow> calc_reactions(std::span<const ContactRecord> contacts) {
    rows_.clear();
    if (!has_step_ || model_->jointed.empty()) return rows_;
    for (const simulation::JointReaction& reaction :
         simulation::calc_reactions(*model_, before_, after_, contacts)) {
      rows_.push_back(to_row(reaction, duration()));
    }
    return rows_;
  }

 private:
  // Loose bodies have no reactions: the time will do.
  [[nodiscard]] dynamics::State keep(const dynamics::State& state) const {
    if (model_->jointed.empty()) return {.t = state.t};
    return {.t = state.t, .q = state.q, .v = state.v};
  }

  const dynamics::Model* model_;
  dynamics::State before_, after_;  // t, q and v
  bool has_step_ = false;
  std::vector<record::ReactionRow> rows_;
};

// The state at a time between two of a method's own.
struct FrameWithin {
  dynamics::State state;
  std::vector<ContactRecord> contacts;  // of the last step to it
  std::vector<record::ReactionRow> reactions;
  double duration = 0.0;  // s   of that step
};

// Goes to such a time with a method of its own, so that looking does not change the motion.
class FrameSampler final : public methods::StepObserver {
 public:
  FrameSampler(const dynamics::Model& model, std::unique_ptr<methods::Method> method)
      : model_(&model), method_(std::move(method)) {}

  // False if it cannot be reached.
  bool sample(const dynamics::State& before, double t) {
    frame_.state = before;
    frame_.contacts.clear();
    LastStep last(*model_);
    last.begin(before);
    last_ = &last;
    const AdvanceStatus status = method_->advance(t, t, &frame_.state, this);
    const auto reactions = last.calc_reactions(frame_.contacts);
    frame_.reactions.assign(reactions.begin(), reactions.end());
    frame_.duration = last.duration();
    return status == AdvanceStatus::kReachedEnd;
  }
  const FrameWithin& frame() const { return frame_; }
  void model_changed() { method_->model_changed(); }

  bool on_step(const methods::StepReport& report, std::span<const ContactRecord> contacts,
               const dynamics::State& state) override {
    if (report.status != AdvanceStatus::kReachedEnd) return true;
    frame_.contacts.assign(contacts.begin(), contacts.end());
    last_->add(state);
    return true;
  }

 private:
  const dynamics::Model* model_;
  std::unique_ptr<methods::Method> method_;
  LastStep* last_ = nullptr;  // of the frame that is being sampled
  FrameWithin frame_;
};

// Listens to the method: summary, run file, progress.
class Recorder final : public methods::StepObserver {
 public:
  Recorder(const scene::Scene& scene, const dynamics::Model& model,
           const SimulationOptions& options, Summary* summary)
      : scene_(scene),
        model_(model),
        options_(options),
        summary_(summary),
        last_(model),
        motions_(model) {
    if (options.run_file.empty()) return;
    record::RunHeader header = record::make_run_header(scene, model, kVersion);
    header.scene_resolved = scene::write_scene(scene);
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
    if (writer_ != nullptr) {
      last_.add(state);
      writer_->append_step(report, make_impulses(scene::Record::Contacts::kSteps));
    }
    if (options_.on_step) options_.on_step(report, contacts, state);
    return go_on(state.t);
  }

  bool is_stopped() override { return !go_on(summary_->t); }

  void record_frame(const dynamics::State& state) {
    ++summary_->frames;
    if (writer_ == nullptr) return;
    if (summary_->frames == 1) last_.begin(state);
    writer_->append_frame(state, motions_.read(state),
                          make_impulses(scene::Record::Contacts::kFrames));
  }

  // A frame within a step of the method, which began at `restart`.
  void record_frame(const FrameWithin& frame, const dynamics::State& restart) {
    ++summary_->frames;
    if (writer_ == nullptr) return;
    writer_->append_frame(
        frame.state, motions_.read(frame.state),
        {.contacts = frame.contacts, .reactions = frame.reactions, .duration = frame.duration},
        &restart);
  }
  void tell_frame(const FrameWithin& frame) const {
    if (options_.on_frame_within) options_.on_frame_within(frame.state);
  }
  bool takes_frames_within() const { return writer_ != nullptr || options_.on_frame_within; }

  void close(AdvanceStatus status) {
    if (writer_ == nullptr) return;
    const record::RunState end = status == AdvanceStatus::kReachedEnd ? record::RunState::kFinished
                                 : status == AdvanceStatus::kStopped
                                     ? record::RunState::kInterrupted
                                     : record::RunState::kFailed;
    writer_->close(end, summary_->message);
  }

  // Makes the recorded rows readable for other processes.
  void flush() {
    if (writer_ != nullptr) writer_->flush();
  }

  const Stopwatch& clock() const { return clock_; }

 private:
  // Of the last step, as far as they are recorded then.
  record::StepImpulses make_impulses(scene::Record::Contacts policy) {
    record::StepImpulses impulses{.contacts = contacts_, .duration = last_.duration()};
    if (scene_.record.contacts == policy) impulses.reactions = last_.calc_reactions(contacts_);
    return impulses;
  }

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
  LastStep last_;
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

// Lets the caller change the model between two frames; true if the method must know of it.
bool let_change(const SimulationOptions& options, const dynamics::State& state,
                methods::Method* method, dynamics::Model* model, Recorder* recorder) {
  if (!options.on_frame) return false;
  recorder->flush();
  const Vec3 gravity = model->gravity;
  const std::vector<dynamics::Surface> surfaces = model->surfaces;
  std::vector<dynamics::AppliedForce> applied;
  for (const dynamics::Body& body : model->bodies) applied.push_back(body.applied);
  if (!options.on_frame(state, model)) return false;
  try {
    method->model_changed();
  } catch (const InputError&) {
    model->gravity = gravity;
    model->surfaces = surfaces;
    for (std::size_t k = 0; k < applied.size(); ++k) model->bodies[k].applied = applied[k];
    method->model_changed();
  }
  return true;
}

// The next multiple of `every` after t. One that is here up to rounding counts as passed.
double find_next_frame(double t, double every) {
  double frame = std::max(1.0, std::floor(t / every));
  while (frame * every <= t + kSameTime * every) frame += 1.0;
  return frame * every;
}

// Keeps one step until the frames within it have been looked at.
class StepKeeper final : public methods::StepObserver {
 public:
  explicit StepKeeper(Recorder* recorder) : recorder_(recorder) {}

  bool on_step(const methods::StepReport& report, std::span<const ContactRecord> contacts,
               const dynamics::State& /*state*/) override {
    report_ = report;
    contacts_ = contacts;
    return true;
  }
  bool is_stopped() override { return recorder_->is_stopped(); }

  // False stops the run.
  bool pass_on(const dynamics::State& state) {
    return recorder_->on_step(report_, contacts_, state);
  }

 private:
  Recorder* recorder_;
  methods::StepReport report_;
  std::span<const ContactRecord> contacts_;  // the method's
};

// By the steps of a method that do not end at frames: these are looked at in between, so that how
// often frames are recorded does not change the motion. A frame that cannot be reached is left out.
AdvanceStatus advance_between_frames(const scene::Scene& scene, methods::Method* method,
                                     const std::function<bool()>& between, FrameSampler* sampler,
                                     dynamics::State* state, Recorder* recorder) {
  StepKeeper keeper(recorder);
  std::vector<FrameWithin> within;
  dynamics::State before;
  bool has_frame = true;  // since the caller was asked
  while (state->t < scene.until) {
    if (has_frame && between()) sampler->model_changed();
    before = *state;
    AdvanceStatus status = method->step(scene.until, state, &keeper);
    within.clear();
    double t = find_next_frame(before.t, scene.record.every);
    for (; t < state->t && recorder->takes_frames_within();
         t = find_next_frame(t, scene.record.every)) {
      if (sampler->sample(before, t)) within.push_back(sampler->frame());
    }
    for (const FrameWithin& frame : within) recorder->tell_frame(frame);
    const bool goes_on = keeper.pass_on(*state);
    for (const FrameWithin& frame : within) recorder->record_frame(frame, before);
    if (status == AdvanceStatus::kReachedEnd && !goes_on) status = AdvanceStatus::kStopped;
    const bool is_last = state->t >= scene.until || status == AdvanceStatus::kStopped;
    const bool is_frame = t <= state->t + kSameTime * scene.record.every;
    if (state->t > before.t && (is_last || is_frame)) recorder->record_frame(*state);
    if (status != AdvanceStatus::kReachedEnd) return status;
    has_frame = is_frame || !within.empty();
  }
  return AdvanceStatus::kReachedEnd;
}

// Frames at the multiples of record.every, counted and not summed up, and one at the end.
AdvanceStatus advance_to_end(const scene::Scene& scene, methods::Method* method,
                             const std::function<bool()>& between, dynamics::State* state,
                             Recorder* recorder) {
  AdvanceStatus status = AdvanceStatus::kReachedEnd;
  while (status == AdvanceStatus::kReachedEnd && state->t < scene.until) {
    between();
    const double before = state->t;
    const double target = std::min(find_next_frame(before, scene.record.every), scene.until);
    status = method->advance(target, scene.until, state, recorder);
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
  if (options.from) state = *options.from;
  summary.t_start = state.t;
  summary.energy_start = summary.energy_end = calc_energy(built.model, state);
  summary.largest_energy = std::fabs(summary.energy_start);
  summary.loops = built.loops;
  if (scene.method.name == "time-stepping") {
    summary.stepping =
        methods::time_stepping::choose_stepping(built.model, scene.method.time_stepping);
  }
  const auto method = methods::make_method(built.model, scene.method, options.threads);
  Recorder recorder(scene, built.model, options, &summary);
  if (options.from) {  // what overlapped at time 0 was told when the run began
    summary.start = {};
    summary.start_lines.clear();
  }

  recorder.record_frame(state);
  if (options.on_start) options.on_start(built.model, state);
  try {
    const auto between = [&] {
      return let_change(options, state, method.get(), &built.model, &recorder);
    };
    if (scene.method.name == "analytic") {
      FrameSampler sampler(built.model,
                           methods::make_method(built.model, scene.method, options.threads));
      summary.status =
          advance_between_frames(scene, method.get(), between, &sampler, &state, &recorder);
    } else {
      summary.status = advance_to_end(scene, method.get(), between, &state, &recorder);
    }
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
