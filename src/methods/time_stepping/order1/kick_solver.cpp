#include "methods/time_stepping/order1/kick_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order1 {

using complementarity::SolveStatus;
using contact::Contact;
using contact::kNormalRow;
using Restitution = scene::TimeSteppingOptions::Restitution;

namespace {

void add_contact(const StepSetup& setup, const ContactProblem& problem, const ContactAnswer& answer,
                 double speed, int i, KickedContact* kicked) {
  contact::LawSample sample = make_law_sample(problem, i, answer, speed);
  kicked->after = sample.velocity;
  if (setup.options.is_compliant()) {
    const contact::LawCheck rigid = certify_law(problem.contacts[i], setup.cone, sample);
    kicked->rigid_residual = std::max(kicked->rigid_residual, rigid.residual);
    sample.velocity.head<3>() += problem.calc_compliance_velocity(i, sample.impulse.head<3>());
  }
  kicked->impulse += answer.impulses[i];
  kicked->check = find_worse(kicked->check, certify_law(problem.contacts[i], setup.cone, sample));
}

// m/s   The scale of an island: its velocities and, where impulses cancel, those of single
// impulses.
double calc_scale(const ContactProblem& problem, std::span<const int> island,
                  const ContactAnswer& answer) {
  const double moved = problem.calc_speed(island);
  double pushed = 0.0;
  for (const int i : island) {
    pushed = std::max(pushed, problem.calc_mobility(i) * answer.impulses[i].head<3>().norm());
  }
  return std::min(std::max(moved, pushed), kMaxCancellation * moved);
}

}  // namespace

void clear_kick(const StepSetup& setup, int num_contacts, Kick* kick) {
  kick->contacts.resize(num_contacts);
  setup.workers->split(num_contacts, [kick](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      kick->contacts[i].impulse.setZero();
      kick->contacts[i].check = {};
      kick->contacts[i].rigid_residual = 0.0;
      kick->contacts[i].speed = 0.0;
    }
  });
}

void add_answer(const StepSetup& setup, const ContactProblem& problem,
                const contact::Islands& islands, const ContactAnswer& answer, Kick* kick) {
  setup.workers->split(islands.size(), [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const std::span<const int> island = islands.contacts(k);
      const double speed = calc_scale(problem, island, answer);
      for (const int i : island) {
        kick->contacts[i].speed = std::max(kick->contacts[i].speed, speed);
      }
    }
  });
  setup.workers->split(problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      KickedContact& kicked = kick->contacts[i];
      add_contact(setup, problem, answer, kicked.speed, i, &kicked);
    }
  });
}

contact::WorkSample make_work_sample(const StepStart& start, const Prediction& prediction,
                                     const Contact& c, const KickedContact& kicked, double slack) {
  const std::vector<Pose>& X = prediction.X;
  const double place =
      c.p_a.norm() + c.p_b.norm() + X[c.body_a].p.norm() + X[c.body_b].p.norm();  // m
  return {.impulse = kicked.impulse,
          .before = kicked.before,
          .after = kicked.after,
          .slack = slack + kPlaceRounding * place / start.h};
}

// With friction neither law of restitution keeps every island from gaining energy. An island that
// would gain energy is solved again without restitution, which cannot gain any.
bool KickSolver::solve(const StepSetup& setup, const Linearized& step, ContactProblem* problem,
                       Kick* kick, StepReport* report) {
  report->guarded = 0;
  if (!solve_phases(setup, step, problem, kick, report)) return false;
  report->guarded = make_gains_plastic(setup, step, *kick, problem);
  if (report->guarded == 0) return true;
  restore_law(setup, step, *kick, problem);
  return solve_phases(setup, step, problem, kick, report);
}

// Compression and, by Poisson's hypothesis, decompression: each impact returns e times its
// compression impulse, and its impulse may grow further.   [AP97], [ST00, §5]
bool KickSolver::solve_phases(const StepSetup& setup, const Linearized& step,
                              ContactProblem* problem, Kick* kick, StepReport* report) {
  clear_kick(setup, problem->size(), kick);
  report->certificate.residual = 0.0;  // only the last solve counts
  report->message.clear();
  if (!solve_once(setup, problem, kick, report)) return false;
  kick->v.swap(answer_.v);
  if (*setup.options.restitution != Restitution::kPoisson) return true;

  if (!apply_restitution(setup, step, *kick, problem)) return true;
  // Springs give way under the impulses of both phases.
  compression_.resize(problem->contacts.size());
  for (int i = 0; i < problem->size(); ++i) {
    compression_[i] = kick->contacts[i].impulse;
    problem->memory[i] -= compression_[i].head<3>();
    problem->guess[i].setZero();
  }
  const bool is_solved = solve_once(setup, problem, kick, report);
  for (int i = 0; i < problem->size(); ++i) problem->memory[i] += compression_[i].head<3>();
  kick->v.swap(answer_.v);
  return is_solved;
}

