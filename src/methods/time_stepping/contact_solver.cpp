#include "methods/time_stepping/contact_solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "base/check.h"
#include "base/rng.h"
#include "complementarity/cone/proximal_point.h"
#include "complementarity/least_norm.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

using complementarity::SolveStatus;

namespace {

constexpr double kMove = 1e-8;  // of the velocities
// -   An answer found with compliance must solve the rigid problem to this accuracy: relative to
// the scale of its rows, and its velocities relative to those of the problem.
constexpr double kProximalTolerance = 1e-12;
constexpr double kProximalViolation = 1e-8;
// -   If no attempt is that accurate, because rounding makes contacts contradict each other, the
// best attempt counts if it reaches this accuracy.
constexpr double kLastResort = 1e-9;
constexpr double kLastViolation = 1e-7;

constexpr int kMaxRows = 6000;  // of one island: its matrix is dense and takes 0.3 GB

void check_size(const ContactProblem& problem, std::span<const int> island, int rows,
                const dynamics::Model& model) {
  if (rows <= kMaxRows) return;
  const contact::Contact& c = problem.contacts[island.front()];
  throw LimitError("the " + std::to_string(island.size()) + " contacts that hang together around " +
                   model.bodies[c.body_a].name + " and " + model.bodies[c.body_b].name +
                   " are too many to solve at once, got " + std::to_string(rows) +
                   " rows, want at most " + std::to_string(kMaxRows) +
                   " (fewer friction directions need fewer rows)");
}

// True if a contact slips by more than rounding.
bool slips(const Layout& layout, ConstVecRef z, double speed) {
  constexpr double kSlips = 1e-9;  // -   of the velocities of the island
  return std::any_of(layout.lambda.begin(), layout.lambda.end(), [&](int row) {
    return row >= 0 && z[row] > kSlips * speed;
  });
}

// R z + u, summed in the same order on every machine.
VecX calc_velocities(const complementarity::Lcp& lcp, const VecX& z) {
  VecX w = lcp.u;
  for (int j = 0; j < lcp.size(); ++j) w += z[j] * lcp.R.col(j);
  return w;
}

}  // namespace

ContactSolver::ContactSolver(const dynamics::Model& model, const contact::FrictionCone& cone,
                             const scene::TimeSteppingOptions& options, const Workers& workers,
                             int max_systems)
    : model_(&model),
      cone_(&cone),
      workers_(&workers),
      by_cone_(options.solver == scene::TimeSteppingOptions::Solver::kCone),
      tolerance_(*options.tolerance),
      // Where reaching it is cheap, slip directions and states of rest are solved to rounding.
      aim_(options.compliance > 0.0 ? tolerance_ : 1e-11),
      // The law is certified contact by contact, in the largest norm: the solver aims below that.
      fresh_cone_solver_({.tolerance = 0.1 * tolerance_,
                          .aim = aim_,
                          .measure = complementarity::cone::Measure::kEnergy,
                          .is_regular = options.compliance > 0.0,
                          .max_systems = max_systems,
                          .deadline = &workers.deadline()}),
      swept_(&workers),
      solvers_(workers.size(), Solvers(&workers.deadline())) {}

