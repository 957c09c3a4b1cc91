#include "methods/analytic/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounded.h"
#include "base/text.h"
#include "dynamics/mass_matrix.h"
#include "methods/analytic/division.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using contact::Contact;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kFirstStep = 1e-3;  // s   tried if no earlier step is known
// s   Time for which the incorrect forces of the fallback act. The contacts that they push apart
// have separated soon afterwards.   [B89, §6.5]
constexpr double kFallbackStep = 1e-5;

constexpr int kMaxShortSteps = 10'000;

StepStart make_start(const dynamics::Model& model, const dynamics::State& state, double t_limit) {
  StepStart start{.t = state.t, .t_limit = t_limit, .q = state.q, .v = state.v};
  update_poses(model, start.q, start.t, &start.X_WB);
  const Energies energies = calc_energies(model, start.t, start.q, start.v);
  start.energy = energies.total();
  start.potential = energies.potential;
  return start;
}

bool is_overlapping(const dynamics::Model& model, const std::vector<Contact>& found,
                    const ContactSearch& search, double event_tolerance, StepReport* report) {
  for (const Contact& c : found) {
    if (c.gap >= -2.0 * event_tolerance - search.calc_slack(c)) continue;
    fail(report, AdvanceStatus::kCertificateFailed,
         name_of(model, c) + " overlap by " + to_rounded(-c.gap) +
             " m, want at most the event tolerance " + to_text(event_tolerance));
    return true;
  }
  return false;
}

bool is_colliding(const Motion& motion, const std::vector<Touch>& touches, double event_tolerance) {
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    if (touches[i].contact.gap <= event_tolerance && motion.velocity(i)[0] < -event_tolerance) {
      return true;
    }
  }
  return false;
}

// The sliding contact with the largest force, relative to its mobility; -1 if there is none.
int find_jammed(const Motion& motion, const std::vector<Touch>& touches) {
  int jammed = -1;
  double largest = 0.0;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const double a = motion.forces()[i][0] * calc_mobility(motion, i);
    if (touches[i].grip != Grip::kSlide || is_dry_joint(touches[i]) || a <= largest) continue;
    largest = a;
    jammed = i;
  }
  return jammed;
}

}  // namespace

// Existence and uniqueness, unless the contacts are those of the last test.
contact::Existence ExistenceOfForces::test(const dynamics::Model& model, const Motion& motion,
                                           const std::vector<Touch>& touches) {
  std::vector<int> touching;
  std::vector<contact::ContactKey> keys;
  std::vector<Contact> contacts;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    if (!touches[i].is_touching) continue;
    touching.push_back(i);
    keys.push_back(touches[i].contact.key);
    contacts.push_back(touches[i].contact);
  }
  if (keys == keys_) return answer_;
  keys_ = keys;
  answer_ = {};
  contact::Islands islands;
  islands.update(model, contacts);
  for (int k = 0; k < islands.size(); ++k) {
    std::vector<int> island;
    for (const int c : islands.contacts(k)) island.push_back(touching[c]);
    const contact::Existence one =
        test_.test(model, motion.mass_matrix(), motion.jacobian(), motion.contacts(), island);
    answer_.normals_independent = answer_.normals_independent && one.normals_independent;
    answer_.spans_disjoint = answer_.spans_disjoint && one.spans_disjoint;
  }
  return answer_;
}

Simulator::Simulator(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model),
      options_(options),
      can_divide_(may_divide(model)),
      search_(model, options),
      motion_(model, kSlipRate * options.event_tolerance),
      force_solver_(model, options),
      collision_solver_(model, options),
      integrator_(model, options),
      corrector_(model, options),
      reporter_(model, options) {}

Statistics Simulator::statistics() const {
  Statistics s = statistics_;
  s.rejected = integrator_.num_rejected();
  s.evaluations = integrator_.num_evaluations();
  s.root_iterations = integrator_.num_iterations();
  s.distances = integrator_.num_distances();
  s += followed_;
  return s;
}