// Solves the problem, adds its impulses to those of the step and checks the law for them.
bool KickSolver::solve_once(const StepSetup& setup, ContactProblem* problem, Kick* kick,
                            StepReport* report) {
  solve_loads(setup, problem, report);
  if (answer_.status != SolveStatus::kSolved && relax(setup, problem)) {
    solve_loads(setup, problem, report);
    report->message = "no solution at position level: overlaps were kept from growing, not undone";
  }
  if (answer_.status != SolveStatus::kSolved) mend(*problem, &solver_, &answer_, report);
  if (!report_answer(*setup.model, *problem, answer_, report)) return false;
  report->certificate.forces_least = answer_.is_least;
  add_answer(setup, *problem, solver_.islands(), answer_, kick);
  return true;
}

// Friction against rolling takes its load from the answer: solves again with that load until it
// stays. A moment hardly changes the load, so that a few solves are enough; whether they were, the
// check of the law decides.
void KickSolver::solve_loads(const StepSetup& setup, ContactProblem* problem, StepReport* report) {
  constexpr int kMaxSolves = 50;  // chosen: errors that fall by half in each solve end at rounding
  for (int k = 0; k < kMaxSolves; ++k) {
    solver_.solve(*problem, &answer_);
    add_effort(answer_, report);
    if (answer_.status != SolveStatus::kSolved || !take_loads(setup, problem)) return;
  }
}

// True if a load differs from the one that the answer was found with.
bool KickSolver::take_loads(const StepSetup& setup, ContactProblem* problem) const {
  const double same = 1e-3 * setup.tolerance();  // -   of the velocities of the step
  bool differs = false;
  for (int i = 0; i < problem->size(); ++i) {
    const Contact& c = problem->contacts[i];
    if (c.kind != contact::ContactKind::kRollingFriction) continue;
    const double load = std::max(0.0, answer_.impulses[c.load][kNormalRow]);
    const double change = std::fabs(load - problem->given[i]) * problem->calc_mobility(i);
    differs = differs || change > same * problem->speeds[i];
    problem->given[i] = load;
  }
  return differs;
}

// Position constraints of redundant contacts may have no common solution where n'v >= 0 has one.
// Asks for no more than that in the islands that ended on a ray; true if that is less than before.
// [ST00, §3.3]
bool KickSolver::relax(const StepSetup& setup, ContactProblem* problem) const {
  bool any = false;
  for (int island = 0; island < solver_.islands().size(); ++island) {
    const SolveStatus status = solver_.status(island);
    if (status == SolveStatus::kSolved) continue;
    if (!setup.by_cone && status != SolveStatus::kRayTermination) continue;
    for (const int c : solver_.islands().contacts(island)) {
      any = any || problem->required[c] > 0.0;
      problem->required[c] = std::min(problem->required[c], 0.0);
    }
  }
  return any;
}

// Sets problem->given to the impulses that impacts return. Returns false if there are none.
bool KickSolver::apply_restitution(const StepSetup& setup, const Linearized& step, const Kick& kick,
                                   ContactProblem* problem) const {
  bool any = false;
  problem->v = kick.v;
  for (int i = 0; i < problem->size(); ++i) {
    if (is_dry(problem->contacts[i])) {
      problem->given[i] = 0.0;  // used up in the compression
      continue;
    }
    const double e = problem->contacts[i].restitution;
    const double compression = answer_.impulses[i][kNormalRow];
    if (e == 0.0 || compression <= 0.0 || !is_impact(setup, step, kick, *problem, i)) continue;
    any = true;
    // The forces of the step compress the contact, too, but store no energy that could be returned.
    const double approach = kick.contacts[i].before[kNormalRow];
    const double with_forces = problem->J.normal_velocity(i, step.forces.v_free);
    const double share = with_forces < approach ? approach / with_forces : 1.0;
    problem->given[i] = e * compression * share;
    problem->J.add_velocity_change(i, {problem->given[i], 0.0, 0.0, 0.0}, problem->v);
  }
  return any;
}

// Sets the restitution to zero for all contacts of islands whose impacts gained energy, and counts
// these islands. The scheme's own error is not allowed for: next to an impact it is large enough to
// hide a real gain.
int KickSolver::make_gains_plastic(const StepSetup& setup, const Linearized& step, const Kick& kick,
                                   ContactProblem* problem) {
  if (setup.options.restitution == Restitution::kNone || setup.options.is_compliant()) return 0;
  const auto bounces = [&](int i) {
    return i < step.selection.num_predicted && problem->contacts[i].restitution > 0.0 &&
           is_impact(setup, step, kick, *problem, i);
  };
  int count = 0;
  for (int k = 0; k < solver_.islands().size(); ++k) {
    const std::span<const int> island = solver_.islands().contacts(k);
    if (std::none_of(island.begin(), island.end(), bounces)) continue;
    works_.resize(problem->contacts.size());
    for (const int i : island) {
      works_[i] = make_work_sample(step.start, step.prediction, problem->contacts[i],
                                   kick.contacts[i], 0.0);
    }
    const double speed = kick.contacts[island.front()].speed;
    if (calc_excess_work(works_, island, speed, setup.tolerance()) == 0.0) continue;
    for (const int i : island) problem->contacts[i].restitution = 0.0;
    ++count;
  }
  return count;
}

}  // namespace tenpin::methods::time_stepping::order1
