#include "methods/time_stepping/order2/impact.h"

#include <algorithm>
#include <cmath>

#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;
using Restitution = scene::TimeSteppingOptions::Restitution;

void add_compression(const ContactVector& impulse, const contact::LawCheck& check,
                     SubstepContact* restitution) {
  restitution->impulse += impulse;
  restitution->check.residual = std::max(restitution->check.residual, check.residual);
}

void ImpactSolver::fill(const NodeSet& nodes, const NodeGroups& groups, double body_speed,
                        const StepProgress& step) {
  const Instant& begin = step.path.begin;
  ContactProblem& problem = impact_.problem;
  impact_.nodes = nodes;
  problem.contacts.clear();
  for (const Contact& c : step.active.contacts) {
    if (groups.is_marked(node_of(*setup_->model, c))) problem.contacts.push_back(c);
  }
  impact_.contacts.resize(problem.contacts.size());
  motion_->update_masses_at_begin(nodes, step);
  problem.v = begin.v;
  const auto calc_law = [&](int i) {
    const Contact& c = problem.contacts[i];
    SubstepContact& solved = impact_.contacts[i];
    solved.at_begin = c;
    solved.before = calc_contact_velocity(*setup_->model, c, begin.motion, begin.v);
    solved.offset = solved.before - problem.J.velocity_of_bodies(i, begin.v);
    solved.turn.setZero();
    solved.fall =
        -std::max(setup_->gravity() * step.schedule.h,
                  std::fabs(problem.J.velocity_of_bodies(i, motion_->kick())[kNormalRow]));
    return ContactLaw{.mu = c.mu, .drive = solved.offset};
  };
  fill_problem(*setup_->model,
               {.X_WB = begin.motion.X, .V_drive = setup_->rest, .M = motion_->masses()},
               *setup_->workers, calc_law, &problem);
  impact_.speed = body_speed;
  for (int i = 0; i < problem.size(); ++i) {
    problem.guess[i] = last_.impulse(problem.contacts[i].key);
    impact_.speed = std::max(impact_.speed, impact_.contacts[i].before.head<3>().norm());
  }
  problem.speed = impact_.speed;
  set_rebounds();
}

bool ImpactSolver::collide(const NodeSet& nodes, const NodeGroups& groups, double body_speed,
                           StepProgress* step, StepReport* report) {
  fill(nodes, groups, body_speed, *step);
  if (!solver_->solve(*step, &impact_, report)) return false;
  last_.clear();
  for (int i = 0; i < impact_.problem.size(); ++i) {
    last_.insert(
        {.key = impact_.problem.contacts[i].key, .impulse = impact_.contacts[i].impulse.head<3>()});
  }
  if (!apply_poisson(*step, report) || !guard_energy(groups, *step, report)) return false;
  solver_->mark_unique(&impact_);
  book_impact(*setup_, solver_->islands(), impact_, motion_, step);
  report->division.impacts += groups.count_marked();
  Instant& begin = step->path.begin;
  for (const int m : nodes.list) {
    if (m == step->schedule.driven_node()) continue;
    const dynamics::Mechanism& mechanism = setup_->model->mechanisms[m];
    begin.v.segment(mechanism.v_begin, mechanism.nv) =
        impact_.answer.v.segment(mechanism.v_begin, mechanism.nv);
  }
  motion_->place(step->schedule, nodes, 0.0, &begin);
  return true;
}

// -   Rebound speed relative to the speed before the impact; zero if the hop would end within a
// step.
double ImpactSolver::calc_rebound(int i) const {
  const double e = impact_.problem.contacts[i].restitution;
  if (*setup_->options.restitution == Restitution::kNone) return 0.0;
  const double u = impact_.contacts[i].before[kNormalRow];
  return -2.0 * e * u > std::fabs(impact_.contacts[i].fall) || u > 0.0 ? e : 0.0;
}

// Applies Newton's law to every contact of the group, including contacts that separate: with a
// single coefficient the law can only remove energy.   [ST00, §5]
void ImpactSolver::set_rebounds() {
  const bool by_newton = *setup_->options.restitution == Restitution::kNewton;
  for (int i = 0; i < impact_.problem.size(); ++i) {
    const double e = by_newton ? calc_rebound(i) : 0.0;
    impact_.problem.required[i] = e == 0.0 ? 0.0 : -e * impact_.contacts[i].before[kNormalRow];
  }
}

