#include "lab/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "base/check.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "contact/islands.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "lab/motions.h"
#include "lab/version.h"
#include "methods/scheduled_method.h"
#include "record/run_writer.h"
#include "scene/build.h"
#include "scene/write.h"
#include "simulation/reactions.h"
#include "simulation/state_hash.h"

namespace tenpin::lab {

// Named, because SlicedSimulation::Impl has members of these types.
namespace run_parts {

using contact::ContactRecord;
using contact::Ledger;
using methods::AdvanceStatus;

// s   Stopping a run takes that long, and twice as long if one thread tells another.
constexpr double kProgressInterval = 0.03;
constexpr double kSameTime = 1e-9;  // -   of the time between frames: closer times are equal

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

// Start and end of the last step, from which the reactions of joints and loops are computed.
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
  // Valid until the next call.
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
  // Keeps only the time if all bodies are loose, because these have no reactions.
  [[nodiscard]] dynamics::State keep(const dynamics::State& state) const {
    if (model_->jointed.empty()) return {.t = state.t};
    return {.t = state.t, .q = state.q, .v = state.v};
  }

  const dynamics::Model* model_;
  dynamics::State before_, after_;  // t, q and v
  bool has_step_ = false;
  std::vector<record::ReactionRow> rows_;
};

// The state at a time within a step of the method.
struct FrameWithin {
  dynamics::State state;
  std::vector<ContactRecord> contacts;  // contacts of the last step up to it
  std::vector<record::ReactionRow> reactions;
  double duration = 0.0;  // s   of that step
};

// Advances to such a time with a separate method, so that sampling does not change the motion.
class FrameSampler final : public methods::StepObserver {
 public:
  FrameSampler(const dynamics::Model& model, std::unique_ptr<methods::Method> method)
      : model_(&model), method_(std::move(method)) {}

  // Returns false if it cannot be reached.
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
  LastStep* last_ = nullptr;  // of the frame being sampled
  FrameWithin frame_;
};

// Observes the method: updates summary, run file and progress.
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
    if (options.run_file.empty() && options.run_memory == nullptr) return;
    record::RunHeader header = record::make_run_header(scene, model, kVersion);
    header.scene_resolved = scene::write_scene(scene);
    header.start.overlaps = summary->start_lines;
    header.start.energy_change = summary->start.energy_change;
    writer_ = options.run_memory != nullptr
                  ? std::make_unique<record::RunWriter>(options.run_memory, header)
                  : std::make_unique<record::RunWriter>(options.run_file, header);
  }

  bool on_step(const methods::StepReport& report, std::span<const ContactRecord> contacts,
               const dynamics::State& state) override {
    if (report.status != AdvanceStatus::kReachedEnd) {
      summary_->solver = report.solver;
      summary_->message = report.message;
      return true;  // the method stops by itself
    }
    if (const Ledger& at = report.ledger; model_.gravity != gravity_) {  // which does no work
      gravity_ = model_.gravity;
      const double work = std::accumulate(at.work.begin(), at.work.end(), 0.0);
      summary_->gravity_change += at.total() + at.closure - work - summary_->energy_end;
    }
    accumulate(report, contacts, model_, summary_);
    contacts_ = contacts;
    if (writer_ != nullptr) {
      last_.add(state);
      writer_->append_step(report, make_impulses(scene::Record::Contacts::kSteps));
    }
    refuse_slow_step();
    if (options_.on_step) options_.on_step(report, contacts, state);
    t_ = state.t;
    restart_step_clock();
    return go_on(t_);
  }

  bool is_stopped() override {
    refuse_slow_step();
    return !go_on(t_);
  }

  bool is_step_slow() const { return clock_.wall() - step_start_ > options_.step_limit; }

  // Excludes the time that the caller spends between steps.
  void restart_step_clock() { step_start_ = clock_.wall(); }

  void record_frame(const dynamics::State& state) {
    ++summary_->frames;
    if (writer_ == nullptr) return;
    if (summary_->frames == 1) last_.begin(state);
    writer_->append_frame(state, motions_.read(state),
                          make_impulses(scene::Record::Contacts::kFrames));
  }

  // Records a frame within a step of the method that began at `restart`.
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
  // Makes the impulses of the last step, as far as they are recorded.
  record::StepImpulses make_impulses(scene::Record::Contacts policy) {
    record::StepImpulses impulses{.contacts = contacts_, .duration = last_.duration()};
    if (scene_.record.contacts == policy) impulses.reactions = last_.calc_reactions(contacts_);
    return impulses;
  }

  void refuse_slow_step() const {
    if (!is_step_slow()) return;
    throw LimitError(contact::describe_largest(model_, contacts_));
  }

  bool go_on(double t) {
    if (options_.stop != nullptr && *options_.stop != 0) return false;
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
  Vec3 gravity_ = model_.gravity;            // m/s^2   of the last step
  LastStep last_;
  MotionReader motions_;
  Stopwatch clock_;
  double step_start_ = 0.0;     // s   on the clock
  double next_progress_ = 0.0;  // s
  double t_ = 0.0;              // s   of the last step
};