// Redundant contacts make R singular, and rounding may make it indefinite: Lemke's path can then
// end on a ray where theory guarantees a solution. A small compliance restores the guarantee. Its
// effect is removed afterwards: in one step if the loaded contacts are known by then, otherwise by
// proximal steps, w = R z + u + c (z - z_before). Each attempt also weights the rows differently,
// which does not change the problem but leads Lemke along another path. An answer counts only if it
// solves the original problem. If all attempts fail, the thorough solver is tried last.
void ContactSolver::solve_lcp(Solvers* solvers, Slot* slot) const {
  const complementarity::Lcp& lcp = slot->lcp;
  complementarity::LcpSolution& solution = slot->solution;
  solvers->quick.solve(lcp, &solution);
  if (solution.status == SolveStatus::kSolved || workers_->deadline().is_over()) return;
  int pivots = solution.pivots;
  const double mobility = lcp.R.diagonal().maxCoeff();
  slot->best = {.z = VecX::Zero(lcp.size()), .residual = certify(lcp, VecX::Zero(lcp.size()))};
  // Bodies that rest on each other need no pivoting: starting with all normal impulses, a few
  // linear systems determine the impulses that stop them.
  VecX pressed = VecX::Zero(lcp.size());
  pressed.head(static_cast<int>(slot->layout.beta.size()))
      .setConstant(std::numeric_limits<double>::min());
  if (stiffen(pressed, slot)) {
    solution = slot->best;
    solution.status = SolveStatus::kSolved;
    solution.pivots = pivots;
    return;
  }
  int attempt = 0;
  for (const double compliance : {1e-9, 1e-7, 1e-5, 1e-3, 1e-8, 1e-6, 1e-4, 1e-2}) {
    solve_proximal(compliance * mobility, attempt++, solvers, slot);
    pivots += solution.pivots;
    if (slot->best.residual.passes(kProximalTolerance) || workers_->deadline().is_over()) break;
  }
  if (slot->best.residual.passes(kLastResort)) {
    solution = slot->best;
    solution.status = SolveStatus::kSolved;
  } else {
    solvers->thorough.solve(lcp, &solution);
  }
  solution.pivots += pivots;
}

// True if z solves the rigid problem. Stores z if it is the best so far.
bool ContactSolver::judge_rigid(ConstVecRef z, Slot* slot) {
  const complementarity::LcpResidual residual = certify(slot->lcp, z);
  const double speed = slot->lcp.u.lpNorm<Eigen::Infinity>();
  if (residual.w_negative > kLastViolation * speed ||
      !(residual.relative < slot->best.residual.relative)) {
    return false;
  }
  slot->best.z = z;
  slot->best.residual = residual;
  return residual.passes(kProximalTolerance) && residual.w_negative <= kProximalViolation * speed;
}

// Changes the answer with compliance by the least change that stops the loaded contacts of the
// rigid problem. In each round, contacts that separate leave the set, and contacts that approach
// join it.
bool ContactSolver::stiffen(VecX z, Slot* slot) const {
  const complementarity::Lcp& lcp = slot->lcp;
  const double zero = kProximalTolerance * lcp.u.lpNorm<Eigen::Infinity>();
  std::vector<int> active;
  std::vector<int> last;
  VecX w = calc_velocities(lcp, z);
  for (int round = 0; round < kMaxLoadedRounds; ++round) {
    last.swap(active);
    active.clear();
    for (int i = 0; i < lcp.size(); ++i) {
      if (z[i] > 0.0 || w[i] < -zero) active.push_back(i);
    }
    if (active == last || workers_->deadline().is_over()) return false;
    complementarity::LeastNormSolver basis;
    basis.factorize(lcp.R(active, active), kLoadedRank);
    for (int step = 0; step < kMaxImpulseRefinements; ++step) {
      z(active) -= basis.solve(w(active));
      w = calc_velocities(lcp, z);
    }
    z = z.cwiseMax(0.0);
    w = calc_velocities(lcp, z);
    if (judge_rigid(z, slot)) return true;
  }
  return false;
}

