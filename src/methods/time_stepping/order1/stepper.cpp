#include "methods/time_stepping/order1/stepper.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dynamics/prescribed.h"
#include "methods/time_stepping/order1/selection.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order1 {

using contact::Contact;
using Options = scene::TimeSteppingOptions;
using Formulation = Options::Formulation;

namespace {

// repeated solves with added contacts that were found violated
constexpr int kMaxActiveRounds = 20;

scene::TimeSteppingOptions tighten(scene::TimeSteppingOptions options) {
  *options.tolerance *= 1e-2;
  return options;
}

bool have_same_bits(const VecX& a, const VecX& b) {
  const auto size = static_cast<std::size_t>(a.size()) * sizeof(double);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), size) == 0;
}

void copy(const VecX& from, const Workers& workers, VecX* to) {
  to->resize(from.size());
  workers.split(static_cast<int>(from.size()), [&](int begin, int end) {
    std::copy(from.begin() + begin, from.begin() + end, to->begin() + begin);
  });
}

// True if the formulation leaves overlaps of contacts that take no part. The velocity formulation
// as printed does: the certificate measures these overlaps but does not judge them.   [ST00, §3.3]
bool keeps_overlaps(const Options& options) {
  return options.formulation == Formulation::kVelocity && !options.projection;
}

// Sets poses, velocities and energy at the start. Usually these are the end of the previous step,
// so that nothing has to be computed again.
void find_start(const StepSetup& setup, const dynamics::State& state, StepEnd* last,
                StepStart* start) {
  if (last->is_accepted && state.t == last->t && have_same_bits(state.q, last->q) &&
      have_same_bits(state.v, last->v)) {
    start->q.swap(last->q);
    start->v.swap(last->v);
    std::swap(start->motion, last->motion);
    start->energy = last->energy;
  } else {
    start->q = state.q;
    start->v = state.v;
    update_poses(*setup.model, start->q, start->t, &start->motion.X, setup.workers);
    update_twists(*setup.model, start->motion.X, start->v, start->t, &start->motion.V,
                  setup.workers);
    start->energy = calc_kinetic_energy(*setup.model, start->motion.X, start->motion.V, start->v,
                                        setup.workers) +
                    calc_potential_energy(*setup.model, start->motion.X, start->q, setup.workers);
  }
  last->is_accepted = false;
}

// Sets the distance within which contacts are searched. An active contact must be found although
// free flight may lift it a little. If the law holds at the end of the step, the contact must also
// be found after a bounce: the bodies may have approached over the whole distance and separated as
// far.
void update_reach(const StepSetup& setup, StepStart* start) {
  const double h = start->h;
  const double fall = setup.gravity() * h * h;
  const bool looks_back = setup.bounces && setup.options.formulation == Formulation::kNonlinear;
  const double share = looks_back ? 2.0 : 0.25;
  start->reach.resize(setup.model->bodies.size());
  start->speeds.resize(setup.model->bodies.size());
  setup.workers->split(setup.num_bodies(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      start->speeds[i] = setup.calc_speed(i, start->motion.V[i]);
      start->reach[i] = 2e-3 * setup.radius[i] + 2.0 * fall + share * h * start->speeds[i];
    }
  });
  start->body_speed =
      find_largest(setup.workers, setup.num_bodies(), setup.gravity() * h, [start](int i) {
        return start->speeds[i];
      });
}

// J   Of a tree at the end of the step.
struct TreeEnergy {
  double kinetic = 0.0;
  double potential = 0.0;  // of weight and springs
};

// By mechanism; zero for loose bodies.
std::vector<TreeEnergy> calc_tree_energies(const StepSetup& setup, const StepEnd& end) {
  const dynamics::Model& model = *setup.model;
  std::vector<TreeEnergy> energies(setup.articulated.size());
  for (int m = 0; m < setup.num_mechanisms(); ++m) {
    if (!setup.articulated[m]) continue;
    const dynamics::Mechanism& mechanism = model.mechanisms[m];
    energies[m].kinetic = calc_kinetic_energy(model, mechanism, end.motion.X, end.motion.V, end.v);
    energies[m].potential = calc_spring_energy(model, mechanism, end.q, end.v);
    for (const int i : mechanism.bodies) {
      energies[m].potential -= model.bodies[i].mass * model.gravity.dot(end.motion.X[i].p);
    }
  }
  return energies;
}

