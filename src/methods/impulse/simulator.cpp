#include "methods/impulse/simulator.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/text.h"
#include "dynamics/mass_matrix.h"
#include "methods/impulse/flight_certificate.h"
#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

namespace {

// Looks ahead of bodies whose motion is only estimated, per interval: at first, four times more
// whenever bodies were lost, and at most.
constexpr double kSlices = 16.0;
constexpr double kMostSlices = 1024.0;

}  // namespace

Simulator::Simulator(const dynamics::Model& model, const scene::ImpulseOptions& options)
    : model_(&model),
      options_(options),
      least_half_width_(calc_least_half_width(model)),
      finder_(model),
      bodies_(model),
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
    const Vec3 center = part.placed.X_BS.inverse() * bodies_.center(part.body);
    parts_[i].radius = std::max(
        0.0, shapes::calc_bounding_radius(part.placed.shape, center) - shape.core()->rounding());
  }
}

void Simulator::advance(double t_end, dynamics::State* state, StepReport* report,
                        StepObserver* observer) {
  t_end_ = t_end;
  *report = {.step = state->step + 1, .t = t_end};
  for (double slices = kSlices;; slices *= 4.0) {
    slice_ = (t_end - state->t) / slices;
    reach_ = slices / kSlices;
    begin(*state);
    run_events(observer);
    if (status_ == AdvanceStatus::kReachedEnd) finish(*state, report);
    if (!is_lost_ || slices >= kMostSlices) break;
    ++report->retries;
  }
  report->status = status_;
  report->solver = solver_;
  report->message = message_;
  report->certificate = certificate_;
  report->events = counts_;
  report->guarded = guarded_;
  report->num_active = static_cast<int>(records_.size());
  report->num_contacts = num_pairs_;
  if (status_ != AdvanceStatus::kReachedEnd) return;
  bodies_.store(state);
  state->memory.assign(1, std::bit_cast<std::uint64_t>(lift_account_));
  state->t = t_end;
  ++state->step;
}

void Simulator::model_changed() {
  bodies_.model_changed();
  rest_candidates_.clear();  // what held them may not do so now
}

void Simulator::begin(const dynamics::State& state) {
  update_poses(*model_, state.q, state.t, &X_start_);
  update_twists(*model_, X_start_, state.v, state.t, &V_start_);
  thresholds_ = calc_thresholds(*model_, V_start_, least_half_width_, options_.envelope);
  rule_ = ImpactRule(thresholds_, options_.microcollisions);
  now_ = t_start_ = state.t;
  is_lost_ = false;
  status_ = AdvanceStatus::kReachedEnd;
  solver_ = complementarity::SolveStatus::kSolved;
  message_.clear();
  certificate_ = {};
  ledger_ = {};
  counts_ = {};
  records_.clear();
  bodies_.load(state);
  guarded_ = 0;
  kinetic_start_ = calc_kinetic_energy(*model_, X_start_, V_start_, state.v);
  potential_start_ = calc_potential_energy(*model_, X_start_, state.q);
  find_pairs();
  find_rest();
}

// The heap's top is the next time at which anything can happen.   [MC95, §Prioritizing collisions]
void Simulator::run_events(StepObserver* observer) {
  const std::int64_t operations = heap_.num_operations();
  const std::int64_t queries = tracker_.num_queries();
  const std::int64_t steps = tracker_.num_steps();
  const std::int64_t looks = hash_.num_looks();
  for (int i = 0; i < stops_.size(); ++i) heap_.set(i, calc_next_stop_time(i));
  for (int i = 0; i < num_pairs_; ++i) heap_.set(heap_index(i), calc_next_time(i));
  while (status_ == AdvanceStatus::kReachedEnd && heap_.top_time() < t_end_ &&
         may_go_on(observer)) {
    const int index = heap_.top_pair();
    const int pair = index - stops_.size();
    now_ = heap_.top_time();
    ++counts_.events;
    const double next = pair < 0 ? calc_next_stop_time(index) : calc_next_time(pair);
    if (next > now_) {
      heap_.set(index, next);
    } else if (pair < 0) {
      hit_stop(index);
    } else {
      collide(pair);
    }
    if (!bodies_.is_followed()) {
      fail(AdvanceStatus::kNonfinite, "a mechanism moves too fast to be followed");
    }
  }
  counts_.heap_operations = heap_.num_operations() - operations;
  counts_.distance_queries += tracker_.num_queries() - queries;
  counts_.feature_steps = tracker_.num_steps() - steps;
  counts_.hash_looks = hash_.num_looks() - looks;
  const auto parts = static_cast<std::int64_t>(parts_.size());
  counts_.naive_queries = (counts_.events + 1) * parts * (parts - 1) / 2;
}

// The work of an interval is bounded, and whoever waits for it may end it.
bool Simulator::may_go_on(StepObserver* observer) {
  constexpr std::int64_t kAskEvery = 256;  // events: a millisecond
  const std::int64_t most = 1000 + 4 * static_cast<std::int64_t>(options_.cap);
  if (counts_.events >= most) {
    solver_ = complementarity::SolveStatus::kIterationLimit;
    fail(AdvanceStatus::kSolverFailed, "bodies are looked at more than " + std::to_string(most) +
                                           " times in one interval, at t = " + to_text(now_) +
                                           " s");
    return false;
  }
  if (observer != nullptr && counts_.events % kAskEvery == 0 && observer->is_stopped()) {
    fail(AdvanceStatus::kStopped, "");
    return false;
  }
  return true;
}

