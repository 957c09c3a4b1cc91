#include "methods/impulse/simulator.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "dynamics/mass_matrix.h"
#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

namespace {

// Looks ahead of bodies whose motion is only estimated, per interval.
constexpr double kSlices = 16.0;

}  // namespace

Simulator::Simulator(const dynamics::Model& model, const scene::ImpulseOptions& options)
    : model_(&model),
      options_(options),
      finder_(model),
      bodies_(model),
      matrix_(&bodies_),
      stops_(&bodies_),
      rule_(thresholds_, options.microcollisions),
      parts_(model.parts.size()) {
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const dynamics::Part& part = model.parts[i];
    const collide::TrackedShape& shape = shapes_.emplace_back(part.placed.shape);
    if (shape.core() == nullptr) continue;
    const Vec3 center = part.placed.X_BS.inverse() * bodies_.center(part.body);
    parts_[i].radius = std::max(
        0.0, shapes::calc_bounding_radius(part.placed.shape, center) - shape.core()->rounding());
  }
}

void Simulator::advance(double t_end, dynamics::State* state, StepReport* report) {
  t_end_ = t_end;
  *report = {.step = state->step + 1, .t = t_end};
  begin(*state);
  run_events();
  if (status_ == AdvanceStatus::kReachedEnd) finish(*state, report);
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
  state->t = t_end;
  ++state->step;
}

void Simulator::model_changed() {
  bodies_.model_changed();
  has_thresholds_ = has_thresholds_ && gravity_ == model_->gravity;
}

void Simulator::begin(const dynamics::State& state) {
  if (!has_thresholds_) {
    gravity_ = model_->gravity;
    thresholds_ = calc_thresholds(*model_, state, options_.envelope);
    rule_ = ImpactRule(thresholds_, options_.microcollisions);
    has_thresholds_ = true;
  }
  now_ = state.t;
  slice_ = (t_end_ - now_) / kSlices;
  status_ = AdvanceStatus::kReachedEnd;
  solver_ = complementarity::SolveStatus::kSolved;
  message_.clear();
  certificate_ = {};
  ledger_ = {};
  counts_ = {};
  guarded_ = 0;
  records_.clear();
  bodies_.load(state);
  update_poses(*model_, state.q, state.t, &X_WB_);
  update_twists(*model_, X_WB_, state.v, state.t, &V_WB_);
  energy_start_ = calc_kinetic_energy(*model_, X_WB_, V_WB_, state.v) +
                  calc_potential_energy(*model_, X_WB_, state.q);
  find_pairs();
}

// The heap's top is the next time at which anything can happen.   [MC95, §Prioritizing collisions]
void Simulator::run_events() {
  const std::int64_t operations = heap_.num_operations();
  const std::int64_t queries = tracker_.num_queries();
  const std::int64_t steps = tracker_.num_steps();
  const std::int64_t looks = hash_.num_looks();
  for (int i = 0; i < stops_.size(); ++i) heap_.set(i, calc_next_stop_time(i));
  for (int i = 0; i < num_pairs_; ++i) heap_.set(heap_index(i), calc_next_time(i));
  while (status_ == AdvanceStatus::kReachedEnd && heap_.top_time() < t_end_) {
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

void Simulator::finish(const dynamics::State& state, StepReport* report) {
  bodies_.move_all(t_end_);
  end_ = state;
  bodies_.store(&end_);
  if (!end_.q.allFinite() || !end_.v.allFinite() || !bodies_.is_followed()) {
    fail(AdvanceStatus::kNonfinite, "the state is not finite any more");
    return;
  }
  update_poses(*model_, end_.q, t_end_, &X_WB_);
  update_twists(*model_, X_WB_, end_.v, t_end_, &V_WB_);
  ledger_.kinetic = calc_kinetic_energy(*model_, X_WB_, V_WB_, end_.v);
  ledger_.potential = calc_potential_energy(*model_, X_WB_, end_.q);
  write_ledger(report);
}

void Simulator::write_ledger(StepReport* report) {
  ledger_.work[contact::Ledger::kFreeFlight] = bodies_.rotation_work();
  ledger_.work[contact::Ledger::kApplied] += bodies_.applied_work();
  ledger_.work[contact::Ledger::kPrescribed] += bodies_.prescribed_work();
  double sum = 0.0;
  for (const double work : ledger_.work) sum += work;
  ledger_.closure = sum - (ledger_.total() - energy_start_);
  report->ledger = ledger_;
}

void Simulator::fail(AdvanceStatus status, const std::string& message) {
  status_ = status;
  message_ = message;
}

}  // namespace tenpin::methods::impulse