// One attempt with compliance. Each attempt but the first also perturbs the problem slightly, which
// resolves degenerate pivots.
void ContactSolver::solve_proximal(double compliance, int attempt, Solvers* solvers,
                                   Slot* slot) const {
  const complementarity::Lcp& lcp = slot->lcp;
  const int rows = slot->layout.num_impulses;
  const double move = kMove * lcp.u.lpNorm<Eigen::Infinity>();
  slot->soft = lcp;
  slot->soft.R.diagonal().head(rows).array() += compliance;
  VecX weight = VecX::Ones(lcp.size());
  const RandomStream random(static_cast<std::uint64_t>(attempt), 0);
  for (int i = 0; attempt > 0 && i < lcp.size(); ++i) {
    weight[i] += random.uniform(static_cast<std::uint64_t>(i));
    slot->soft.u[i] += move * random.uniform(static_cast<std::uint64_t>(lcp.size() + i));
  }
  slot->soft.R = weight.asDiagonal() * slot->soft.R;
  slot->soft.u.array() *= weight.array();
  int pivots = 0;
  for (int step = 0; step < kMaxCompliantSolves; ++step) {
    const double best = slot->best.residual.relative;
    solvers->quick.solve(slot->soft, &slot->solution);
    pivots += slot->solution.pivots;
    slot->solution.pivots = pivots;
    const VecX& z = slot->solution.z;
    if (slot->solution.status != SolveStatus::kSolved) return;
    if (judge_rigid(z, slot) || stiffen(z, slot)) return;
    // no attempt can improve on this
    if (best < kLastResort && slot->best.residual.relative == best) return;
    slot->soft.u.head(rows) = lcp.u.head(rows) - compliance * z.head(rows);
    slot->soft.u.head(rows).array() *= weight.head(rows).array();
  }
}

void ContactSolver::solve_left(const ContactProblem& problem, std::size_t left, Solvers* solvers,
                               ContactAnswer* answer) {
  if (workers_->deadline().is_over()) return;
  const std::span<const int> island = islands_.contacts(left_[left]);
  const double speed = problem.calc_speed(island);
  if (opens_by_itself(problem, island, speed, answer)) return;
  Outcome& outcome = outcomes_[left_[left]];
  const bool holds = by_cone_ && holds_by_guess(problem, island, &outcome, answer);
  if (!holds) {
    outcome = by_cone_ ? solve_by_cone(problem, island, &slots_[left], answer)
                       : solve_by_lemke(problem, island, solvers, &slots_[left], answer);
  }
  if (outcome.status != SolveStatus::kSolved || !problem.with_friction) return;
  if (workers_->deadline().is_over()) return;
  // The guessed impulses are the least ones unless a contact without load could carry a share.
  if (!holds || has_idle(problem, island, speed)) {
    outcome.is_least = slots_[left].open.make_least(
        problem, *cone_, island,
        {.residual = outcome.residual, .tolerance = tolerance_, .speed = speed}, &v_found_, answer);
  }
  (void)slots_[left].refined.refine(problem, *cone_, island,
                                    {.tolerance = tolerance_, .speed = speed}, &v_refined_, answer);
}

// True if no contact of the island approaches by more than the rounding of the velocities: zero
// impulses are then the answer. Where bodies have come to rest without gravity, all approaches are
// rounding errors, and no solver can meet a tolerance relative to them.
bool ContactSolver::opens_by_itself(const ContactProblem& problem, std::span<const int> island,
                                    double speed, ContactAnswer* answer) {
  const double small = kIslandRounding * speed;  // m/s
  for (const int i : island) {
    if (!problem.compliance[i].isZero(0.0)) return false;
    if (is_dry(problem.contacts[i])) {
      // A joint at rest needs no friction, such as that of a door that leans on its stop.
      const Vec3 u = problem.J.velocity(i, problem.v).tail<3>();
      if (!(u.cwiseAbs().maxCoeff() <= small)) return false;
      continue;
    }
    if (problem.given[i] > 0.0) return false;
    const double u = problem.J.normal_velocity(i, problem.v);
    if (!(u - problem.required[i] >= -small)) return false;
  }
  for (const int i : island) answer->impulses[i] << problem.given[i], 0.0, 0.0, 0.0;
  return true;
}