void Simulator::step(double t_limit, dynamics::State* state, StepReport* report) {
  *report = {.step = state->step + 1, .t = state->t};
  report->iterations = 0;
  const Statistics before = statistics();
  memory_.load(state->memory);
  integrator_.load(memory_.history);
  const StepStart start = make_start(*model_, *state, t_limit);
  // Takes equal steps to the limit, so that no tiny step remains.
  const double rest = t_limit - start.t;
  // If only a few bodies need short steps, they are followed separately.
  const bool tries_longer = memory_.h == 0.0 || (can_divide_ && memory_.h < kFirstStep);
  const double wish = std::min(tries_longer ? kFirstStep : memory_.h, options_.max_step);
  Piece piece{.h = rest / std::max(1.0, std::ceil(rest / wish)), .v = start.v};
  look_around(start, 1.0, &piece);
  if (is_overlapping(*model_, piece.around.found, search_, options_.event_tolerance, report) ||
      is_stalled(piece, report)) {
    return;
  }
  const Outcome outcome = take_step(start, &piece, report);
  if (report->status != AdvanceStatus::kReachedEnd) return;
  if (!outcome.is_divided) {
    reporter_.write({.start = start,
                     .piece = piece,
                     .end = outcome.end,
                     .collision = outcome.collision ? &*outcome.collision : nullptr},
                    &motion_, &search_, report);
  }
  report->iterations = static_cast<int>(statistics().root_iterations - before.root_iterations);
  if (report->status == AdvanceStatus::kReachedEnd) commit(start, outcome, &piece, state);
}

void Simulator::look_around(const StepStart& start, double factor, Piece* piece) {
  search_.find(start, piece->v, {.h = piece->h, .factor = factor}, memory_, &piece->around);
  motion_.set_touches(&piece->around.touches);
  motion_.update(start.t, start.q, piece->v);
  piece->scale = find_scale(*model_, options_.event_tolerance, motion_, &piece->around.touches);
}

// True if collisions do not end: many bodies may collide at almost the same time, but not forever.
bool Simulator::is_stalled(const Piece& piece, StepReport* report) const {
  if (num_short_ < kMaxShortSteps) return false;
  std::string where;
  for (int i = 0; i < static_cast<int>(piece.around.touches.size()) && where.empty(); ++i) {
    if (motion_.velocity(i)[0] != 0.0) {
      where = ", the last at " + name_of(*model_, piece.around.touches[i].contact);
    }
  }
  fail(report, AdvanceStatus::kSolverFailed,
       "time does not go on: " + std::to_string(num_short_) + " events in a row within " +
           to_text(kLeastStep) + " s of each other" + where);
  return true;
}

Outcome Simulator::take_step(const StepStart& start, Piece* piece, StepReport* report) {
  if (is_colliding(motion_, piece->around.touches, options_.event_tolerance)) {
    return collide(start, piece, report);
  }
  Outcome outcome;
  if (!find_forces(start, piece, &outcome, report)) return outcome;
  return follow_piece(start, piece, report);
}

// Brings contacts that stick to rest, which may change the forces.
ForceReport Simulator::decide_modes(const StepStart& start, Piece* piece) {
  ForceReport forces;
  for (int round = 0;; ++round) {
    force_solver_.solve(piece->scale, &motion_, &piece->around.touches, &forces);
    if (forces.status != complementarity::SolveStatus::kSolved) break;
    if (round == kMaxRestRounds || !rest_sticking(start, piece)) break;
  }
  return forces;
}

bool Simulator::find_forces(const StepStart& start, Piece* piece, Outcome* outcome,
                            StepReport* report) {
  ForceReport forces = decide_modes(start, piece);
  const bool is_solved = forces.status == complementarity::SolveStatus::kSolved;
  if (is_solved) stop_slips(start, piece, &forces);
  std::vector<Touch>& touches = piece->around.touches;
  report->solves = forces.solves;
  report->pivots = forces.pivots;
  report->problem_size = forces.largest;
  report->num_contacts = static_cast<int>(piece->around.found.size());
  if (forces.status != complementarity::SolveStatus::kSolved) {
    report->solver = forces.status;
    if (options_.friction == scene::AnalyticOptions::Friction::kNone) {
      fail(report, AdvanceStatus::kSolverFailed,
           "no contact forces found at " + name_of(*model_, touches[forces.failed_touch].contact));
    } else {
      *outcome = resolve_painleve(start, forces.failed_touch, piece, report);
    }
    return false;
  }
  report->existence = existence_.test(*model_, motion_, touches);
  report->branches = forces.branches;
  if (report->branches.fallback > 0) piece->h = std::min(piece->h, kFallbackStep);
  piece->checks.assign(touches.size(), {});
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    Touch& touch = touches[i];
    if (touch.is_touching) {
      piece->checks[i] = certify_forces(motion_, touches, piece->scale, i, Moment::kStart);
    }
    if (touch.grip == Grip::kSlide) {
      touch.slip_dir = motion_.slip_direction(i);
      touch.begins_to_slip = !touch.contact.is_planar && !slips(motion_, i, piece->scale);
    }
    report->num_active += carries(touch.grip) ? 1 : 0;
  }
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (motion_.stands(m)) piece->v.segment(mechanism.v_begin, mechanism.nv).setZero();
  }
  return true;
}

