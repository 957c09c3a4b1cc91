#include "methods/time_stepping/order2/stepper.h"

#include <algorithm>
#include <tuple>

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;

namespace {

constexpr int kMaxOverlapRounds = 200;  // searches for overlaps in one step

// Computes speeds of bodies and kinetic energies of mechanisms at the start of the step.
void measure_start(const StepSetup& setup, double h, const Instant& begin, StepStart* start) {
  const dynamics::Model& model = *setup.model;
  start->speeds.resize(model.bodies.size());
  start->kinetic.resize(model.mechanisms.size());
  setup.workers->split(setup.num_bodies(), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      start->speeds[i] = setup.calc_speed(i, begin.motion.V[i]);
    }
  });
  setup.workers->split(setup.num_mechanisms(), [&](int first, int last) {
    for (int m = first; m < last; ++m) {
      start->kinetic[m] =
          calc_kinetic_energy(model, model.mechanisms[m], begin.motion.X, begin.motion.V, begin.v);
    }
  });
  start->speed = calc_least_speed(h);
  for (const double speed : start->speeds) start->speed = std::max(start->speed, speed);
}

// Nodes that take no part end the step where they began it.
void hold_others(const StepSetup& setup, const Schedule& schedule, Path* path) {
  for (int m = 0; m < setup.num_mechanisms(); ++m) {
    if (schedule.nodes[m].state != NodeState::kAway) continue;
    const dynamics::Mechanism& mechanism = setup.model->mechanisms[m];
    path->end.q.segment(mechanism.q_begin, mechanism.nq) =
        path->begin.q.segment(mechanism.q_begin, mechanism.nq);
    path->end.v.segment(mechanism.v_begin, mechanism.nv) =
        path->begin.v.segment(mechanism.v_begin, mechanism.nv);
    for (const int body : mechanism.bodies) {
      path->end.motion.X[body] = path->begin.motion.X[body];
      path->end.motion.V[body] = path->begin.motion.V[body];
    }
  }
}

// Stores the initial guesses for the next step: the impulse of each contact from its latest smooth
// solve. Entries and supports are sorted by key.
void remember_impulses(std::span<const JournalEntry> entries, std::span<const Support> supports,
                       ActiveSet* active) {
  active->clear();
  auto support = supports.begin();
  const auto insert_supports = [&](const contact::ContactKey* before) {
    for (; support != supports.end() && (before == nullptr || support->contact.key < *before);
         ++support) {
      if (support->impulse.x() <= 0.0) continue;
      active->insert({.key = support->contact.key, .impulse = support->impulse});
    }
  };
  for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
    const contact::ContactKey key = entries[first].contact.key;
    std::size_t latest = entries.size();
    for (; last < entries.size() && entries[last].contact.key == key; ++last) {
      const JournalEntry& entry = entries[last];
      if (entry.is_smooth && entry.share > 0.0 && entry.impulse.x() > 0.0) latest = last;
    }
    if (latest == entries.size()) continue;
    insert_supports(&key);
    active->insert(
        {.key = key, .impulse = entries[latest].impulse.head<3>() / entries[latest].share});
  }
  insert_supports(nullptr);
}

}  // namespace

Stepper::Stepper(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
                 const Workers& workers)
    : setup_(model, options, workers),
      sleepers_(model),
      tracker_(setup_, sleepers_),
      motion_(setup_),
      solver_(setup_),
      substeps_(setup_, &tracker_, &solver_, &motion_),
      finisher_(setup_, &tracker_, &substeps_, &motion_),
      divider_(setup_, &tracker_, &substeps_, &finisher_) {
  Path& path = step_.path;
  for (Instant* instant : {&path.mid, &path.predicted, &path.end}) {
    instant->q.setZero(model.nq);
    instant->v.setZero(model.nv);
  }
  path.v_kicked.setZero(model.nv);
}

// The stored energy of the last step's end, and the friction of its contacts, belong to the old
// model, and so do the impulses that support sleeping bodies.
void Stepper::model_changed() {
  setup_.model_changed();
  known_end_.h = 0.0;
  sleepers_.forget_supports();
}