// True if the impulses of the previous step solve the island unchanged, as they do at rest. The
// matrix of the island is then not needed.
bool ContactSolver::holds_by_guess(const ContactProblem& problem, std::span<const int> island,
                                   Outcome* outcome, ContactAnswer* answer) {
  for (const int i : island) {
    const contact::Contact& c = problem.contacts[i];
    const bool is_plain =
        !is_dry(c) && !c.is_planar && is_isotropic(c) && c.torsion == 0.0 && c.rolling == 0.0;
    if (!is_plain || problem.given[i] > 0.0 || !problem.compliance[i].isZero(0.0)) return false;
    answer->impulses[i] << problem.guess[i], 0.0;
    if (!problem.with_friction) answer->impulses[i].tail<3>().setZero();
    problem.J.add_velocity_change(i, answer->impulses[i], v_guess_);
  }
  double error = 0.0;
  double scale = 0.0;
  for (const int i : island) {
    const double w = problem.J.own_delassus(i).topLeftCorner<3, 3>().trace() / 3.0;
    Vec3 q = problem.J.velocity(i, problem.v).head<3>();
    Vec3 u = problem.J.velocity(i, v_guess_).head<3>();
    q.x() -= problem.required[i];
    u.x() -= problem.required[i];
    const double mu = problem.with_friction ? problem.mu[i] : 0.0;
    const Vec3 r = answer->impulses[i].head<3>();
    error += w * complementarity::cone::calc_square_residual(r, u, mu, w);
    scale += q.squaredNorm() / w;
  }
  outcome->residual = std::sqrt(error / scale);
  return outcome->residual <= aim_;
}

// True if a contact rests without load under the guessed impulses.
bool ContactSolver::has_idle(const ContactProblem& problem, std::span<const int> island,
                             double speed) const {
  constexpr double kRests = 1e-9;  // -   of the velocities of the island
  return std::any_of(island.begin(), island.end(), [&](int i) {
    const double slack = problem.J.normal_velocity(i, v_guess_) - problem.required[i];
    return problem.guess[i].isZero(0.0) && slack <= kRests * speed;
  });
}

ContactSolver::Outcome ContactSolver::solve_by_cone(const ContactProblem& problem,
                                                    std::span<const int> island, Slot* slot,
                                                    ContactAnswer* answer) const {
  slot->cone.assemble(*model_, problem, island);
  const bool can_rest = slot->rest.find(slot->cone.problem());
  slot->cone_solver.solve(slot->cone.problem(),
                          can_rest ? slot->rest.impulses() : slot->cone.guess(),
                          &slot->cone.solution());
  slot->cone.read_solution(problem, island, answer);
  const complementarity::cone::ConeSolution& solution = slot->cone.solution();
  return {.status = solution.status,
          .residual = solution.residual.energy,
          .rows = slot->cone.problem().num_rows(),
          .pivots = solution.effort.newton + solution.effort.interior_point};
}

// -   The error of the answer as the certificate will measure it: relative to the velocities of the
// island and to those that single impulses cause and that cancel.
double ContactSolver::calc_law_error(const ContactProblem& problem, std::span<const int> island,
                                     const ConeIsland& cone) {
  const complementarity::cone::ConeProblem& rows = cone.problem();
  const complementarity::cone::ConeSolution& solution = cone.solution();
  double error = 0.0;
  const double speed = problem.calc_speed(island);
  double largest = speed;
  for (std::size_t i = 0; i < island.size(); ++i) {
    const double w = problem.J.own_delassus(island[i]).topLeftCorner<3, 3>().trace() / 3.0;
    const Vec3 r = Eigen::Map<const Vec3>(solution.r.data() + rows.W.first_row[i]);
    const Vec3 u = Eigen::Map<const Vec3>(solution.u.data() + rows.W.first_row[i]);
    const double square = complementarity::cone::calc_square_residual(r, u, rows.mu[i], w);
    // If reactions grow without bound, u consists of rounding errors.
    const double rounding = std::numeric_limits<double>::epsilon() * w * r.norm();
    error = std::max({error, w * std::sqrt(square), rounding});
    largest = std::max(largest, w * r.norm());
  }
  return error / std::min(largest, kMaxCancellation * speed);
}