// Brings sticking contacts to rest before their forces act. Removing these velocities later would
// change the directions of slips that are as slow. True if something moved.
bool Simulator::rest_sticking(const StepStart& start, Piece* piece) {
  constexpr double kResting = 1e-12;  // m/s
  const std::vector<Touch>& touches = piece->around.touches;
  const auto moves = [&](const Touch& touch) {
    const auto i = static_cast<int>(&touch - touches.data());
    return touch.grip == Grip::kStick && motion_.velocity(i).tail<2>().norm() > kResting;
  };
  if (std::none_of(touches.begin(), touches.end(), moves)) return false;
  VecX change;
  std::vector<Vec3> impulses;
  if (!motion_.calc_stop(&change, &impulses)) return false;
  add_impulses(touches, impulses, &piece->corrections);
  const double before = calc_energies(*model_, start.t, start.q, piece->v).total();
  piece->v += change;
  piece->corrections.work += calc_energies(*model_, start.t, start.q, piece->v).total() - before;
  motion_.update(start.t, start.q, piece->v);
  return true;
}

// The direction of a slip turns faster and faster as it ends. Its last part, over a negligible
// distance, ends at once by the impulse that friction would give, if the contact then sticks.
void Simulator::stop_slips(const StepStart& start, Piece* piece, ForceReport* forces) {
  std::vector<Touch>& touches = piece->around.touches;
  for (std::vector<int> ending =
           find_ending_slips(motion_, piece->scale, touches, options_.event_tolerance);
       !ending.empty();) {
    const std::vector<Touch> touches_before = touches;
    const VecX v = piece->v;
    const ForceReport forces_before = *forces;
    const std::size_t count = ending.size();
    std::vector<Vec3> impulses;
    const bool found = stop_at_once(start, ending, piece, &impulses, forces);
    std::erase_if(ending, [&](int i) {
      return touches[i].grip != Grip::kStick;
    });
    if (found && ending.size() == count) {
      const double before = calc_energies(*model_, start.t, start.q, v).total();
      piece->corrections.work +=
          calc_energies(*model_, start.t, start.q, piece->v).total() - before;
      add_impulses(touches, impulses, &piece->corrections);
      return;
    }
    if (!found) ending.clear();
    touches = touches_before;
    piece->v = v;
    *forces = forces_before;
    motion_.update(start.t, start.q, piece->v);
    motion_.solve_forces();
  }
}

// False if no forces exist afterwards.
bool Simulator::stop_at_once(const StepStart& start, const std::vector<int>& ending, Piece* piece,
                             std::vector<Vec3>* impulses, ForceReport* forces) {
  for (const int i : ending) piece->around.touches[i].grip = Grip::kStick;
  VecX change;
  if (!motion_.calc_stop(&change, impulses)) return false;
  piece->v += change;
  motion_.update(start.t, start.q, piece->v);
  force_solver_.solve(piece->scale, &motion_, &piece->around.touches, forces);
  return forces->status == complementarity::SolveStatus::kSolved;
}

// One step of the integrator, shortened to the first event in it.
Outcome Simulator::follow_piece(const StepStart& start, Piece* piece, StepReport* report) {
  for (double factor = 4.0;; factor *= 4.0) {
    if (!integrator_.integrate(start, *piece, &motion_)) {
      return impact_without_collision(start, piece, report);
    }
    const double h = integrator_.h();
    Outcome outcome;
    // Bodies that need short steps are followed separately.
    if (can_divide_ && h < 0.5 * piece->h &&
        divide_step(start, *piece, {.longest = piece->h, .shortest = 2.0 * h},
                    find_ends_by_errors(), &outcome, report)) {
      return outcome;
    }
    if (!search_.has_left_reach(start, piece->v, h, integrator_.y(), piece->around.reach)) {
      const double event = integrator_.find_event(start, piece, &search_, &motion_);
      // Events before the middle of the step stop their own groups only.
      if (can_divide_ && event < 0.5 &&
          divide_step(start, *piece, {.longest = 0.5 * h, .shortest = event * h},
                      find_ends_by_events(start, *piece), &outcome, report)) {
        return outcome;
      }
      ++statistics_.steps;
      statistics_.events += event < 1.0 ? 1 : 0;
      outcome.end = integrator_.finish(start, *piece, event, &motion_);
      corrector_.project(piece->around.touches, &motion_, &outcome.end, &piece->corrections);
      return outcome;
    }
    // Contacts may have been missed: search farther away.
    look_around(start, factor, piece);
    if (!find_forces(start, piece, &outcome, report)) return outcome;
  }
}

