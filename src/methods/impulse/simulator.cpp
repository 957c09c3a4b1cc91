#include "methods/impulse/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/rounded.h"
#include "base/text.h"
#include "dynamics/flight_certificate.h"
#include "dynamics/mass_matrix.h"
#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

Simulator::Simulator(const dynamics::Model& model, const scene::ImpulseOptions& options)
    : model_(&model),
      options_(options),
      least_half_width_(calc_least_half_width(model)),
      finder_(model),
      bodies_(model),
      mover_(model),
      matrix_(&bodies_),
      stops_(&bodies_),
      rule_(thresholds_, options.microcollisions),
      parts_(model.parts.size()),
      rest_finder_(model) {
  for (const dynamics::Mechanism& m : model.mechanisms) has_mechanisms_ |= !m.is_loose;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const dynamics::Part& part = model.parts[i];
    const collide::TrackedShape& shape = shapes_.emplace_back(part.placed.shape);
    if (shape.core() == nullptr) continue;
    const Vec3 center = part.placed.X_BS.inverse() * bodies_.flights[part.body].center;
    parts_[i].radius = std::max(
        0.0, shapes::calc_bounding_radius(part.placed.shape, center) - shape.core()->rounding());
  }
}

void Simulator::commit(dynamics::State* state) {
  store(bodies_, state);
  state->memory = lifts_.save();
  state->t = t_end_;
  ++state->step;
}

void Simulator::model_changed() {
  rest_candidates_.clear();  // their supports may have changed
}

void Simulator::begin(const dynamics::State& state, double t_end, const Looks& looks) {
  t_end_ = t_end;
  looks_ = looks;
  update_poses(*model_, state.q, state.t, &X_start_);
  update_twists(*model_, X_start_, state.v, state.t, &V_start_);
  thresholds_ = calc_thresholds(*model_, V_start_, least_half_width_, options_.envelope);
  rule_ = ImpactRule(thresholds_, options_.microcollisions);
  now_ = t_start_ = state.t;
  is_lost_ = false;
  status_ = AdvanceStatus::kReachedEnd;
  solver_ = complementarity::SolveStatus::kSolved;
  failure_ = {};
  heap_item_ = 0;
  certificate_ = {};
  ledger_ = {};
  counts_ = {};
  records_.clear();
  bookings_.clear();
  conflicts_.clear();
  refiled_.clear();
  load(state, &bodies_);
  guarded_ = 0;
  num_impact_records_ = 0;
  kinetic_start_ = calc_kinetic_energy(*model_, X_start_, V_start_, state.v);
  potential_start_ = calc_potential_energy(*model_, X_start_, state.q);
  find_pairs();
  num_pairs_at_begin_ = num_pairs_;
  num_pairs_added_ = 0;
  find_rest();
}

void Simulator::join_pairs(UnionFind* mechanisms) const {
  for (int i = 0; i < num_pairs_; ++i) {
    const int a = model_->bodies[model_->parts[pairs_[i].part_a].body].mechanism;
    const int b = model_->bodies[model_->parts[pairs_[i].part_b].body].mechanism;
    if (a >= 0 && b >= 0) mechanisms->join(a, b);
  }
}

void Simulator::list_work(std::span<const int> group_of, std::vector<Group>* groups) const {
  const auto add = [&](int body, std::vector<int> Group::*list, int index) {
    const int m = model_->bodies[body].mechanism;
    if (m < 0) return false;
    ((*groups)[group_of[m]].*list).push_back(index);
    return true;
  };
  for (int i = 0; i < stops_.size(); ++i) (void)add(stops_.body(i), &Group::stops, i);
  for (int i = 0; i < num_pairs_; ++i) {
    const Pair& pair = pairs_[i];
    if (add(model_->parts[pair.part_a].body, &Group::pairs, i)) continue;
    (void)add(model_->parts[pair.part_b].body, &Group::pairs, i);
  }
}

bool Simulator::is_in_group(int body) const {
  return group_numbers_[model_->bodies[body].mechanism] == group_;
}

