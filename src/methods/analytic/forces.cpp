#include "methods/analytic/forces.h"

#include <algorithm>
#include <cmath>

#include "complementarity/proximal.h"
#include "methods/analytic/open_forces.h"
#include "methods/analytic/program_forces.h"
#include "methods/analytic/slip_directions.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using complementarity::SolveStatus;
using contact::ContactBlock;

namespace {

constexpr double kNoProgrammedForce =
    1e-10;  // -   of the scale: the same for forces from linear programs

// -   of the scale: rounding of forces of this size.
double calc_noise(const Motion& motion, const std::vector<Touch>& touches,
                  const ForceScale& scale) {
  double largest = 0.0;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    largest = std::max(largest, motion.forces()[i].norm() * calc_mobility(motion, i));
  }
  return kNoise + kForceRounding * largest / scale.acceleration;
}

}  // namespace

ForceSolver::ForceSolver(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model), by_programs_(options.forces == scene::AnalyticOptions::Forces::kLp) {}

// The grips of the previous piece are often right for the next one. Slips that began in it remain
// incipient: if one of them has become fast, the others are not tested for sticking, because with
// redundant contacts sticking may be a second solution.
bool ForceSolver::keep_grips(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches) {
  bool has_force = false;
  bool is_beginning = false;
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    Touch& touch = (*touches)[i];
    if (!touch.is_touching) continue;
    if (touch.grip == Grip::kApart) return false;
    has_force = has_force || carries(touch.grip);
    const bool rubs = (touch.mu > 0.0 || is_dry_joint(touch)) && slips(*motion, i, scale);
    if (!carries(touch.grip) || rubs == (touch.grip == Grip::kSlide)) continue;
    if (rubs || touch.slip_dir.isZero(0.0)) return false;
    is_beginning = true;
  }
  if (!has_force) return false;
  motion->solve_forces();
  if (is_beginning && !motion->failed()) {
    find_islands(touches->size());
    refine_slip_directions(scale, share_, motion, touches);
  }
  if (motion->failed()) return false;
  const double noise = calc_noise(*motion, *touches, scale);
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    if (!(*touches)[i].is_touching) continue;
    if (!(certify_forces(*motion, *touches, scale, i, Moment::kStart).residual <= noise))
      return false;
  }
  return true;
}

// The friction of a slipping joint is known. Its earlier value says nothing about a joint at rest.
void ForceSolver::begin_dry_joint(const Motion& motion, const ForceScale& scale, int i,
                                  Touch* touch) {
  if (slips(motion, i, scale)) {
    touch->grip = Grip::kSlide;
    touch->slip_dir = motion.slip_direction(i);
  } else if (touch->grip == Grip::kSlide) {
    touch->grip = Grip::kApart;
  }
}

void ForceSolver::choose_grips(const ForceScale& scale, const Motion& motion,
                               std::vector<Touch>* touches) {
  const VecX& z = solution_.z;
  for (int k = 0; k < static_cast<int>(problem_.contacts.size()); ++k) {
    const FrictionContact& of = problem_.contacts[k];
    Touch& touch = (*touches)[of.index];
    const double mobility = calc_mobility(motion, of.index);
    const double f = problem_.normal(z, k);
    const Vec2 friction = problem_.friction(z, k);
    const bool is_dry = is_dry_joint(touch);
    touch.force = {f, friction.x(), friction.y()};
    if (!is_dry && f * mobility <= kZeroForce * scale.acceleration) {
      touch.grip = Grip::kIdle;
    } else if (!is_dry && touch.mu == 0.0) {
      touch.grip = Grip::kPress;
    } else if (!of.decides) {
      touch.grip = Grip::kSlide;
    } else if (problem_.slip_rate(z, k) <= kZeroForce * scale.acceleration) {
      touch.grip = Grip::kStick;
    } else {
      touch.grip = Grip::kSlide;
      touch.slip_dir = -(touch.contact.t1 * friction.x() + touch.contact.t2 * friction.y());
      touch.slip_dir.normalize();
    }
  }
}

