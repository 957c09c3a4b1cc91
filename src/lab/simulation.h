// Runs a scene from start to end: method, run file, progress, summary.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "methods/method.h"
#include "methods/start_overlaps.h"
#include "methods/time_stepping/default_stepping.h"
#include "record/memory_run.h"
#include "scene/assemble.h"
#include "scene/scene.h"

namespace tenpin::lab {

struct Progress {
  double t = 0.0;      // s   simulated so far
  double until = 0.0;  // s
  double wall = 0.0;   // s   real time so far
};

struct SimulationOptions {
  int threads = 1;
  // s   A step that takes longer ends the run with a LimitError that names the slow island.
  double step_limit = std::numeric_limits<double>::infinity();
  // If it becomes non-zero, the run stops within 0.1 s, also during a long step: it ends at the
  // last certified state. A signal handler may set it. May be null.
  const std::atomic<int>* stop = nullptr;
  std::string run_file;  // "" = none
  // records the run here instead of in a file; may be null
  std::shared_ptr<record::MemoryRun> run_memory;
  // The state at which the run starts, instead of the scene's start: a state of the same scene with
  // its memory.
  std::optional<dynamics::State> from;
  // Called a few times per second of real time. If it returns false, the run stops after the
  // current step.
  std::function<bool(const Progress&)> on_progress;
  // Called before the first step and after the last. The model exists until simulate() returns. May
  // be empty.
  std::function<void(const dynamics::Model&, const dynamics::State&)> on_start;
  std::function<void(const dynamics::State&)> on_end;
  // Called at a frame before the run continues, and may take any time. It may change gravity,
  // applied forces and surfaces of the model, and returns true if it did. If the method refuses a
  // change, the old values are restored. May be empty.
  std::function<bool(const dynamics::State&, dynamics::Model*)> on_frame;
  // Called after every certified step, for measurements; may be empty.
  std::function<void(const methods::StepReport&, std::span<const contact::ContactRecord>,
                     const dynamics::State&)>
      on_step;
  // Called with the state at each frame that lies within a step, before on_step of that step, in
  // the order of time. Not called if steps end at frames, as for most methods. May be empty.
  std::function<void(const dynamics::State&)> on_frame_within;
};

// The first contact at which no finite force solves the problem.
struct PainleveFinding {
  double t = 0.0;  // s
  double A = 0.0;  // 1/kg
  std::string body_a, body_b;
};

// The worst values and the sums over all steps: what a reader wants to know first.
struct Summary {
  methods::AdvanceStatus status = methods::AdvanceStatus::kReachedEnd;
  complementarity::SolveStatus solver = complementarity::SolveStatus::kSolved;
  std::string message;  // message of the failure, or ""
  double t = 0.0;       // s   time reached
  std::int64_t steps = 0;
  std::int64_t frames = 0;
  double wall = 0.0;  // s
  double cpu = 0.0;   // s
  contact::Certificate worst;
  double t_start = 0.0;         // s   0 unless the run continues another one
  double energy_start = 0.0;    // J   kinetic + potential at t_start, after `start` was applied
  double energy_end = 0.0;      // J
  double gravity_change = 0.0;  // J   energy added by changes of gravity, by events or the page
  double largest_energy = 0.0;  // J   largest |kinetic| + |potential| of the run
  double worst_closure = 0.0;   // J   largest |closure| of a step
  double total_closure = 0.0;   // J   sum of the stages over the run minus the change of energy
  std::array<double, contact::Ledger::kNumStages> work = {};  // J   sums over the run
  int max_contacts = 0;
  int max_problem_size = 0;
  std::int64_t pivots = 0;
  std::int64_t solves = 0;
  std::int64_t slept = 0;    // bodies that slept, summed over steps
  std::int64_t retries = 0;  // failed attempts at steps that succeeded later
  int max_iterations = 0;
  double max_contraction = 0.0;
  std::int64_t steps_without_promise = 0;  // steps in which the existence conditions do not hold
  std::int64_t unsettled_steps = 0;        // steps with a message
  std::string first_message;
  std::int64_t painleve_steps = 0;
  PainleveFinding first_painleve;
  scene::LoopCount loops;
  methods::StartReport start;            // overlaps before time 0
  std::vector<std::string> start_lines;  // the same as text, one line per overlap
  std::array<std::int64_t, contact::kNumModes> modes =
      {};                       // contacts by contact::Mode, summed over steps
  methods::EventCounts events;  // summed over steps
  std::optional<methods::time_stepping::Stepping> stepping;  // if the method is time stepping
  methods::DivisionCounts division;                          // summed over steps
  methods::ForceBranches branches;                           // summed over steps
  std::int64_t guarded = 0;             // impacts solved again to keep energy, summed over steps
  std::int64_t undetermined_steps = 0;  // steps in which other contact forces give the same motion
  // steps among these in which the least forces were not found
  std::int64_t not_least_steps = 0;
  std::vector<std::string> fired;    // events in the order of their times: "opened at 0.5 s"
  bool is_stopped_by_event = false;  // true if the last event ended the run
  std::uint64_t state_hash = 0;      // hash of the final state
  dynamics::State state;             // final state
};

// A run in slices, for a thread that does other work in between. The bits do not depend on the
// slices. Throws RecordError if the run file cannot be written. Numerical failure is reported in
// the summary.
class SlicedSimulation {
 public:
  // The scene must outlive it.
  SlicedSimulation(const scene::Scene& scene, const SimulationOptions& options);
  ~SlicedSimulation();  // marks a run that is not complete as interrupted
  SlicedSimulation(const SlicedSimulation&) = delete;
  SlicedSimulation& operator=(const SlicedSimulation&) = delete;

  // Runs for that much real time (s), and on to the next frame. Returns true if the run is not
  // complete.
  bool advance(double seconds);

  const dynamics::State& state() const;
  // Complete when the run is complete.
  const Summary& summary() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs a scene from start to end.
[[nodiscard]] Summary simulate(const scene::Scene& scene, const SimulationOptions& options);

}  // namespace tenpin::lab