// A tree has more kinetic energy in another configuration with the same joint rates. The energy
// that a projection would give it in this way is taken back: its rates become slower. Where steps
// are accepted with their error, so is the energy of the lift, as far as there is any.
void slow_trees(const StepSetup& setup, const StepStart& start, OwnError own_error,
                std::span<const TreeEnergy> before, StepEnd* end) {
  update_twists(*setup.model, end->motion.X, end->v, start.t_end, &end->motion.V, setup.workers);
  const std::vector<TreeEnergy> now = calc_tree_energies(setup, *end);
  for (int m = 0; m < setup.num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = setup.model->mechanisms[m];
    const double lift = own_error == OwnError::kAccepted
                            ? std::max(now[m].potential - before[m].potential, 0.0)
                            : 0.0;
    const double left = std::max(before[m].kinetic - lift, 0.0);
    if (!(now[m].kinetic > left)) continue;
    if (setup.is_driven && is_driven(*setup.model, mechanism)) continue;
    end->v.segment(mechanism.v_begin, mechanism.nv) *= std::sqrt(left / now[m].kinetic);
  }
}

// Removes the impulses of mechanisms that flew, because these were not kicked.
void remove_flown(const StepSetup& setup, const StepStart& start, const StepEnd& end,
                  StepForces* forces, Kick* kick) {
  for (int m = 0; m < setup.num_mechanisms(); ++m) {
    if (!end.flies[m]) continue;
    const int begin = setup.model->mechanisms[m].v_begin;
    const int nv = setup.model->mechanisms[m].nv;
    kick->v.segment(begin, nv) = start.v.segment(begin, nv);
    for (VecX* impulse : {&forces->gravity, &forces->applied, &forces->joint_spring,
                          &forces->slope_spring, &forces->slope}) {
      impulse->segment(begin, nv).setZero();
    }
  }
}

}  // namespace

Stepper::Stepper(const dynamics::Model& model, const Options& options, const Workers& workers)
    : setup_(model, options, workers),
      sleepers_(model),
      mover_(setup_, sleepers_),
      kick_solver_(setup_),
      support_solver_(model, setup_.cone, tighten(options), workers),
      projection_(setup_, *options.tolerance, complementarity::cone::ConeOptions{}.max_systems),
      reporter_(setup_) {
  problem_.J.set_workers(&workers);
  forces_.M.set_workers(&workers);
}

// The stored energy of the last step's end belongs to the old gravity, and so do the impulses that
// support sleeping bodies.
void Stepper::model_changed() {
  setup_.model_changed();
  end_.is_accepted = false;
  sleepers_.forget_supports();
}

void Stepper::step(double h, double t_end, OwnError own_error, dynamics::State* state,
                   StepReport* report) {
  *report = {.step = state->step + 1, .t = t_end};
  begin(h, t_end, *state);
  if (!solve_contacts(report)) return;
  finish(own_error, report);
  reporter_.mark_gains(view(), kick_solver_.islands(), &entries_, &records_);
  report->ledger = reporter_.calc_ledger(view(), entries_);
  end_.energy = report->ledger.total();
  const Reporter::Contacts contacts = {
      .islands = kick_solver_.islands(),
      .entries = entries_,
      .records = records_,
      .asleep = sleepers_.size() > 0 ? sleepers_.asleep() : std::span<const char>()};
  reporter_.certify(view(), contacts, own_error, &mover_.search(), report);
  report_supports(setup_, sleepers_, &records_, report);
  if (report->status != AdvanceStatus::kReachedEnd) return;
  reporter_.budget().accept();
  commit(state);
}

void Stepper::begin(double h, double t_end, const dynamics::State& state) {
  const std::span<const std::uint64_t> memory = state.memory;
  active_.load(setup_.options.sleeping ? sleepers_.load(memory) : memory, setup_.workers);
  start_.h = h;
  start_.t = state.t;
  start_.t_end = t_end;
  find_start(setup_, state, &end_, &start_);
  end_.t = t_end;
  force_stage_.begin(setup_, start_, &forces_);
  update_reach(setup_, &start_);
  update_supports();
}