void Simulator::run_group(const Group& group, int number, std::span<const int> group_of,
                          const Patience& patience) {
  group_ = number;
  group_numbers_ = group_of;
  now_ = t_start_;
  status_ = AdvanceStatus::kReachedEnd;
  solver_ = complementarity::SolveStatus::kSolved;
  is_lost_ = false;
  heap_.clear();
  first_boxes_.clear();
  run_events(group, patience);
  if (!has_failed()) end_group(group);
  // Other groups see these bodies where they were expected at the start of the interval.
  for (auto it = first_boxes_.rbegin(); it != first_boxes_.rend(); ++it) {
    hash_.place(it->first, it->second);
  }
}

// The top of the heap is the earliest time at which anything can happen.   [MC95, §Prioritizing
// collisions]
void Simulator::run_events(const Group& group, const Patience& patience) {
  const EventCounts before = counts_;
  group_events_ = 0;
  first_added_pair_ = num_pairs_;
  const std::int64_t operations = heap_.num_operations();
  const std::int64_t queries = tracker_.num_queries();
  const std::int64_t steps = tracker_.num_steps();
  const std::int64_t looks = hash_.num_looks();
  for (const int i : group.stops) {
    heap_item_ = i;
    heap_.set(i, calc_next_stop_time(i));
  }
  for (const int i : group.pairs) {
    heap_item_ = heap_index(i);
    heap_.set(heap_item_, calc_next_time(i));
  }
  while (!has_failed() && heap_.top_time() < t_end_ && may_go_on(patience)) {
    const int index = heap_.top_pair();
    const int pair = index - stops_.size();
    heap_item_ = index;
    now_ = heap_.top_time();
    ++counts_.events;
    ++group_events_;
    const double next = pair < 0 ? calc_next_stop_time(index) : calc_next_time(pair);
    if (next > now_) {
      heap_.set(index, next);
    } else if (pair < 0) {
      hit_stop(index);
    } else {
      collide(pair);
    }
    if (!bodies_.is_followed) {
      fail(AdvanceStatus::kNonfinite, "a mechanism moves too fast to be followed");
    }
  }
  counts_.heap_operations = before.heap_operations + heap_.num_operations() - operations;
  counts_.distance_queries += tracker_.num_queries() - queries;
  counts_.feature_steps = before.feature_steps + tracker_.num_steps() - steps;
  counts_.hash_looks = before.hash_looks + hash_.num_looks() - looks;
}

// The work of an interval is bounded, and the observer may end it.
bool Simulator::may_go_on(const Patience& patience) {
  constexpr std::int64_t kAskEvery = 256;  // events: a millisecond
  if (group_events_ >= calc_most_events() || counts_.events > calc_most_events()) {
    fail_events();
    return false;
  }
  if (group_events_ % kAskEvery != 0) return true;
  if (patience.observer != nullptr && patience.observer->is_stopped()) {
    *patience.is_stopped = true;
  }
  if (patience.is_stopped == nullptr || !*patience.is_stopped) return true;
  fail(AdvanceStatus::kStopped, "");
  return false;
}

std::int64_t Simulator::calc_most_events() const {
  return 1000 + 4 * static_cast<std::int64_t>(options_.cap);
}

void Simulator::fail_events() {
  solver_ = complementarity::SolveStatus::kIterationLimit;
  fail(AdvanceStatus::kSolverFailed,
       "bodies are looked at more than " + std::to_string(calc_most_events()) +
           " times in the interval that ends at t = " + to_rounded_time(t_end_) + " s");
}

void Simulator::fail_impacts() {
  solver_ = complementarity::SolveStatus::kIterationLimit;
  fail(AdvanceStatus::kSolverFailed,
       "more than " + std::to_string(options_.cap) +
           " impacts in the interval that ends at t = " + to_rounded_time(t_end_) + " s");
}