// Each contact returns e times its compression impulse, and its impulse may grow further.   [AP97]
bool ImpactSolver::apply_poisson(const StepProgress& step, StepReport* report) {
  if (*setup_->options.restitution != Restitution::kPoisson) return true;
  ContactProblem& problem = impact_.problem;
  bool any = false;
  compression_.clear();
  compression_checks_.clear();
  for (const SubstepContact& c : impact_.contacts) {
    compression_.push_back(c.impulse);
    compression_checks_.push_back(c.check);
  }
  problem.v = impact_.answer.v;
  for (int i = 0; i < problem.size(); ++i) {
    const double e = impact_.contacts[i].before[kNormalRow] < 0.0 ? calc_rebound(i) : 0.0;
    problem.given[i] = e * std::max(compression_[i][kNormalRow], 0.0);
    if (problem.given[i] == 0.0) continue;
    any = true;
    problem.J.add_velocity_change(i, {problem.given[i], 0.0, 0.0, 0.0}, problem.v);
  }
  if (!any) return true;
  for (int i = 0; i < problem.size(); ++i) forget_rounding(i);
  std::fill(problem.guess.begin(), problem.guess.end(), Vec3(Vec3::Zero()));
  if (!solver_->solve(step, &impact_, report)) return false;
  for (int i = 0; i < problem.size(); ++i) {
    add_compression(compression_[i], compression_checks_[i], &impact_.contacts[i]);
  }
  return true;
}

// The slip of a contact that stuck in compression is a rounding error, which no solver can tell
// from slip. Removes it.
void ImpactSolver::forget_rounding(int i) {
  contact::ContactJacobian& J = impact_.problem.J;
  ContactVector drive = impact_.contacts[i].offset;
  const ContactVector u = J.velocity(i, impact_.problem.v);
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(u[k]) <= kImpulseRounding * impact_.speed) drive[k] -= u[k];
  }
  J.set_drive(i, drive);
}

// With friction neither law keeps every group from gaining energy. A group that would gain energy
// is made plastic, which cannot gain any. The other groups get the same answer as before.
bool ImpactSolver::guard_energy(const NodeGroups& groups, const StepProgress& step,
                                StepReport* report) {
  ContactProblem& problem = impact_.problem;
  const int num_gains = find_gains(groups, step);
  if (num_gains == 0) return true;
  report->guarded += num_gains;
  problem.v = step.path.begin.v;
  for (int i = 0; i < problem.size(); ++i) {
    problem.given[i] = 0.0;
    const bool gains = gain_[groups.root(node_of(*setup_->model, problem.contacts[i]))] > 0.0;
    if (gains) problem.contacts[i].restitution = 0.0;
  }
  set_rebounds();
  if (!solver_->solve(step, &impact_, report) || !apply_poisson(step, report)) return false;
  for (int i = 0; i < problem.size(); ++i) {
    impact_.contacts[i].after = problem.J.velocity(i, impact_.answer.v);
  }
  return true;
}

// Sets the velocities after the impact, and counts the groups whose contacts did positive work
// beyond rounding.
int ImpactSolver::find_gains(const NodeGroups& groups, const StepProgress& step) {
  const ContactProblem& problem = impact_.problem;
  gain_.assign(step.schedule.nodes.size(), 0.0);
  for (int i = 0; i < problem.size(); ++i) {
    SubstepContact& c = impact_.contacts[i];
    c.after = problem.J.velocity(i, impact_.answer.v);
    gain_[groups.root(node_of(*setup_->model, problem.contacts[i]))] +=
        0.5 * c.impulse.dot(c.before + c.after) -
        kImpactEnergyRounding * c.impulse.head<3>().norm() * impact_.speed;
  }
  return static_cast<int>(std::count_if(gain_.begin(), gain_.end(), [](double gain) {
    return gain > 0.0;
  }));
}

}  // namespace tenpin::methods::time_stepping::order2