// Contact may oppose a servo. A servo that would then exceed its limit pushes with its limit
// instead, and the step is solved again. Each round finds at least one more such servo, so the loop
// ends.
bool Stepper::solve_contacts(StepReport* report) {
  for (;;) {
    selection_.extra.clear();
    selection_.extra_required.clear();
    kick_.unconverged = 0.0;
    mover_.predict(start_, start_.v, &prediction_);
    add_viscous_contacts(setup_, start_, prediction_, active_, &problem_, &forces_);
    force_stage_.update_free_velocity(setup_, start_, &forces_);
    sleepers_.hold_velocities(forces_.v_free);
    const bool is_solved = setup_.options.formulation == Formulation::kNonlinear
                               ? solve_fixed_point(report)
                               : solve_linear(report);
    if (!is_solved) return false;
    if (!ForceStage::limit_motors(setup_, start_, kick_.v, &forces_.motor)) return true;
    force_stage_.apply(setup_, start_, &forces_);
  }
}

// Chooses contacts, fills their problem and solves it.
bool Stepper::solve_round(StepReport* report) {
  wake_touched();
  select_contacts(setup_, prediction_, &active_, &selection_, &problem_.contacts);
  fill_problem(setup_, linearized(), &active_, &problem_, &kick_);
  end_.is_current = false;
  return kick_solver_.solve(setup_, linearized(), &problem_, &kick_, report);
}

// Solves the problem and adds contacts until none is violated.   [ST00, eq. (13)-(20)] The velocity
// formulation starts with the contacts that free flight under its forces would violate. Contacts
// between bodies that fall together join in later rounds, when the bodies below have been stopped.
// The printed velocity formulation ends after the first round.   [ST00, §3.3]
bool Stepper::solve_linear(StepReport* report) {
  report->iterations = 1;
  if (setup_.options.formulation == Formulation::kVelocity) {
    mover_.predict(start_, forces_.v_free, &prediction_);
  }
  for (int round = 0; round < kMaxActiveRounds; ++round) {
    if (!solve_round(report)) return false;
    if (keeps_overlaps(setup_.options) || !find_violated()) return true;
  }
  return true;  // the certificate says by how much contacts that were left out overlap
}

// Solves the same problem, linearised about improving guesses of q^{l+1}, until a guess is the
// answer.   [ST00, §3.4]
bool Stepper::solve_fixed_point(StepReport* report) {
  double last_change = 0.0;
  for (int i = 0; i < setup_.options.fixed_point_iterations; ++i) {
    if (i > 0) mover_.predict(start_, prediction_.v, &prediction_);
    if (!solve_round(report)) return false;
    VecX& guess = prediction_.v;
    const double change = start_.h * (kick_.v - guess).lpNorm<Eigen::Infinity>();
    report->iterations = i + 1;
    report->contraction = last_change > 0.0 ? change / last_change : 0.0;
    last_change = change;
    if (change <= setup_.options.fixed_point_tolerance && !find_violated()) return true;
    // A guess halfway between two guesses ends a cycle of active sets. A sequence that converges is
    // not changed.
    constexpr double kStuck = 0.9;
    if (i + 1 == setup_.options.fixed_point_iterations) break;
    guess = report->contraction > kStuck ? VecX(0.5 * (guess + kick_.v)) : kick_.v;
  }
  kick_.unconverged = last_change;
  return true;  // the certificate says whether the remaining change is too large
}

// A contact with a sleeping body wakes it before the step is solved, so that it responds as if it
// had never slept.
void Stepper::wake_touched() {
  const auto wake = [this] {
    bool any = false;
    for (const auto* contacts : {&prediction_.contacts, &selection_.extra}) {
      const bool is_extra = contacts == &selection_.extra;
      for (const Contact& c : *contacts) {
        if (!sleepers_.wakes(c) || !(is_extra || takes_part(setup_, active_, c))) continue;
        sleepers_.wake(c);
        any = true;
      }
    }
    return any;
  };
  while (sleepers_.size() > 0 && wake()) {
    force_stage_.update_free_velocity(setup_, start_, &forces_);
    sleepers_.hold_velocities(forces_.v_free);
    mover_.predict(start_, prediction_.v, &prediction_);
  }
}