bool ForceSolver::solve_island(std::span<const int> island, const ForceScale& scale, Motion* motion,
                               std::vector<Touch>* touches, ForceReport* report) {
  problem_.contacts.clear();
  for (const int k : island) {
    const int i = touching_[k];
    const Touch& touch = (*touches)[i];
    const bool slides = slips(*motion, i, scale);
    if (is_dry_joint(touch) && slides) continue;  // its friction is given
    FrictionContact of{
        .index = i, .mu = touch.mu, .dry = touch.dry, .free = motion->free_acceleration(i)};
    of.decides = is_dry_joint(touch) || (touch.mu > 0.0 && !slides);
    if (touch.mu > 0.0 && !of.decides) of.rubbing = calc_rubbing(*motion, touch, i);
    problem_.contacts.push_back(of);
  }
  if (problem_.contacts.empty()) return true;
  if (by_programs_) return solve_island_by_programs(scale, *motion, touches, report);
  if (problem_.is_large(motion->contacts())) {
    is_any_large_ = true;
    if (solve_by_cone(kNearSolution, *motion, touches, report)) return true;
    report->status = SolveStatus::kResidual;
    report->failed_touch = problem_.contacts.front().index;
    return false;
  }
  problem_.assemble(motion->jacobian(), motion->contacts());
  report->largest = std::max(report->largest, problem_.lcp().size());
  if (!solve_complementarity(report)) {
    // A ray proves that no solution exists; any other status means that rounding prevented one.
    const bool is_ray = solution_.status == SolveStatus::kRayTermination;
    if (!is_ray && solve_by_cone(ConeForces::kUsual, *motion, touches, report)) return true;
    report->status = solution_.status;
    report->failed_touch = problem_.contacts.front().index;
    return false;
  }
  choose_grips(scale, *motion, touches);
  // Sixteen directions resolve contacts at the edge of their cones only coarsely.
  if (begins_to_slip(*touches)) solve_by_cone(ConeForces::kUsual, *motion, touches, report);
  return true;
}

// True if a spatial contact of the island begins to slip.
bool ForceSolver::begins_to_slip(const std::vector<Touch>& touches) const {
  return std::any_of(problem_.contacts.begin(), problem_.contacts.end(),
                     [&](const FrictionContact& c) {
                       const Touch& touch = touches[c.index];
                       return c.decides && !touch.contact.is_planar && touch.grip == Grip::kSlide;
                     });
}

// Also accepts a solution whose residual is at most `enough`.
bool ForceSolver::solve_by_cone(double enough, const Motion& motion, std::vector<Touch>* touches,
                                ForceReport* report) {
  report->largest = std::max(report->largest, 3 * static_cast<int>(problem_.contacts.size()));
  std::vector<Vec3> guess;
  if (is_second_try_) {
    for (const FrictionContact& c : problem_.contacts) guess.push_back(motion.forces()[c.index]);
  }
  const bool found = cone_forces_.solve(problem_.contacts, motion.jacobian(), guess) ||
                     cone_forces_.residual() <= enough;
  ++report->solves;
  report->pivots += cone_forces_.systems();
  if (found) choose_grips_by_cone(touches, motion);
  return found;
}

// Complementarity: sets the smaller of force and acceleration to zero.
void ForceSolver::choose_grips_by_cone(std::vector<Touch>* touches, const Motion& motion) {
  for (int k = 0; k < static_cast<int>(problem_.contacts.size()); ++k) {
    const FrictionContact& of = problem_.contacts[k];
    Touch& touch = (*touches)[of.index];
    const Vec3 a = cone_forces_.acceleration(k);
    Vec3 f = cone_forces_.force(k);
    const bool is_dry = is_dry_joint(touch);
    const int row = is_dry ? contact::kT1Row : contact::kNormalRow;
    const double mobility = motion.jacobian().own_delassus(of.index)(row, row);
    if (!of.decides) f.tail<2>() = f[0] * of.rubbing;
    if (is_dry) f[0] = f[2] = 0.0;
    touch.force = f;
    const double left = touch.mu * f[0] + touch.dry - f.tail<2>().norm();
    if (!is_dry && f[0] * mobility <= std::max(a[0], 0.0)) {
      touch.grip = Grip::kIdle;
    } else if (!is_dry && touch.mu == 0.0) {
      touch.grip = Grip::kPress;
    } else if (!of.decides) {
      touch.grip = Grip::kSlide;
    } else if (left * mobility >= a.tail<2>().norm()) {
      touch.grip = Grip::kStick;
    } else {
      touch.grip = Grip::kSlide;
      touch.slip_dir = -(touch.contact.t1 * f[1] + touch.contact.t2 * f[2]).normalized();
    }
  }
}

