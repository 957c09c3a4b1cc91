// The interface of a contact method. Each folder below implements one; none includes another.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "complementarity/lcp.h"
#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "scene/options.h"

namespace tenpin::methods {

enum class AdvanceStatus {
  kReachedEnd,
  kSolverFailed,       // no solution; `solver` says how it ended
  kCertificateFailed,  // a solution that fails its certificate
  kNonfinite,          // the state is no longer finite
  kStopped,            // the observer asked to stop
};
[[nodiscard]] std::string_view to_string(AdvanceStatus status);

// Counts of event-driven methods, per report.
struct EventCounts {
  std::int64_t events = 0;   // times at which a pair was examined
  std::int64_t impacts = 0;  // collisions; a face that meets with all its points counts once
  std::int64_t microcollisions = 0;  // impacts that were slow and only reversed a velocity
  std::int64_t sliding = 0;          // impacts that were slow and beyond the friction cone
  std::int64_t lifts = 0;            // impacts that pushed bodies back to their distance
  std::int64_t heap_operations = 0;
  std::int64_t plane_checks = 0;      // distances computed along the last known direction
  std::int64_t distance_queries = 0;  // distances computed from scratch or from the last features
  std::int64_t feature_steps = 0;     // changes of features in all distance computations
  std::int64_t hash_looks = 0;        // bounding boxes compared
  std::int64_t naive_queries = 0;     // distances if all pairs were examined in every event

  EventCounts& operator+=(const EventCounts& more) {
    events += more.events;
    impacts += more.impacts;
    microcollisions += more.microcollisions;
    sliding += more.sliding;
    lifts += more.lifts;
    heap_operations += more.heap_operations;
    plane_checks += more.plane_checks;
    distance_queries += more.distance_queries;
    feature_steps += more.feature_steps;
    hash_looks += more.hash_looks;
    naive_queries += more.naive_queries;
    return *this;
  }
};

// Counts of second-order steps, per report.
struct DivisionCounts {
  std::int64_t impacts = 0;    // collisions of one group of bodies at one instant
  std::int64_t divisions = 0;  // times at which the step of a group was divided
  std::int64_t late = 0;       // impacts over the budget, which are solved to first order

  DivisionCounts& operator+=(const DivisionCounts& more) {
    impacts += more.impacts;
    divisions += more.divisions;
    late += more.late;
    return *this;
  }
};

// How often each guess of the force heuristic was right, per report.   [B89, §6]
struct ForceBranches {
  std::int64_t none_vanishes = 0;  // the first guess was right: every contact carries force
  std::int64_t predicted = 0;      // the second guess was right: separating contacts were predicted
  std::int64_t fallback = 0;       // neither was right: forces that are temporarily incorrect
  double added_energy = 0.0;       // J   added by these fallbacks   [B89, eq. (25)]

  ForceBranches& operator+=(const ForceBranches& more) {
    none_vanishes += more.none_vanishes;
    predicted += more.predicted;
    fallback += more.fallback;
    added_energy += more.added_energy;
    return *this;
  }
};

// The report of one complete step or event.
struct StepReport {
  std::int64_t step = 0;  // number of the step that ended here, from 1
  double t = 0.0;         // s   its end
  AdvanceStatus status = AdvanceStatus::kReachedEnd;
  complementarity::SolveStatus solver = complementarity::SolveStatus::kSolved;
  contact::Certificate certificate;
  contact::Ledger ledger;
  contact::Existence existence;
  int num_contacts = 0;  // contacts that were considered
  int num_active = 0;    // contacts in the complementarity problems
  int problem_size = 0;  // rows of the largest complementarity problem
  int pivots = 0;
  int solves = 0;            // complementarity problems solved, all islands and iterations
  std::int64_t swept = 0;    // contacts, each counted as often as it was swept
  int iterations = 0;        // iterations of the fixed point; 1 if the step is linear
  double contraction = 0.0;  // ratio of the last two changes of the fixed point
  int asleep = 0;            // bodies that were asleep
  int guarded = 0;           // impacts solved again because their law would have gained energy
  int retries = 0;           // times the step was solved again: shorter, at order 1 or regularised
  EventCounts events;
  DivisionCounts division;
  ForceBranches branches;
  std::string message;  // what went wrong; empty if nothing did
};

// Called after every step; contacts are valid until the method continues. Returning false stops the
// run.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  [[nodiscard]] virtual bool on_step(const StepReport& report,
                                     std::span<const contact::ContactRecord> contacts,
                                     const dynamics::State& state) = 0;
  // Called from time to time within long steps. If it returns true, the run ends at the last
  // certified state.
  [[nodiscard]] virtual bool is_stopped() { return false; }
};

// When to stop a step before it is complete.
struct StepLimit {
  double seconds = std::numeric_limits<double>::infinity();  // s   of real time
  // The step stops when this becomes non-zero. A signal handler or another thread sets it. May be
  // null.
  const std::atomic<int>* stop = nullptr;
};

class Method {
 public:
  virtual ~Method() = default;

  // Advances *state by the method's own steps or events to the first of its own times at or past
  // t_target. Never passes t_limit: if it reaches t_limit, it ends there exactly. If it fails,
  // *state is the last certified state and the result says why.
  [[nodiscard]] virtual AdvanceStatus advance(double t_target, double t_limit,
                                              dynamics::State* state, StepObserver* observer) = 0;

  // Takes one step, event or interval of the method. Never passes t_limit: if it reaches t_limit,
  // it ends there exactly. Does nothing if the state is already at t_limit. Failures are handled as
  // in advance().
  [[nodiscard]] virtual AdvanceStatus step(double t_limit, dynamics::State* state,
                                           StepObserver* observer) = 0;

  // Call this after the model's gravity, applied forces, joint forces, motor targets, prescribed
  // motion or surfaces were changed, and before the next step: the method then advances as if it
  // had been made with these values. Throws InputError if it cannot handle the changed model; the
  // caller then restores the old values and calls this again.
  virtual void model_changed() = 0;

  // Applies to the model all events that have happened in this state. advance() and step() do so
  // themselves. Call this before reading values of the model in order to change some of them.
  virtual void prepare(const dynamics::State& /*state*/) {}

  // A step that exceeds the limit of time may end with a LimitError that says what took so long. A
  // step that is stopped ends with kStopped and leaves the state unchanged.
  virtual void set_step_limit(const StepLimit& /*limit*/) {}
};

struct MethodEntry {
  std::string_view name;   // as written in a scene file and on the command line
  std::string_view paper;  // key in docs/references.bib
  std::unique_ptr<Method> (*make)(const dynamics::Model& model, const scene::MethodOptions& options,
                                  int threads);
};

// All methods, listed in registry.cpp.
[[nodiscard]] std::span<const MethodEntry> all_methods();

// Throws InputError if the method cannot handle the model, which must outlive it.
[[nodiscard]] std::unique_ptr<Method> make_method(const dynamics::Model& model,
                                                  const scene::MethodOptions& options, int threads);

}  // namespace tenpin::methods