double calc_energy(const dynamics::Model& model, const dynamics::State& state) {
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  update_poses(model, state.q, state.t, &X_WB);
  update_twists(model, X_WB, state.v, state.t, &V_WB);
  return calc_kinetic_energy(model, X_WB, V_WB, state.v) +
         calc_potential_energy(model, X_WB, state.q);
}

// Lets the caller change the model between two frames. Returns true if it did.
bool let_change(const SimulationOptions& options, const dynamics::State& state,
                methods::Method* method, dynamics::Model* model, Recorder* recorder) {
  if (!options.on_frame) return false;
  recorder->flush();
  method->prepare(state);
  const Vec3 gravity = model->gravity;
  const std::vector<dynamics::Surface> surfaces = model->surfaces;
  std::vector<dynamics::AppliedForce> applied;
  for (const dynamics::Body& body : model->bodies) applied.push_back(body.applied);
  const bool has_changed = options.on_frame(state, model);
  recorder->restart_step_clock();
  if (!has_changed) return false;
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

// The next multiple of `every` after t. If t itself is a multiple up to rounding, it is skipped.
double find_next_frame(double t, double every) {
  double frame = std::max(1.0, std::floor(t / every));
  while (frame * every <= t + kSameTime * every) frame += 1.0;
  return frame * every;
}

// Stores one step until the frames within it have been sampled.
class StepKeeper final : public methods::StepObserver {
 public:
  explicit StepKeeper(Recorder* recorder) : recorder_(recorder) {}

  bool on_step(const methods::StepReport& report, std::span<const ContactRecord> contacts,
               const dynamics::State& /*state*/) override {
    report_ = report;
    contacts_ = contacts;
    has_step_ = true;
    return true;
  }
  bool is_stopped() override { return recorder_->is_stopped(); }

  // Returns false to stop the run. There is no step if an event took its place.
  bool pass_on(const dynamics::State& state) {
    return !has_step_ || recorder_->on_step(report_, contacts_, state);
  }

 private:
  Recorder* recorder_;
  methods::StepReport report_;
  std::span<const ContactRecord> contacts_;  // owned by the method
  bool has_step_ = false;
};

// Advances a run from frame to frame, and records the frames.
class FrameStepper {
 public:
  virtual ~FrameStepper() = default;
  // Advances to the next frame or by one step, depending on the method. `between` lets the caller
  // change the model first, and returns true if it did.
  virtual AdvanceStatus advance(const std::function<bool()>& between, dynamics::State* state,
                                Recorder* recorder) = 0;
};

// For methods whose steps do not end at frames. Frames are sampled within steps, so that the motion
// does not depend on how often they are recorded. A frame that cannot be reached is left out.
class OwnSteps final : public FrameStepper {
 public:
  OwnSteps(const scene::Scene& scene, const dynamics::Model& model, methods::Method* method,
           int threads)
      : scene_(scene),
        method_(method),
        sampler_(model, methods::make_method(model, scene.method, threads)) {}

  AdvanceStatus advance(const std::function<bool()>& between, dynamics::State* state,
                        Recorder* recorder) override {
    StepKeeper keeper(recorder);
    const double every = scene_.record.every;
    if (has_frame_ && between()) sampler_.model_changed();
    method_->prepare(*state);
    if (state->fired != before_.fired) sampler_.model_changed();
    before_ = *state;
    AdvanceStatus status = method_->step(scene_.until, state, &keeper);
    const bool fired_at_start =
        !state->fired.empty() && before_.fired.empty() && state->fired.front().t == before_.t;
    if (fired_at_start) sampler_.model_changed();
    within_.clear();
    double t = find_next_frame(before_.t, every);
    for (; t < state->t && recorder->takes_frames_within(); t = find_next_frame(t, every)) {
      if (sampler_.sample(before_, t)) within_.push_back(sampler_.frame());
    }
    for (const FrameWithin& frame : within_) recorder->tell_frame(frame);
    const bool goes_on = keeper.pass_on(*state);
    for (const FrameWithin& frame : within_) recorder->record_frame(frame, before_);
    if (status == AdvanceStatus::kReachedEnd && !goes_on) status = AdvanceStatus::kStopped;
    const bool is_last = state->t >= scene_.until || status == AdvanceStatus::kStopped;
    const bool is_frame = t <= state->t + kSameTime * every;
    if (state->t > before_.t && (is_last || is_frame)) recorder->record_frame(*state);
    has_frame_ = is_frame || !within_.empty();
    return status;
  }

 private:
  const scene::Scene& scene_;
  methods::Method* method_;
  FrameSampler sampler_;
  std::vector<FrameWithin> within_;  // frames of the last step
  dynamics::State before_;           // its start
  bool has_frame_ = true;            // since the last call of `between`
};

// Frames at the multiples of record.every, computed as products, not sums, and one at the end.
class FrameByFrame final : public FrameStepper {
 public:
  FrameByFrame(const scene::Scene& scene, methods::Method* method)
      : scene_(scene), method_(method) {}

  AdvanceStatus advance(const std::function<bool()>& between, dynamics::State* state,
                        Recorder* recorder) override {
    between();
    const double before = state->t;
    const double target = std::min(find_next_frame(before, scene_.record.every), scene_.until);
    const AdvanceStatus status = method_->advance(target, scene_.until, state, recorder);
    const bool certified =
        status == AdvanceStatus::kReachedEnd || status == AdvanceStatus::kStopped;
    if (certified && state->t > before) recorder->record_frame(*state);
    return status;
  }

 private:
  const scene::Scene& scene_;
  methods::Method* method_;
};

// Builds the scene at its start, or at the state of an earlier run.
scene::Built build_start(const scene::Scene& scene, const SimulationOptions& options, Summary* s) {
  scene::Built built = scene::build(scene);
  s->start = methods::treat_start_overlaps(scene.start.overlaps, &built.model, &built.state);
  check_kept_overlaps(built.model, s->start, scene.method);
  for (const methods::StartOverlap& overlap : s->start.overlaps) {
    s->start_lines.push_back(describe_outcome(built.model, overlap, scene.start.overlaps));
  }
  if (options.from) built.state = *options.from;
  s->t_start = built.state.t;
  s->energy_start = s->energy_end = calc_energy(built.model, built.state);
  s->largest_energy = std::fabs(s->energy_start);
  s->loops = built.loops;
  if (const auto* own = std::get_if<scene::TimeSteppingOptions>(&scene.method)) {
    s->stepping = methods::time_stepping::choose_stepping(built.model, *own);
  }
  return built;
}

// Lists the events that have happened, and notes if the last one ended the run.
void list_events(const dynamics::Model& model, const dynamics::State& state, Summary* summary) {
  for (const dynamics::FiredEvent& fired : state.fired) {
    summary->fired.push_back(fmt::format(
        "{} at {} s", model.events[static_cast<std::size_t>(fired.event)].name, to_text(fired.t)));
  }
  const auto stops = [&](const dynamics::FiredEvent& fired) {
    return fired.t == state.t && model.events[static_cast<std::size_t>(fired.event)].stops;
  };
  summary->is_stopped_by_event = summary->status == AdvanceStatus::kStopped &&
                                 std::any_of(state.fired.begin(), state.fired.end(), stops);
  if (summary->is_stopped_by_event) summary->status = AdvanceStatus::kReachedEnd;
}

}  // namespace run_parts