// A slip may turn to a direction for which no finite force exists: forces become infinite within a
// finite time. An impulse then takes over, as where no finite force existed from the start.
Outcome Simulator::impact_without_collision(const StepStart& start, Piece* piece,
                                            StepReport* report) {
  motion_.update(start.t, start.q, piece->v);
  motion_.solve_forces();
  const int jammed = find_jammed(motion_, piece->around.touches);
  if (jammed >= 0) return resolve_painleve(start, jammed, piece, report);
  fail(report, AdvanceStatus::kNonfinite, "the motion cannot be followed: forces are too stiff");
  return {};
}

// For each mechanism, the time after which it has an event, as far as a quick look shows. A
// mechanism whose event is missed here stops the group in which it is followed.
std::vector<double> Simulator::find_ends_by_events(const StepStart& start, const Piece& piece) {
  std::vector<double> ends(model_->mechanisms.size(), kNever);
  const auto mark = [&](int body, double end) {
    const int m = model_->bodies[body].mechanism;
    if (m >= 0 && end < 1.0) ends[m] = std::min(ends[m], end);
  };
  const std::vector<Touch>& touches = piece.around.touches;
  const std::vector<double> of_touches = integrator_.find_ends_of_touches(start, piece, &motion_);
  for (std::size_t i = 0; i < touches.size(); ++i) {
    mark(touches[i].contact.body_a, of_touches[i]);
    mark(touches[i].contact.body_b, of_touches[i]);
  }
  const std::vector<PartPair>& apart = piece.around.apart;
  const std::vector<double> of_pairs = integrator_.find_ends_of_pairs(start, piece);
  for (std::size_t i = 0; i < apart.size(); ++i) {
    mark(model_->parts[apart[i].part_a].body, of_pairs[i]);
    mark(model_->parts[apart[i].part_b].body, of_pairs[i]);
  }
  for (double& end : ends) end *= integrator_.h();
  return ends;
}

// The same for mechanisms whose errors shortened the step: at once.
std::vector<double> Simulator::find_ends_by_errors() const {
  std::vector<double> ends(model_->mechanisms.size(), kNever);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& of = model_->mechanisms[m];
    const int v_begin = model_->nq + of.v_begin;
    const auto hinders = [&](int i) {
      return (i >= of.q_begin && i < of.q_begin + of.nq) || (i >= v_begin && i < v_begin + of.nv);
    };
    const std::vector<int>& all = integrator_.hindering();
    if (std::any_of(all.begin(), all.end(), hinders)) ends[m] = 0.0;
  }
  return ends;
}

bool Simulator::divide_step(const StepStart& start, const Piece& piece, const DivisionTime& time,
                            const std::vector<double>& ends, Outcome* outcome, StepReport* report) {
  std::optional<Division> division = divide({.model = *model_,
                                             .options = options_,
                                             .start = start,
                                             .found = piece.around.found,
                                             .memory = memory_},
                                            time, ends, &search_);
  if (!division.has_value()) return false;
  division->report.step = report->step;
  division->report.t = division->t_end;
  *report = division->report;
  outcome->end = {.t = division->t_end, .q = division->q, .v = division->v, .has_event = false};
  outcome->is_divided = true;
  reporter_.take(std::move(division->records));
  followed_ += division->statistics;
  memory_ = std::move(division->memory);
  integrator_.restart();
  return true;
}

// Stores what the next piece of motion needs.
void Simulator::remember(const StepStart& start, const Outcome& outcome,
                         std::vector<Touch>* touches) {
  memory_.clear();
  memory_.h = outcome.end.h_next;
  // If an event ends the piece at once, the grips are decided again.
  const bool goes_on = !outcome.collision.has_value() && outcome.end.t > start.t;
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    Touch& touch = (*touches)[i];
    if (!goes_on || !touch.is_touching) continue;
    // Where a force has vanished, separation is tried first.
    if (is_found(touch) && !is_dry_joint(touch) && motion_.forces()[i][0] < 0.0) {
      touch.grip = Grip::kIdle;
      touch.force.setZero();
    }
    memory_.remember(touch);
  }
  integrator_.save(&memory_.history);
}

void Simulator::commit(const StepStart& start, const Outcome& outcome, Piece* piece,
                       dynamics::State* state) {
  if (!outcome.is_divided) remember(start, outcome, &piece->around.touches);
  memory_.save(&state->memory);
  // A step that is short because the motion is fast does not count as an event.
  const StepEnd& end = outcome.end;
  if (end.t - start.t > 1.5 * kLeastStep || end.t >= start.t_limit) {
    num_short_ = 0;
  } else if (end.has_event) {
    ++num_short_;
  }
  state->q = end.q;
  state->v = end.v;
  state->t = end.t;
  ++state->step;
}

}  // namespace tenpin::methods::analytic