void Simulator::finish(const dynamics::State& state, StepReport* report) {
  for (const RestingGroup& group : resting_) {
    if (group_of_[group.bodies.front()] >= 0) end_rest(group, t_end_);
  }
  bodies_.move_all(t_end_);
  end_ = state;
  bodies_.store(&end_);
  if (!bodies_.is_followed()) {
    fail(AdvanceStatus::kNonfinite, "a mechanism moves too fast to be followed");
    return;
  }
  if (!end_.q.allFinite() || !end_.v.allFinite()) {
    fail(AdvanceStatus::kNonfinite, "the state is not finite any more");
    return;
  }
  look_at_mechanisms();
  if (status_ != AdvanceStatus::kReachedEnd) return;
  update_poses(*model_, end_.q, t_end_, &X_end_);
  update_twists(*model_, X_end_, end_.v, t_end_, &V_end_);
  ledger_.kinetic = calc_kinetic_energy(*model_, X_end_, V_end_, end_.v);
  ledger_.potential = calc_potential_energy(*model_, X_end_, end_.q);
  write_ledger(report);
  certify_flights();
  if (status_ == AdvanceStatus::kReachedEnd) certify_lifts(state);
}

// Lifts give energy, other contacts take it. What is not taken must not be more than it takes to
// raise every body by one envelope for every body that may be below it.
void Simulator::certify_lifts(const dynamics::State& state) {
  using contact::Ledger;
  const double before = state.memory.empty() ? 0.0 : std::bit_cast<double>(state.memory.front());
  const double gained = ledger_.work[Ledger::kProjection] + ledger_.work[Ledger::kNormal] +
                        ledger_.work[Ledger::kFriction];
  lift_account_ = std::max(0.0, before + gained);
  double mass = 0.0;  // kg
  int count = 0;
  for (const dynamics::Body& body : model_->bodies) {
    if (!body.is_mobile()) continue;
    mass += body.mass;
    ++count;
  }
  const double allowed = count * mass * thresholds_.fall * thresholds_.envelope;
  const double rounding =
      options_.tolerance * (std::fabs(kinetic_start_) + std::fabs(ledger_.kinetic));
  certificate_.excess_work = std::max(0.0, lift_account_ - allowed);
  if (lift_account_ <= allowed + rounding) return;
  certificate_.passed = false;
  fail(AdvanceStatus::kCertificateFailed,
       "contacts gave bodies " + to_text(lift_account_) + " J until t = " + to_text(t_end_) +
           " s, more than the " + to_text(allowed) + " J that keep them apart");
}

// Momentum and energy of all flights of the interval, from its two ends.
void Simulator::certify_flights() {
  const MotionView end{.X_WB = X_end_, .V_WB = V_end_};
  const FlightResidual momentum = calc_momentum_residual(
      *model_, {.X_WB = X_start_, .V_WB = V_start_}, end, bodies_.impulses(), t_end_ - t_start_);
  EnergyBalance balance{.kinetic_start = kinetic_start_,
                        .kinetic_end = ledger_.kinetic,
                        .potential_start = potential_start_,
                        .potential_end = ledger_.potential,
                        .closure = ledger_.closure};
  for (const double work : ledger_.work) balance.moved += std::fabs(work);
  const double energy = calc_energy_residual(*model_, end, balance);
  const double rotation = bodies_.rotation_error();
  certificate_.scheme_gain = std::max(0.0, bodies_.rotation_work());
  for (const double residual : {momentum.worst, energy, rotation}) {
    certificate_.residual = std::max(certificate_.residual, residual);
  }
  std::string what;
  if (!(momentum.worst <= options_.tolerance)) {
    what = "the momentum of " + model_->bodies[momentum.body].name + " changed by " +
           to_text(momentum.worst);
  } else if (!(rotation <= options_.tolerance)) {
    what = "the energy of a free rotation changed by " + to_text(rotation);
  } else if (!(energy <= options_.tolerance)) {
    what = "the energy changed by " + to_text(energy);
  }
  if (what.empty()) return;
  certificate_.passed = false;
  fail(AdvanceStatus::kCertificateFailed,
       what + " of itself without a cause before t = " + to_text(t_end_) + " s");
}

void Simulator::write_ledger(StepReport* report) {
  ledger_.work[contact::Ledger::kFreeFlight] = bodies_.rotation_work();
  ledger_.work[contact::Ledger::kApplied] += bodies_.applied_work();
  ledger_.work[contact::Ledger::kPrescribed] += bodies_.prescribed_work();
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
       what + " overlap by " + to_text(overlap) + " m at t = " + to_text(now_) +
           " s, more than the envelope of " + to_text(thresholds_.envelope) + " m");
}

void Simulator::fail(AdvanceStatus status, const std::string& message) {
  status_ = status;
  message_ = message;
}

}  // namespace tenpin::methods::impulse