ContactSolver::Outcome ContactSolver::mend_island(const ContactProblem& problem,
                                                  std::span<const int> island, Slot* slot,
                                                  ContactAnswer* answer) const {
  slot->cone.assemble(*model_, problem, island);
  complementarity::cone::ConeSolution& solution = slot->cone.solution();
  solve_by_proximal_steps(slot->cone.problem(), slot->cone.guess(), fresh_cone_solver_.options(),
                          &solution);
  slot->cone.read_solution(problem, island, answer);
  const double error = calc_law_error(problem, island, slot->cone);
  // Where the law has no solution, reactions that grow without bound can still pass the solver's
  // own error measure.
  const double most = solution.status == SolveStatus::kSolved ? tolerance_ : 0.1 * tolerance_;
  const bool is_good = solution.residual.finite && error <= most;
  return {.status = is_good ? SolveStatus::kSolved : solution.status,
          .residual = error,
          .rows = slot->cone.problem().num_rows(),
          .pivots = solution.effort.newton + solution.effort.interior_point,
          .is_mended = is_good};
}

void ContactSolver::mend(const ContactProblem& problem, ContactAnswer* answer) {
  workers_->run(static_cast<int>(left_.size()), [&](int i, int /*worker*/) {
    const int island = left_[i];
    if (outcomes_[island].status == SolveStatus::kSolved) return;
    const std::span<const int> contacts = islands_.contacts(island);
    Outcome mended = mend_island(problem, contacts, &slots_[i], answer);
    const double residual = slots_[i].refined.refine(
        problem, *cone_, contacts, {.tolerance = tolerance_, .speed = problem.calc_speed(contacts)},
        &v_refined_, answer);
    if (!mended.is_mended && residual <= 0.1 * tolerance_) {
      mended.status = SolveStatus::kSolved;
      mended.residual = residual;
      mended.is_mended = true;
    }
    if (mended.is_mended) outcomes_[island] = mended;
  });
  check_deadline(problem);
  gather(problem, answer);
}

ContactSolver::Outcome ContactSolver::solve_by_lemke(const ContactProblem& problem,
                                                     std::span<const int> island, Solvers* solvers,
                                                     Slot* slot, ContactAnswer* answer) const {
  make_layout(problem, *cone_, island, &slot->layout);
  check_size(problem, island, slot->layout.size, *model_);
  assemble_lcp(problem, *cone_, island, slot->layout, &slot->lcp);
  solve_lcp(solvers, slot);
  const Outcome outcome = {.status = slot->solution.status,
                           .residual = slot->solution.residual.relative,
                           .rows = slot->layout.size,
                           .pivots = slot->solution.pivots};
  const bool is_solved = outcome.status == SolveStatus::kSolved;
  if ((!is_solved || slips(slot->layout, slot->solution.z, problem.calc_speed(island))) &&
      can_rest(problem, island, slot, answer)) {
    return {.rows = outcome.rows, .pivots = outcome.pivots};
  }
  read_solution(problem, *cone_, island, slot->layout, slot->solution.z, answer);
  return outcome;
}

// True if the least impulses that stop all contacts satisfy the law of the polyhedral cone; these
// are then the answer.
bool ContactSolver::can_rest(const ContactProblem& problem, std::span<const int> island, Slot* slot,
                             ContactAnswer* answer) const {
  using Kind = dynamics::LimitSurface::Kind;
  const bool fits_cone = std::all_of(island.begin(), island.end(), [&](int c) {
    const dynamics::LimitSurface* limit = problem.contacts[c].limit;
    return problem.compliance[c].isZero(0.0) &&
           (limit == nullptr || limit->kind != Kind::kPolytope);
  });
  if (!fits_cone || !problem.with_friction || island.size() > RestingGuess::kMaxContacts) {
    return false;
  }
  slot->cone.assemble(*model_, problem, island);
  if (!slot->rest.find(slot->cone.problem())) return false;
  const std::span<const double> impulses = slot->rest.impulses();
  slot->cone.solution().r.assign(impulses.begin(), impulses.end());
  slot->cone.read_solution(problem, island, answer);
  return std::all_of(island.begin(), island.end(), [&](int c) {
    const contact::ContactVector& p = answer->impulses[c];
    return cone_->calc_gauge(problem.contacts[c], p.tail<3>()) <=
           problem.mu[c] * p[contact::kNormalRow];
  });
}