bool ForceSolver::solve_complementarity(ForceReport* report) {
  lemke_.solve(problem_.lcp(), &solution_);
  const bool is_smooth =
      std::all_of(problem_.contacts.begin(), problem_.contacts.end(), [](const FrictionContact& c) {
        return !c.decides && c.mu == 0.0;
      });
  // Without friction a solution always exists, up to rounding.
  if (is_smooth && solution_.status != SolveStatus::kSolved) {
    complementarity::solve_proximal(problem_.lcp(), {}, &solution_);
  }
  ++report->solves;
  report->pivots += solution_.pivots;
  return solution_.status == SolveStatus::kSolved;
}

// The touches take the forces of the fallback, even where those violate the law.   [B89, §6.5]
bool ForceSolver::solve_island_by_programs(const ForceScale& scale, const Motion& motion,
                                           std::vector<Touch>* touches, ForceReport* report) const {
  using complementarity::ForceBranch;
  const complementarity::ForceAnswer answer = solve_programs(problem_.contacts, motion.jacobian());
  report->largest = std::max(report->largest, static_cast<int>(problem_.contacts.size()));
  report->solves += answer.programs;
  report->pivots += answer.iterations;
  report->branches.none_vanishes += answer.branch == ForceBranch::kNoneVanishes ? 1 : 0;
  report->branches.predicted += answer.branch == ForceBranch::kPredicted ? 1 : 0;
  const bool is_fallback = answer.branch == ForceBranch::kFallback;
  report->branches.fallback += is_fallback ? 1 : 0;
  if (answer.branch == ForceBranch::kFailed) {
    report->status = SolveStatus::kInconsistent;
    report->failed_touch = problem_.contacts.front().index;
    return false;
  }
  for (int k = 0; k < static_cast<int>(problem_.contacts.size()); ++k) {
    const int i = problem_.contacts[k].index;
    Touch& touch = (*touches)[i];
    const double none =
        is_fallback ? 0.0 : kNoProgrammedForce * scale.acceleration / calc_mobility(motion, i);
    touch.force = {answer.f[k], 0.0, 0.0};
    touch.grip = answer.f[k] <= none ? Grip::kIdle : is_fallback ? Grip::kGiven : Grip::kPress;
  }
  return true;
}

// Resting islands usually stay at rest, and their forces then need no complementarity problem. This
// is not tried where contacts slip, because several solutions may exist there (Painlevé).
bool ForceSolver::may_hold(std::span<const int> island, const ForceScale& scale,
                           const Motion& motion, const std::vector<Touch>& touches) const {
  return !by_programs_ && std::none_of(island.begin(), island.end(), [&](int k) {
    const int i = touching_[k];
    const bool is_rough = touches[i].mu > 0.0 || is_dry_joint(touches[i]);
    return is_rough && slips(motion, i, scale);
  });
}

// Tries rest for every island that may hold, and writes to holds_ which islands do.
void ForceSolver::guess_that_islands_hold(const ForceScale& scale, Motion* motion,
                                          std::vector<Touch>* touches) {
  holds_.assign(islands_.size(), false);
  for (const int i : touching_) {
    Touch& touch = (*touches)[i];
    if (!is_dry_joint(touch) || touch.grip != Grip::kSlide) touch.grip = Grip::kIdle;
  }
  for (int k = 0; k < islands_.size(); ++k) {
    holds_[k] = may_hold(islands_.contacts(k), scale, *motion, *touches);
    double pressing = 0.0;  // m/s^2
    for (const int c : islands_.contacts(k)) {
      pressing = std::max(pressing, -motion->free_acceleration(touching_[c])[0]);
    }
    for (const int c : islands_.contacts(k)) {
      if (!holds_[k]) break;
      Touch& touch = (*touches)[touching_[c]];
      touch.grip = touch.mu > 0.0 || is_dry_joint(touch) ? Grip::kStick : Grip::kPress;
      const double mobility = calc_mobility(*motion, touching_[c]);
      touch.force = {is_dry_joint(touch) ? 0.0 : pressing / mobility, 0.0, 0.0};
    }
  }
  (void)share_forces(std::vector<bool>(touches->size(), false), motion,
                     touches);  // the law decides which islands can
  const double noise = calc_noise(*motion, *touches, scale);
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    holds_[k] =
        holds_[k] && !motion->failed() && std::all_of(island.begin(), island.end(), [&](int c) {
          const int i = touching_[c];
          return certify_forces(*motion, *touches, scale, i, Moment::kStart).residual <= noise;
        });
  }
}