void Stepper::step(double h, double t_end, dynamics::State* state, StepReport* report) {
  const std::span<const std::uint64_t> memory = state->memory;
  previous_.load(setup_.options.sleeping ? sleepers_.load(memory) : memory);
  update_supports(h, t_end, *state);
  Outcome outcome = Outcome::kWoken;
  while (outcome == Outcome::kWoken) {
    *report = {.step = state->step + 1, .t = t_end};
    begin(h, t_end, *state);
    outcome = advance(report);
  }
  if (outcome == Outcome::kFailed) return;
  write_records();
  report->ledger = calc_ledger(setup_, step_);
  known_end_.energy = report->ledger.total();
  certifier_.certify(setup_, *state, &step_, &tracker_, &motion_, report);
  report_supports(setup_, sleepers_, &records_, report);
  if (report->status == AdvanceStatus::kReachedEnd) commit(state);
}

// Sets poses, velocities and contacts at the start. Most of them are known from the previous step.
void Stepper::begin_motion(double h, const dynamics::State& state) {
  Path& path = step_.path;
  const bool continues = known_end_.h == h && step_.schedule.t1 == state.t &&
                         path.end.q == state.q && path.end.v == state.v;
  path.begin.q = state.q;
  path.begin.v = state.v;
  if (continues) {
    std::swap(path.begin.motion, path.end.motion);
    std::swap(start_contacts_, step_.end_contacts);
    step_.start.energy = known_end_.energy;
    measure_start(setup_, h, path.begin, &step_.start);
    return;
  }
  BodyMotion& motion = path.begin.motion;
  update_poses(*setup_.model, path.begin.q, state.t, &motion.X, setup_.workers);
  update_twists(*setup_.model, motion.X, path.begin.v, state.t, &motion.V, setup_.workers);
  measure_start(setup_, h, path.begin, &step_.start);
  if (path.end.motion.X.empty()) {
    path.mid.motion = path.predicted.motion = path.end.motion = motion;
  }
  tracker_.find(path.begin, h, step_.start.speed, step_.is_support_check, &start_contacts_);
  step_.start.energy =
      calc_kinetic_energy(*setup_.model, motion.X, motion.V, path.begin.v, setup_.workers) +
      calc_potential_energy(*setup_.model, motion.X, path.begin.q, setup_.workers);
}

void Stepper::begin(double h, double t_end, const dynamics::State& state) {
  begin_motion(h, state);
  while (wake_touched(&start_contacts_)) {
    tracker_.find(step_.path.begin, h, step_.start.speed, step_.is_support_check, &start_contacts_);
  }
  known_end_.h = 0.0;
  Schedule& schedule = step_.schedule;
  schedule.restart(h, state.t, t_end, setup_.num_mechanisms() + 1);
  for (int node = 0; node < schedule.size(); ++node) {
    const bool sleeps = node != schedule.driven_node() && sleepers_.sleeps(node);
    if (sleeps == step_.is_support_check) schedule.nodes[node].state = NodeState::kReady;
  }
  StepJournal& journal = step_.journal;
  journal.entries.clear();
  journal.kinks.clear();
  journal.done = {};
  journal.too_fast = false;
  ActiveContacts& active = step_.active;
  active.near.clear();
  active.contacts.clear();
  for (const Contact& c : start_contacts_) {
    const Node& node = schedule.nodes[node_of(*setup_.model, c)];
    if (c.gap <= kTouching && node.state != NodeState::kAway) active.contacts.push_back(c);
  }
}

// Wakes bodies that a body awake comes near. Returns true if there are any: the step must then
// restart. A support check ignores all bodies that are awake.
bool Stepper::wake_touched(std::vector<Contact>* contacts) {
  if (step_.is_support_check) {
    std::erase_if(*contacts, [this](const Contact& c) {
      return !sleepers_.rests(c);
    });
    return false;
  }
  return sleepers_.size() > 0 && sleepers_.wake_touched(*contacts);
}