// Sorts the islands: those of compliant contacts between loose bodies are swept, the others go to
// left_.
void ContactSolver::sort_islands(const ContactProblem& problem) {
  left_.clear();
  outcomes_.resize(islands_.size());
  lists_.islands.clear();
  lists_.can_sweep.resize(problem.contacts.size());
  workers_->split(problem.size(), [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      lists_.can_sweep[c] = by_cone_ && SweptIslands::can_sweep(*model_, problem, c) ? 1 : 0;
    }
  });
  for (int i = 0; i < islands_.size(); ++i) {
    const std::span<const int> island = islands_.contacts(i);
    const bool can = std::all_of(island.begin(), island.end(), [this](int c) {
      return lists_.can_sweep[c] != 0;
    });
    outcomes_[i] = {.rows = 3 * static_cast<int>(island.size())};
    if (can) {
      lists_.islands.push_back(i);
    } else {
      left_.push_back(i);
    }
  }
}

// Lists the islands that contain a contact that did not pass.
void ContactSolver::find_failed() {
  int position = 0;
  int place = 0;
  lists_.failed.clear();
  for (const int i : lists_.islands) {
    double worst = 0.0;
    for (std::size_t k = 0; k < islands_.contacts(i).size(); ++k) {
      const double error = swept_.error(position++);
      worst = std::isnan(error) ? error : std::max(worst, error);
    }
    if (!(worst <= swept_.tolerance(place++))) lists_.failed.push_back(i);
  }
}

// Lists the contacts of some islands to sweep, where the contacts of each island end, and the
// islands' speeds.
void ContactSolver::list_swept(const ContactProblem& problem, std::span<const int> islands,
                               SweptList* list) const {
  list->contacts.clear();
  list->islands.clear();
  for (const int i : islands) {
    const std::span<const int> island = islands_.contacts(i);
    list->contacts.insert(list->contacts.end(), island.begin(), island.end());
    list->islands.push_back(
        {.end = static_cast<int>(list->contacts.size()), .speed = problem.calc_speed(island)});
  }
}

// Sweeps all islands once, which is enough for resting ones, and then the others until they pass.
// Islands that sweeps cannot solve go to left_.
void ContactSolver::sweep_islands(const ContactProblem& problem, ContactAnswer* answer) {
  if (lists_.islands.empty()) return;
  list_swept(problem, lists_.islands, &lists_.all);
  swept_.start(*model_, problem, lists_.all);
  swept_.solve(tolerance_, 1, answer);
  if (swept_.passed()) return;
  find_failed();
  if (lists_.failed.empty()) return;
  list_swept(problem, lists_.failed, &lists_.rest);
  if (lists_.rest.contacts.size() < lists_.all.contacts.size() / 2) {
    swept_.restart(*model_, problem, lists_.rest, *answer);
    lists_.islands = lists_.failed;
  }
  swept_.solve(tolerance_, kMaxIslandSweeps, answer);
  outcomes_[lists_.islands.front()].pivots = swept_.num_newton_steps();
  if (swept_.passed()) return;
  find_failed();
  left_.insert(left_.end(), lists_.failed.begin(), lists_.failed.end());
}