void Stepper::move() {
  if (end_.is_current) return;
  mover_.move(start_, problem_.contacts, kick_.v, &end_);
  mover_.find_end_contacts(start_, prediction_, &end_);
  end_.is_current = true;
}

bool Stepper::find_violated() {
  move();
  return add_violated(setup_, view(), &active_, &selection_);
}

void Stepper::finish(OwnError own_error, StepReport* report) {
  const dynamics::Model& model = *setup_.model;
  move();
  end_.overlooked = {};
  if (!keeps_overlaps(setup_.options)) {
    end_.overlooked = find_overlooked(setup_, selection_, end_.contacts);
  }
  remove_flown(setup_, start_, end_, &forces_, &kick_);
  update_twists(model, start_.motion.X, kick_.v, start_.t, &end_.V_kicked, setup_.workers);
  end_.kinetic_kicked =
      calc_kinetic_energy(model, start_.motion.X, end_.V_kicked, kick_.v, setup_.workers);
  end_.projection_work = end_.projection_kinetic = 0.0;
  if (setup_.options.formulation == Formulation::kVelocity && setup_.options.projection) {
    project(own_error);
  }
  update_twists(model, end_.motion.X, end_.v, start_.t_end, &end_.motion.V, setup_.workers);
  report->num_contacts = static_cast<int>(end_.contacts.size());
  report->num_active = problem_.size();
  const bool has_contacts = !problem_.contacts.empty();
  reporter_.write_contacts(
      view(), has_contacts ? force_stage_.calc_accelerations(setup_, start_, forces_) : setup_.rest,
      &entries_, &records_);
}

// Moves overlapping bodies apart by the least motion in the mass metric, all contacts at once.
// Velocities are not changed, so loose bodies lose no kinetic energy; the work of gravity is
// entered in the ledger. [ST00, §3.3]
void Stepper::project(OwnError own_error) {
  constexpr double kOverlap = 1e-13;  // m
  const dynamics::Model& model = *setup_.model;
  // The kinetic energy of trees changes with their configuration.
  const auto calc_kinetic = [&] {
    update_twists(model, end_.motion.X, end_.v, start_.t_end, &end_.motion.V, setup_.workers);
    return calc_kinetic_energy(model, end_.motion.X, end_.motion.V, end_.v, setup_.workers);
  };
  const auto calc_potential = [&] {
    return calc_potential_energy(model, end_.motion.X, end_.q, setup_.workers);
  };
  const double potential_before = calc_potential();
  const double kinetic_before = calc_kinetic();
  const bool has_trees = std::find(setup_.articulated.begin(), setup_.articulated.end(), true) !=
                         setup_.articulated.end();
  const std::vector<TreeEnergy> tree_energies =
      has_trees ? calc_tree_energies(setup_, end_) : std::vector<TreeEnergy>();
  for (int round = 0; round < kMaxOverlapRemovals; ++round) {
    const bool overlaps =
        std::any_of(end_.contacts.begin(), end_.contacts.end(), [](const Contact& c) {
          return c.gap < -kOverlap;
        });
    if (!overlaps) break;
    const std::vector<double> loads(end_.contacts.size(), 0.0);
    // Solved for displacements, in which prescribed bodies do not move.
    const VecX* displacement =
        projection_.solve(setup_, {.X_WB = end_.motion.X, .V_drive = setup_.rest, .M = forces_.M},
                          end_.contacts, loads);
    if (displacement == nullptr) break;
    const VecX q = end_.q;
    displace(model, q, *displacement, end_.q);
    for (const dynamics::Mechanism& mechanism : model.mechanisms) {
      if (!mechanism.loops.empty()) (void)close_loops(model, mechanism, start_.t_end, &end_.q);
    }
    mover_.find_end_contacts(start_, prediction_, &end_);
  }
  if (has_trees) slow_trees(setup_, start_, own_error, tree_energies, &end_);
  end_.projection_kinetic = calc_kinetic() - kinetic_before;
  end_.projection_work = calc_potential() - potential_before + end_.projection_kinetic;
}

