#include "methods/time_stepping/order2/substep_solver.h"

#include <algorithm>
#include <cmath>

#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;
using Restitution = scene::TimeSteppingOptions::Restitution;

SubstepSolver::SubstepSolver(const StepSetup& setup, ContactTracker* tracker, LawSolver* solver,
                             SubstepMotion* motion)
    : setup_(&setup),
      tracker_(tracker),
      solver_(solver),
      motion_(motion),
      impacts_(setup, solver, motion) {
  substep_.problem.J.set_workers(setup.workers);
  substep_.problem.v.setZero(setup.model->nv);
}

void SubstepSolver::restart(const ActiveSet& previous) {
  previous_ = &previous;
  last_.clear();
  impacts_.restart();
}

bool SubstepSolver::collide(const NodeSet& nodes, const NodeGroups& groups, StepProgress* step,
                            StepReport* report) {
  return impacts_.collide(nodes, groups, tracker_->body_speed(), step, report);
}

bool SubstepSolver::solve(const NodeSet& nodes, StepProgress* step, StepReport* report) {
  constexpr int kMaxImpacts = 3;  // of one group at the start of its substep
  const Path& path = step->path;
  for (int i = 0;; ++i) {
    motion_->predict(nodes, step);
    motion_->apply_forces(nodes, *step, true, &substep_.problem.v);
    const std::span<const Contact> current = tracker_->find_active(*step, nodes, path.predicted);
    collect(nodes, {.end = path.predicted, .v_mid = path.mid.v, .current = current}, *step);
    if (i == kMaxImpacts || !find_approaching(step)) break;
    if (!collide(nodes, groups_, step, report)) return false;
  }
  for (const int node : nodes.list) step->schedule.nodes[node].state = NodeState::kOpen;
  turn_slips(*step, substep_.problem.v);  // a first guess
  return solve_once(step, report);
}

bool SubstepSolver::refine(const NodeSet& nodes, std::span<const Contact> current,
                           StepProgress* step, StepReport* report) {
  const Path& path = step->path;
  motion_->apply_forces(nodes, *step, false, &substep_.problem.v);
  collect(nodes, {.end = path.end, .v_mid = path.v_kicked, .current = current}, *step);
  turn_slips(*step, path.v_kicked);
  return solve_once(step, report);
}

// Collects the active contacts of the nodes, halfway between their places at the start and at the
// predicted end.
void SubstepSolver::collect_contacts(const NodeSet& nodes, const Ahead& ahead,
                                     const StepProgress& step) {
  const Path& path = step.path;
  std::vector<Contact>& contacts = substep_.problem.contacts;
  contacts.clear();
  for (const Contact& c : step.active.contacts) {
    if (nodes.contains(node_of(*setup_->model, c))) contacts.push_back(c);
  }
  substep_.contacts.resize(contacts.size());
  setup_->workers->split(substep_.problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      SubstepContact& solved = substep_.contacts[i];
      const std::vector<Pose>& X_begin = path.begin.motion.X;
      const std::vector<Pose>& X_end = ahead.end.motion.X;
      solved.at_begin = contacts[i];
      const Contact* moved =
          find_moved(*setup_, step, solved.at_begin, ahead.current, ahead.end.motion);
      solved.at_end = moved != nullptr ? *moved : carry(solved.at_begin, X_begin, X_end);
      contacts[i] = calc_middle({.first = solved.at_begin,
                                 .X_first = X_begin,
                                 .second = solved.at_end,
                                 .X_second = X_end},
                                path.mid.motion.X);
      align_tangents(contacts[i], &solved.at_end);
    }
  });
}

// Fills the problem of the substep. Its v must be set.
void SubstepSolver::collect(const NodeSet& nodes, const Ahead& ahead, const StepProgress& step) {
  const Path& path = step.path;
  ContactProblem& problem = substep_.problem;
  substep_.nodes = nodes;
  collect_contacts(nodes, ahead, step);
  const auto calc_law = [&](int i) {
    const Contact& c = problem.contacts[i];
    SubstepContact& solved = substep_.contacts[i];
    solved.before =
        calc_contact_velocity(*setup_->model, solved.at_begin, path.begin.motion, path.begin.v);
    solved.offset =
        calc_contact_velocity(*setup_->model, solved.at_end, ahead.end.motion, ahead.end.v) -
        problem.J.velocity_of_bodies(i, ahead.v_mid);
    solved.turn.setZero();
    return ContactLaw{
        .required = step.active.calc_required(c.key), .mu = c.mu, .drive = solved.offset};
  };
  fill_problem(*setup_->model,
               {.X_WB = path.mid.motion.X, .V_drive = setup_->rest, .M = motion_->masses()},
               *setup_->workers, calc_law, &problem);
  substep_.speed = tracker_->body_speed();
  for (int i = 0; i < problem.size(); ++i) {
    const Contact& c = problem.contacts[i];
    SubstepContact& solved = substep_.contacts[i];
    const ActiveSet& known = last_.contains(c.key) ? last_ : *previous_;
    problem.guess[i] =
        step.schedule.length(node_of(*setup_->model, c)) / step.schedule.h * known.impulse(c.key);
    const ContactVector freely = problem.J.velocity(i, problem.v);
    solved.fall = freely[kNormalRow] - solved.before[kNormalRow];
    substep_.speed =
        std::max({substep_.speed, freely.head<3>().norm(), solved.before.head<3>().norm()});
  }
  problem.speed = substep_.speed;
}