// Solves all substeps of the step, until nothing overlaps at its end. While overlaps are searched,
// each substep is solved only once; further solves are left to accepted substeps.
Stepper::Outcome Stepper::advance(StepReport* report) {
  const Schedule& schedule = step_.schedule;
  report->iterations = 1;
  substeps_.restart(previous_);
  hold_others(setup_, schedule, &step_.path);
  schedule.select(
      [&](int node) {
        return schedule.nodes[node].state != NodeState::kAway;
      },
      &moving_);
  if (!substeps_.solve(moving_, &step_, report)) return Outcome::kFailed;
  tracker_.find_at_end(step_.is_support_check, &step_);
  if (wake_touched(&step_.end_contacts)) return Outcome::kWoken;
  for (int round = 0; round < kMaxOverlapRounds; ++round) {
    if (divider_.find_violations(step_)) {
      if (!divider_.resolve(&step_, &moved_, report)) return Outcome::kFailed;
    } else {
      schedule.select(
          [&](int node) {
            return schedule.nodes[node].state == NodeState::kOpen;
          },
          &moving_);
      if (moving_.empty()) return Outcome::kDone;
      if (!finisher_.finish(moving_, &step_, &moved_, report)) return Outcome::kFailed;
      if (moved_.empty()) return Outcome::kDone;
    }
    tracker_.find_at_end_again(moved_, &step_);
    if (wake_touched(&step_.end_contacts)) return Outcome::kWoken;
  }
  report->message = "bodies still overlap after as many divisions of the step as are allowed";
  return Outcome::kDone;
}

// Combines all solves of a contact in one record.
void Stepper::write_records() {
  std::vector<JournalEntry>& entries = step_.journal.entries;
  std::sort(entries.begin(), entries.end(), [](const JournalEntry& a, const JournalEntry& b) {
    return std::tie(a.contact.key, a.begin, a.is_smooth) <
           std::tie(b.contact.key, b.begin, b.is_smooth);
  });
  time_stepping::write_records(
      setup_, entries,
      {.X_WB = step_.path.end.motion.X, .end_contacts = step_.end_contacts, .h = step_.schedule.h},
      &records_);
}

void Stepper::commit(dynamics::State* state) {
  const Instant& end = step_.path.end;
  known_end_.h = step_.schedule.h;
  remember_impulses(step_.journal.entries, sleepers_.supports(), &previous_);
  previous_.save(&state->memory);
  state->q = end.q;
  state->v = end.v;
  state->t = step_.schedule.t1;
  ++state->step;
  if (!setup_.options.sleeping) return;
  settle(setup_, {.entries = step_.journal.entries, .V_WB = end.motion.V, .h = step_.schedule.h},
         step_.active.contacts, &sleepers_, state);
}

// The support check: a step of sleeping bodies alone shows which contacts hold them. Bodies that
// are not held wake.
void Stepper::update_supports(double h, double t_end, const dynamics::State& state) {
  if (sleepers_.size() == 0 && sleepers_.supports().empty()) return;
  if (sleepers_.has_supports(state.q, state.v)) return;
  step_.is_support_check = true;
  StepReport unused;
  begin(h, t_end, state);
  const bool is_solved = advance(&unused) == Outcome::kDone;
  write_records();
  const std::vector<JournalEntry>& entries = step_.journal.entries;
  const BodyMotion& end = step_.path.end.motion;
  const std::vector<char> unsupported = find_unsupported(
      setup_, {.entries = entries, .V_WB = end.V, .h = h}, state.v, is_solved, &sleepers_);
  for (contact::ContactRecord& record : records_) {  // from now on these bodies do not move at all
    record.slip.setZero();
    record.normal_velocity = record.normal_work = record.friction_work = 0.0;
  }
  std::vector<Support> supports = make_supports(entries, records_, end.X);
  sleepers_.set_supports(state.q, &supports, unsupported);
  step_.is_support_check = false;
}

}  // namespace tenpin::methods::time_stepping::order2