// Moves all bodies of the group to the end of the interval.
void Simulator::end_group(const Group& group) {
  now_ = t_end_;
  for (const RestingGroup& resting : resting_) {
    const int body = resting.bodies.front();
    if (is_in_group(body) && group_of_[body] >= 0) end_rest(resting, t_end_);
  }
  for (const int m : group.mechanisms) {
    for (const int i : model_->mechanisms[m].bodies) mover_.move_to_end(i, t_end_, &bodies_);
  }
  if (!bodies_.is_followed) {
    fail(AdvanceStatus::kNonfinite, "a mechanism moves too fast to be followed");
    return;
  }
  look_at_near_pairs(group);
  look_at_mechanisms(group);
}

void Simulator::take_bodies(const Group& group, const Simulator& other) {
  for (const int m : group.mechanisms) take(model_->mechanisms[m], other.bodies_, &bodies_);
}

void Simulator::take_results(const Simulator& other) {
  records_.insert(records_.end(), other.records_.begin(), other.records_.end());
  bookings_.insert(bookings_.end(), other.bookings_.begin(), other.bookings_.end());
  certificate_ += other.certificate_;
  counts_ += other.counts_;
  guarded_ += other.guarded_;
  num_impact_records_ += other.num_impact_records_;
  num_pairs_added_ += other.num_pairs_ - other.num_pairs_at_begin_;
  if (other.failure_.status != AdvanceStatus::kReachedEnd) note_failure(other.failure_);
}

// Keeps the earliest failure, because later events did not happen.
void Simulator::note_failure(const Failure& failure) {
  const bool is_first = failure_.status == AdvanceStatus::kReachedEnd;
  if (is_first || std::tie(failure.t, failure.index) < std::tie(failure_.t, failure_.index)) {
    failure_ = failure;
  }
}

// Sorts by time and pair, which does not depend on the threads that ran the groups.
void Simulator::sort_records() {
  std::vector<int> order(records_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](int i, int j) {
    const contact::ContactKey& a = records_[i].key;
    const contact::ContactKey& b = records_[j].key;
    return std::tie(bookings_[i].t, a.part_a, a.part_b) <
           std::tie(bookings_[j].t, b.part_a, b.part_b);
  });
  std::vector<contact::ContactRecord> sorted;
  sorted.reserve(records_.size());
  for (const int i : order) {
    sorted.push_back(records_[i]);
    for (std::size_t k = 0; k < ledger_.work.size(); ++k) ledger_.work[k] += bookings_[i].work[k];
  }
  records_ = std::move(sorted);
  bookings_.clear();
}

void Simulator::finish(const dynamics::State& state, StepReport* report) {
  const auto parts = static_cast<std::int64_t>(parts_.size());
  counts_.naive_queries = (counts_.events + 1) * parts * (parts - 1) / 2;
  sort_records();
  status_ = failure_.status;
  if (!has_failed() && counts_.events > calc_most_events()) fail_events();
  if (!has_failed() && num_impact_records_ > options_.cap) fail_impacts();
  if (!has_failed()) certify_interval(state, report);
  report->status = failure_.status;
  report->solver = failure_.solver;
  report->message = failure_.message;
  report->certificate = certificate_;
  report->events = counts_;
  report->guarded = guarded_;
  report->num_active = static_cast<int>(records_.size());
  report->num_contacts = num_pairs_ + num_pairs_added_;
}

void Simulator::certify_interval(const dynamics::State& state, StepReport* report) {
  now_ = t_end_;
  mover_.move_all(t_end_, &bodies_);
  end_ = state;
  store(bodies_, &end_);
  if (!end_.q.allFinite() || !end_.v.allFinite()) {
    fail(AdvanceStatus::kNonfinite, "the state is not finite any more");
    return;
  }
  update_poses(*model_, end_.q, t_end_, &X_end_);
  update_twists(*model_, X_end_, end_.v, t_end_, &V_end_);
  ledger_.kinetic = calc_kinetic_energy(*model_, X_end_, V_end_, end_.v);
  ledger_.potential = calc_potential_energy(*model_, X_end_, end_.q);
  write_ledger(report);
  certify_flights();
  if (!has_failed()) certify_lifts(state);
}