// Marks the groups with active contacts that close faster than a substep without contact would make
// them: these groups collide first. Plastic contacts over the impact budget need not, because the
// substep itself stops them.
bool SubstepSolver::find_approaching(StepProgress* step) {
  constexpr double kSlack = 1.01;
  const ContactProblem& problem = substep_.problem;
  num_impacts_.assign(step->schedule.nodes.size(), 0);
  bool any = false;
  for (int i = 0; i < problem.size(); ++i) {
    const SubstepContact& c = substep_.contacts[i];
    const double bound = std::max(kSlack * std::fabs(c.fall), setup_->gravity() * step->schedule.h);
    if (c.before[kNormalRow] >= -bound - kSubstepRounding * substep_.speed) continue;
    if (!any) groups_.reset(*setup_, step->active.contacts);
    any = true;
    ++num_impacts_[groups_.root(node_of(*setup_->model, problem.contacts[i]))];
  }
  if (!any) return false;
  const bool is_plastic = *setup_->options.restitution == Restitution::kNone;
  if (is_plastic) apply_impact_budget(groups_, &num_impacts_, &step->schedule);
  any = false;
  for (int root = 0; root < step->schedule.size(); ++root) {
    if (num_impacts_[root] == 0) continue;
    if (is_plastic && step->schedule.nodes[root].is_over_budget) continue;
    groups_.mark(root);
    any = true;
  }
  return any;
}

// Near a reversal of the slip by friction, its direction is not turned: the bisector would pass
// errors on from step to step without damping, and contacts that share a load would exchange them.
// The law then uses the slip at the end, as it does for rest.
Vec2 calc_turn(const StepSetup& setup, const StepProgress& step, const Contact& c,
               const Vec2& before, const Vec2& after, double change) {
  constexpr double kFirm = 0.9;  // cosine of the largest angle that counts as a turn
  // As a multiple of the change that friction causes in the substep, mu times the change of the
  // normal velocity. The direction is taken from the previous solve, which converges if half of
  // that change is less than the slip; a turning ball needs a factor of 3.5.
  constexpr double kFast = 4.0;
  if (!setup.by_cone || c.is_planar || c.mu == 0.0 ||
      step.schedule.nodes[node_of(*setup.model, c)].is_over_budget) {
    return Vec2::Zero();
  }
  const double slow = std::max(1e-6 * calc_speed(setup, step, c), kFast * c.mu * change);
  if (before.norm() <= slow || after.norm() <= slow ||
      before.dot(after) <= kFirm * before.norm() * after.norm()) {
    return Vec2::Zero();
  }
  const Vec2 bisector = (before.normalized() + after.normalized()).normalized();
  return after - after.norm() * bisector;
}

void SubstepSolver::turn_slips(const StepProgress& step, const VecX& v_plus) {
  ContactProblem& problem = substep_.problem;
  setup_->workers->split(problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      SubstepContact& c = substep_.contacts[i];
      const Vec2 after = problem.J.velocity(i, v_plus).segment<2>(1);
      const double pressed = problem.calc_normal_mobility(i) * problem.guess[i].x();
      c.turn = calc_turn(*setup_, step, problem.contacts[i], c.before.segment<2>(1), after,
                         std::max(std::fabs(c.fall), pressed));
      ContactVector drive = c.offset;
      drive.segment<2>(1) -= c.turn;
      problem.J.set_drive(i, drive);
    }
  });
}

bool SubstepSolver::solve_once(StepProgress* step, StepReport* report) {
  const ContactProblem& problem = substep_.problem;
  if (!solver_->solve(*step, &substep_, report)) return false;
  motion_->drift_on(substep_.nodes, substep_.answer.v, step);
  for (int i = 0; i < problem.size(); ++i) {
    const Contact& c = problem.contacts[i];
    const double share = step->schedule.length(node_of(*setup_->model, c)) / step->schedule.h;
    if (share > 0.0) last_.replace(c.key, substep_.contacts[i].impulse.head<3>() / share);
  }
  if (!step->is_support_check) solver_->test_existence(substep_, report);
  report->num_active = std::max(report->num_active, problem.size());
  solver_->mark_unique(&substep_);
  book_substep(*setup_, &substep_, motion_, step);
  return true;
}

}  // namespace tenpin::methods::time_stepping::order2