struct SlicedSimulation::Impl {
  Impl(const scene::Scene& the_scene, const SimulationOptions& the_options)
      : scene(the_scene),
        options(the_options),
        built(run_parts::build_start(scene, options, &summary)),
        method(methods::make_scheduled_method(&built.model, scene.method, options.threads)),
        recorder(scene, built.model, options, &summary) {
    method->set_step_limit({.seconds = options.step_limit, .stop = options.stop});
    if (options.from) {  // includes the effects of past events
      method->prepare(built.state);
      summary.energy_start = summary.energy_end = run_parts::calc_energy(built.model, built.state);
      summary.largest_energy = std::fabs(summary.energy_start);
    }
    if (std::holds_alternative<scene::AnalyticOptions>(scene.method)) {
      frames =
          std::make_unique<run_parts::OwnSteps>(scene, built.model, method.get(), options.threads);
    } else {
      frames = std::make_unique<run_parts::FrameByFrame>(scene, method.get());
    }
    if (options.from) {  // overlaps at time 0 were reported when the run began
      summary.start = {};
      summary.start_lines.clear();
    }
    recorder.record_frame(built.state);
    if (options.on_start) options.on_start(built.model, built.state);
    is_over = built.state.t >= scene.until;
    if (is_over) finish();
  }

  void advance() {
    const auto between = [this] {
      return run_parts::let_change(options, built.state, method.get(), &built.model, &recorder);
    };
    try {
      summary.status = frames->advance(between, &built.state, &recorder);
    } catch (const LimitError& error) {
      is_over = true;
      // Messages of other limits already say what is too large.
      summary.message =
          recorder.is_step_slow()
              ? fmt::format(
                    "a step from t = {} s on takes longer than {} s, {}, want a shorter "
                    "step, fewer contacts or --step-limit",
                    to_text(built.state.t), to_text(options.step_limit), error.what())
              : error.what();
      recorder.close(methods::AdvanceStatus::kSolverFailed);
      throw LimitError(summary.message);
    }
    is_over = summary.status != methods::AdvanceStatus::kReachedEnd || built.state.t >= scene.until;
    if (is_over) finish();
  }