void Simulator::certify_lifts(const dynamics::State& state) {
  lifts_.load(*model_, state.memory);
  std::vector<double> applied;
  for (const dynamics::Mechanism& m : model_->mechanisms) {
    applied.push_back(calc_applied_work(bodies_, m));
  }
  const LiftAccount::Excess excess =
      lifts_.add(*model_, {.records = records_,
                           .V_start = V_start_,
                           .V_end = V_end_,
                           .applied = applied,
                           .lift = thresholds_.fall * thresholds_.envelope,
                           .tolerance = options_.tolerance});
  if (excess.body < 0) return;
  certificate_.excess_work = std::max(certificate_.excess_work, excess.gained - excess.allowed);
  certificate_.passed = false;
  fail(AdvanceStatus::kCertificateFailed,
       "contacts gave " + model_->bodies[excess.body].name + " and the bodies that touch it " +
           to_rounded(excess.gained) + " J until t = " + to_rounded_time(t_end_) +
           " s, more than the " + to_rounded(excess.allowed) + " J that keep them apart");
}

// Checks momentum and energy of all flights of the interval, from the states at its two ends.
void Simulator::certify_flights() {
  const dynamics::MotionView end{.X_WB = X_end_, .V_WB = V_end_};
  const dynamics::FlightResidual momentum =
      calc_momentum_residual(*model_, {.X_WB = X_start_, .V_WB = V_start_, .t = t_start_}, end,
                             bodies_.impulses, t_end_ - t_start_);
  dynamics::EnergyBalance balance{.kinetic_start = kinetic_start_,
                                  .kinetic_end = ledger_.kinetic,
                                  .potential_start = potential_start_,
                                  .potential_end = ledger_.potential,
                                  .closure = ledger_.closure};
  for (const double work : ledger_.work) balance.moved += std::fabs(work);
  const double energy = calc_energy_residual(*model_, end, balance);
  const double rotation = calc_rotation_error(bodies_);
  certificate_.scheme_gain = std::max(0.0, calc_work(bodies_).rotation);
  for (const double residual : {momentum.worst, energy, rotation}) {
    certificate_.residual = std::max(certificate_.residual, residual);
  }
  std::string what;
  if (!(momentum.worst <= options_.tolerance)) {
    what = "the momentum of " + model_->bodies[momentum.body].name + " changed by " +
           to_rounded(momentum.worst);
  } else if (!(rotation <= options_.tolerance)) {
    what = "the energy of a free rotation changed by " + to_rounded(rotation);
  } else if (!(energy <= options_.tolerance)) {
    what = "the energy changed by " + to_rounded(energy);
  }
  if (what.empty()) return;
  certificate_.passed = false;
  fail(AdvanceStatus::kCertificateFailed,
       what + " of itself without a cause before t = " + to_rounded_time(t_end_) + " s");
}

void Simulator::write_ledger(StepReport* report) {
  const FlightWork flown = calc_work(bodies_);
  ledger_.work[contact::Ledger::kFreeFlight] = flown.rotation;
  ledger_.work[contact::Ledger::kApplied] += flown.applied;
  ledger_.work[contact::Ledger::kPrescribed] += flown.prescribed;
  double sum = 0.0;
  for (const double work : ledger_.work) sum += work;
  ledger_.closure = sum - (ledger_.total() - kinetic_start_ - potential_start_);
  report->ledger = ledger_;
}

void Simulator::fail_overlap(double overlap, const std::string& what) {
  if (status_ != AdvanceStatus::kReachedEnd) return;
  certificate_.passed = false;
  is_lost_ = now_ > t_start_ && has_mechanisms_;
  fail(AdvanceStatus::kCertificateFailed,
       what + " overlap by " + to_rounded(overlap) + " m at t = " + to_rounded_time(now_) +
           " s, more than the envelope of " + to_text(thresholds_.envelope) + " m");
}

void Simulator::fail(AdvanceStatus status, const std::string& message) {
  status_ = status;
  note_failure({.t = now_,
                .index = heap_item_,
                .status = status,
                .solver = solver_,
                .message = message,
                .is_lost = is_lost_});
}

}  // namespace tenpin::methods::impulse