void Stepper::commit(dynamics::State* state) {
  const std::span<const contact::ContactRecord> records =
      std::span(records_).first(problem_.contacts.size());
  remember_active(setup_, view(), records, sleepers_.supports(), &selection_, &active_);
  active_.save(&state->memory, setup_.workers);
  copy(end_.q, *setup_.workers, &state->q);
  copy(end_.v, *setup_.workers, &state->v);
  end_.is_accepted = true;
  state->t = end_.t;
  ++state->step;
  if (!setup_.options.sleeping) return;
  settle(setup_, {.entries = entries_, .V_WB = end_.motion.V, .h = start_.h}, problem_.contacts,
         &sleepers_, state);
}

// The support check: uses the impulses that the state's memory holds, or computes better ones if
// these do not hold the sleeping bodies. Bodies that cannot be held wake.
void Stepper::update_supports() {
  if (sleepers_.size() == 0 && sleepers_.supports().empty()) return;
  if (sleepers_.has_supports(start_.q, start_.v)) return;
  prediction_.v = start_.v;
  prediction_.X = start_.motion.X;
  update_twists(*setup_.model, prediction_.X, setup_.zero, start_.t, &prediction_.V_drive);
  force_stage_.update_free_velocity(setup_, start_, &forces_);
  prediction_.contacts.clear();
  mover_.search().finder.find_again(prediction_.X, start_.reach, sleepers_.asleep(), {},
                                    &prediction_.contacts);
  selection_.extra.clear();
  selection_.extra_required.clear();
  selection_.keys.clear();
  problem_.contacts.clear();
  for (const Contact& c : prediction_.contacts) {
    if (!sleepers_.rests(c) || !takes_part(setup_, active_, c)) continue;
    problem_.contacts.push_back(c);
    selection_.keys.insert(c.key);
  }
  selection_.num_predicted = problem_.size();
  fill_problem(setup_, linearized(), &active_, &problem_, &kick_);
  std::vector<char> unsupported = try_supports();
  if (std::count(unsupported.begin(), unsupported.end(), 1) > 0) {
    ContactAnswer answer;
    support_solver_.solve(problem_, &answer);
    for (int i = 0; i < problem_.size(); ++i) problem_.guess[i] = answer.impulses[i].head<3>();
    unsupported = try_supports();
  }
  // Sleeping bodies are recorded as motionless.
  kick_.v = start_.v;
  for (KickedContact& kicked : kick_.contacts) kicked.after = kicked.before;
  end_.contacts = prediction_.contacts;
  const bool has_contacts = !problem_.contacts.empty();
  reporter_.write_contacts(
      view(), has_contacts ? force_stage_.calc_accelerations(setup_, start_, forces_) : setup_.rest,
      &entries_, &records_);
  std::vector<Support> supports = make_supports(entries_, records_, prediction_.X);
  for (std::size_t i = 0; i < supports.size(); ++i) supports[i].impulse = problem_.guess[i];
  sleepers_.set_supports(start_.q, &supports, unsupported);
}

// Tries the guesses of the problem as the answer. Returns the mechanisms that the guesses do not
// hold: mechanisms that fail the certificate, and mechanisms at rest that would move.
std::vector<char> Stepper::try_supports() {
  ContactAnswer answer;
  answer.impulses.resize(problem_.contacts.size());
  answer.v = forces_.v_free;
  clear_kick(setup_, problem_.size(), &kick_);
  for (int i = 0; i < problem_.size(); ++i) {
    problem_.memory[i] = {0.0, problem_.guess[i].y(), problem_.guess[i].z()};
    answer.impulses[i] << problem_.guess[i], 0.0;
    problem_.J.add_velocity_change(i, answer.impulses[i], answer.v);
  }
  contact::Islands islands;
  islands.update(*setup_.model, problem_.contacts, setup_.workers);
  add_answer(setup_, problem_, islands, answer, &kick_);
  std::vector<JournalEntry> entries(problem_.contacts.size());
  for (int i = 0; i < problem_.size(); ++i) {
    entries[i].contact = problem_.contacts[i];
    entries[i].impulse = kick_.contacts[i].impulse;
    entries[i].check = kick_.contacts[i].check;
    entries[i].mobility = problem_.calc_mobility(i);
  }
  update_twists(*setup_.model, start_.motion.X, answer.v, start_.t, &end_.V_kicked);
  return find_unsupported(setup_, {.entries = entries, .V_WB = end_.V_kicked, .h = start_.h},
                          start_.v, true, &sleepers_);
}

}  // namespace tenpin::methods::time_stepping::order1