void ContactSolver::solve(const ContactProblem& problem, ContactAnswer* answer) {
  islands_.update(*model_, problem.contacts, workers_);
  check_deadline(problem);
  answer->impulses.resize(problem.contacts.size());
  answer->remainders.assign(problem.contacts.size(), contact::ContactVector::Zero());
  answer->swept = 0;
  sort_islands(problem);
  sweep_islands(problem, answer);
  if (const std::size_t first = slots_.size(); first < left_.size()) {
    slots_.resize(left_.size());
    for (std::size_t k = first; k < slots_.size(); ++k) slots_[k].cone_solver = fresh_cone_solver_;
  }
  if (!left_.empty()) {
    v_guess_ = problem.v;
    v_found_ = problem.v;
    v_refined_ = problem.v;
  }
  const bool is_timed = workers_->deadline().time() != Deadline::Clock::time_point::max();
  workers_->run(static_cast<int>(left_.size()), [&](int i, int worker) {
    const auto begin = is_timed ? Deadline::Clock::now() : Deadline::Clock::time_point{};
    solve_left(problem, i, &solvers_[worker], answer);
    slots_[i].time = is_timed ? Deadline::Clock::now() - begin : Deadline::Clock::duration{};
  });
  if (is_timed) note_slow_islands(problem);
  check_deadline(problem);
  gather(problem, answer);
}

void ContactSolver::check_deadline(const ContactProblem& problem) const {
  const Deadline& deadline = workers_->deadline();
  if (deadline.is_stopped()) throw StepStopped();
  if (!deadline.is_late()) return;
  const bool is_known = slow_.step == deadline.time() && !slow_.text.empty();
  throw LimitError(is_known ? slow_.text : contact::describe_largest(*model_, problem.contacts));
}

// The text is made only for slow solves, because it allocates memory.
void ContactSolver::note_slow_islands(const ContactProblem& problem) {
  constexpr std::chrono::milliseconds kLong(10);
  const Deadline::Clock::time_point step = workers_->deadline().time();
  if (slow_.step != step) slow_ = {.step = step, .time = kLong, .text = ""};
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(left_.size());
  const auto slowest = std::max_element(slots_.begin(), end, [](const Slot& a, const Slot& b) {
    return a.time < b.time;
  });
  if (slowest == end || slowest->time <= slow_.time) return;
  const int island = left_[static_cast<std::size_t>(slowest - slots_.begin())];
  slow_.time = slowest->time;
  slow_.text = contact::describe_island(*model_, problem.contacts, islands_.contacts(island));
}

// Adds up the results in the order of the islands, independently of the threads that solved them.
void ContactSolver::gather(const ContactProblem& problem, ContactAnswer* answer) const {
  answer->status = SolveStatus::kSolved;
  answer->failed_contact = -1;
  answer->mended = 0;
  answer->residual = 0.0;
  answer->is_least = true;
  answer->largest = 0;
  answer->pivots = 0;
  answer->solves = islands_.size();
  for (int i = 0; i < islands_.size(); ++i) {
    const Outcome& outcome = outcomes_[i];
    answer->largest = std::max(answer->largest, outcome.rows);
    answer->pivots += outcome.pivots;
    answer->residual = std::max(answer->residual, outcome.residual);
    answer->mended += outcome.is_mended ? 1 : 0;
    answer->is_least = answer->is_least && outcome.is_least;
    if (outcome.status != SolveStatus::kSolved && answer->status == SolveStatus::kSolved) {
      answer->status = outcome.status;
      answer->failed_contact = islands_.contacts(i).front();
    }
  }
  answer->v = problem.v;
  problem.J.add_velocity_changes(answer->impulses, answer->v);
  // problem.v already contains the given impulses: remove them once.
  for (int c = 0; c < problem.size(); ++c) {
    if (problem.given[c] == 0.0) continue;
    const contact::ContactVector given(-problem.given[c], 0.0, 0.0, 0.0);
    problem.J.add_velocity_change(c, given, answer->v);
  }
  for (int c = 0; c < problem.size(); ++c) {
    if (answer->remainders[c].isZero(0.0)) continue;
    problem.J.add_velocity_change(c, answer->remainders[c], answer->v);
  }
}

}  // namespace tenpin::methods::time_stepping
