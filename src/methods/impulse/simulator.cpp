#include "methods/impulse/simulator.h"

#include "dynamics/mass_matrix.h"
#include "methods/impulse/interval_certificate.h"

namespace tenpin::methods::impulse {

Simulator::Simulator(const dynamics::Model& model, const scene::ImpulseOptions& options)
    : model_(&model),
      options_(options),
      least_half_width_(calc_least_half_width(model)),
      bodies_(model),
      shapes_(make_part_shapes(bodies_)),
      pairs_(model, shapes_),
      resting_(model),
      run_(options, {.interval = &interval_,
                     .shapes = &shapes_,
                     .bodies = &bodies_,
                     .pairs = &pairs_,
                     .resting = &resting_,
                     .journal = &journal_}) {}

void Simulator::begin(const dynamics::State& state, double t_end, const Looks& looks) {
  interval_.t_start = state.t;
  interval_.t_end = t_end;
  interval_.looks = looks;
  update_poses(*model_, state.q, state.t, &interval_.X_WB);
  update_twists(*model_, interval_.X_WB, state.v, state.t, &interval_.V_WB);
  interval_.thresholds =
      calc_thresholds(*model_, interval_.V_WB, least_half_width_, options_.envelope);
  interval_.kinetic = calc_kinetic_energy(*model_, interval_.X_WB, interval_.V_WB, state.v);
  interval_.potential = calc_potential_energy(*model_, interval_.X_WB, state.q);
  journal_ = {};
  load(state, &bodies_);
  run_.begin();
  pairs_.find(bodies_, interval_);
  num_pairs_at_begin_ = pairs_.size();
  num_pairs_added_ = 0;
  const auto look = [this](Pair* pair) {
    run_.look(pair);
  };
  resting_.find(interval_.thresholds, options_.tolerance, look, &pairs_, &bodies_);
}

void Simulator::list_work(std::span<const int> group_of, std::vector<Group>* groups) const {
  const JointStops& stops = run_.stops();
  for (int i = 0; i < stops.size(); ++i) {
    const int m = model_->bodies[stops.body(i)].mechanism;
    if (m >= 0) (*groups)[group_of[m]].stops.push_back(i);
  }
  pairs_.list(group_of, groups);
}

void Simulator::take_bodies(const Group& group, const Simulator& other) {
  for (const int m : group.mechanisms) take(model_->mechanisms[m], other.bodies_, &bodies_);
}

void Simulator::take_results(const Simulator& other) {
  append(other.journal_, &journal_);
  num_pairs_added_ += other.pairs_.size() - other.num_pairs_at_begin_;
}

void Simulator::finish(const dynamics::State& state, StepReport* report) {
  const auto parts = static_cast<std::int64_t>(model_->parts.size());
  EventCounts& counts = journal_.counts;
  counts.naive_queries = (counts.events + 1) * parts * (parts - 1) / 2;
  contact::Ledger ledger = settle_records(&journal_);
  if (!journal_.has_failed() && counts.events > calc_most_events(options_)) {
    fail(AdvanceStatus::kSolverFailed, tell_too_many_events(options_, interval_.t_end),
         complementarity::SolveStatus::kIterationLimit);
  }
  if (!journal_.has_failed() && journal_.num_impact_records > options_.cap) {
    fail(AdvanceStatus::kSolverFailed, tell_too_many_impacts(options_, interval_.t_end),
         complementarity::SolveStatus::kIterationLimit);
  }
  if (!journal_.has_failed()) certify(state, &ledger, report);
  report->status = journal_.failure.status;
  report->solver = journal_.failure.solver;
  report->message = journal_.failure.message;
  report->certificate = journal_.certificate;
  report->events = counts;
  report->guarded = journal_.guarded;
  report->num_active = static_cast<int>(journal_.records.size());
  report->num_contacts = pairs_.size() + num_pairs_added_;
}

void Simulator::certify(const dynamics::State& state, contact::Ledger* ledger, StepReport* report) {
  run_.move_all_to_end();
  dynamics::State end = state;
  store(bodies_, &end);
  if (!end.q.allFinite() || !end.v.allFinite()) {
    fail(AdvanceStatus::kNonfinite, "the state is not finite any more");
    return;
  }
  IntervalEnd at_end;
  update_poses(*model_, end.q, interval_.t_end, &at_end.X_WB);
  update_twists(*model_, at_end.X_WB, end.v, interval_.t_end, &at_end.V_WB);
  ledger->kinetic = calc_kinetic_energy(*model_, at_end.X_WB, at_end.V_WB, end.v);
  ledger->potential = calc_potential_energy(*model_, at_end.X_WB, end.q);
  close_ledger(interval_, bodies_, ledger);
  report->ledger = *ledger;
  contact::Certificate* certificate = &journal_.certificate;
  std::string wrong =
      certify_flights(interval_, bodies_, at_end, *ledger, options_.tolerance, certificate);
  if (wrong.empty()) {
    lifts_.load(*model_, state.memory);
    wrong = certify_lifts(interval_, bodies_, at_end, options_.tolerance, &lifts_, &journal_);
  }
  if (wrong.empty()) return;
  certificate->passed = false;
  fail(AdvanceStatus::kCertificateFailed, wrong);
}

void Simulator::commit(dynamics::State* state) const {
  store(bodies_, state);
  state->memory = lifts_.save();
  state->t = interval_.t_end;
  ++state->step;
}

void Simulator::fail(AdvanceStatus status, const std::string& message,
                     complementarity::SolveStatus solver) {
  note({.t = interval_.t_end, .status = status, .solver = solver, .message = message}, &journal_);
}

}  // namespace tenpin::methods::impulse