  void finish() {
    run_parts::list_events(built.model, built.state, &summary);
    if (options.on_end) options.on_end(built.state);
    summary.t = built.state.t;
    const double work = std::accumulate(summary.work.begin(), summary.work.end(), 0.0);
    summary.total_closure =
        work + summary.gravity_change - (summary.energy_end - summary.energy_start);
    summary.state_hash = simulation::calc_state_hash(built.state);
    recorder.close(summary.status);
    summary.wall = recorder.clock().wall();
    summary.cpu = recorder.clock().cpu();
    summary.state = built.state;
  }

  const scene::Scene& scene;
  SimulationOptions options;
  Summary summary;
  scene::Built built;
  std::unique_ptr<methods::Method> method;
  run_parts::Recorder recorder;
  std::unique_ptr<run_parts::FrameStepper> frames;
  bool is_over = false;
};

SlicedSimulation::SlicedSimulation(const scene::Scene& scene, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(scene, options)) {}

SlicedSimulation::~SlicedSimulation() = default;

bool SlicedSimulation::advance(double seconds) {
  const Stopwatch clock;
  impl_->recorder.restart_step_clock();
  while (!impl_->is_over) {
    impl_->advance();
    if (clock.wall() >= seconds) break;
  }
  return !impl_->is_over;
}

const dynamics::State& SlicedSimulation::state() const {
  return impl_->built.state;
}
const Summary& SlicedSimulation::summary() const {
  return impl_->summary;
}

Summary simulate(const scene::Scene& scene, const SimulationOptions& options) {
  SlicedSimulation run(scene, options);
  while (run.advance(std::numeric_limits<double>::infinity())) {
  }
  return run.summary();
}

}  // namespace tenpin::lab