// Islands of contacts_.
void ForceSolver::find_islands(std::size_t num_touches) {
  islands_.update(*model_, contacts_);
  share_.assign(num_touches, 0.0);
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    for (const int c : island) share_[touching_[c]] = 1.0 / static_cast<double>(island.size());
  }
}

void ForceSolver::solve(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches,
                        ForceReport* report) {
  *report = {};
  is_any_large_ = false;
  contacts_.clear();
  touching_.clear();
  for (int i = 0; i < static_cast<int>(touches->size()); ++i) {
    if (!(*touches)[i].is_touching) {
      (*touches)[i].grip = Grip::kApart;
      continue;
    }
    contacts_.push_back((*touches)[i].contact);
    touching_.push_back(i);
    if (is_dry_joint((*touches)[i])) begin_dry_joint(*motion, scale, i, &(*touches)[i]);
  }
  motion->rub_joints();
  if (touching_.empty()) {
    motion->solve_forces();
    return;
  }
  if (!by_programs_ && keep_grips(scale, motion, touches)) return;
  find_islands(touches->size());
  guess_that_islands_hold(scale, motion, touches);
  is_second_try_ = false;
  if (!decide(scale, motion, touches, report) || !is_any_large_) return;
  const double worst = calc_worst(scale, *motion, *touches, touching_);
  if (worst <= kNoise) return;
  // Where many slips begin, rounding may spoil the result: solve again from there.
  const std::vector<Touch> first = *touches;
  ForceReport again = *report;
  is_second_try_ = true;
  cone_forces_ = ConeForces(kExactForces);
  const bool found = decide(scale, motion, touches, &again);
  cone_forces_ = ConeForces();
  if (found && calc_worst(scale, *motion, *touches, touching_) < worst) {
    *report = again;
    return;
  }
  *touches = first;
  motion->solve_forces();
}

// Decides the grips of all islands that do not hold.
bool ForceSolver::decide(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches,
                         ForceReport* report) {
  for (int k = 0; k < islands_.size(); ++k) {
    if (holds_[k]) continue;
    if (!solve_island(islands_.contacts(k), scale, motion, touches, report)) return false;
  }
  settle(scale, motion, touches);
  return true;
}

// Which slips begin depends on how undetermined forces are shared. Where slips begin, the forces
// that caused them are kept.
void ForceSolver::settle(const ForceScale& scale, Motion* motion, std::vector<Touch>* touches) {
  const std::vector<bool> kept = find_slipping_islands(scale, *motion, *touches);
  settle_open_forces(scale, touching_, kept, motion, touches);
  if (is_any_large_) exchange_contacts(scale, touching_, motion, touches);
  refine_slip_directions(scale, share_, motion, touches);
}

// Marks the touches of islands in which a spatial slip begins.
std::vector<bool> ForceSolver::find_slipping_islands(const ForceScale& scale, const Motion& motion,
                                                     const std::vector<Touch>& touches) const {
  std::vector<bool> found(touches.size(), false);
  for (int k = 0; k < islands_.size(); ++k) {
    const std::span<const int> island = islands_.contacts(k);
    const bool begins = std::any_of(island.begin(), island.end(), [&](int c) {
      const Touch& touch = touches[touching_[c]];
      return touch.grip == Grip::kSlide && !touch.contact.is_planar &&
             !slips(motion, touching_[c], scale);
    });
    if (!begins) continue;
    for (const int c : island) found[touching_[c]] = true;
  }
  return found;
}

}  // namespace tenpin::methods::analytic
