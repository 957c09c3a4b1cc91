#include "methods/analytic/collision.h"

#include <algorithm>
#include <cmath>

#include "contact/energy_law.h"
#include "impact/certify.h"
#include "impact/multiple.h"
#include "impact/planar.h"
#include "impact/spatial.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using complementarity::SolveStatus;
using contact::ContactBlock;
using scene::AnalyticOptions;

namespace {

Mat3 calc_block(const Motion& motion, int i, int j) {
  ContactBlock W = ContactBlock::Zero();
  motion.jacobian().add_delassus(i, j, &W);
  return W.topLeftCorner<3, 3>();
}

double calc_largest(const std::vector<Vec3>& velocities) {
  double speed = 0.0;
  for (const Vec3& u : velocities) speed = std::max(speed, u.norm());
  return speed;
}

}  // namespace

CollisionSolver::CollisionSolver(const dynamics::Model& model, const AnalyticOptions& options)
    : model_(&model), options_(options) {}

// Newton's law with friction can gain energy, so it is not the default where friction acts.
AnalyticOptions::Law CollisionSolver::choose_law(const Touch& touch) const {
  if (options_.law) return *options_.law;
  const bool both = touch.mu > 0.0 && touch.contact.restitution > 0.0;
  return both ? AnalyticOptions::Law::kEnergetic : AnalyticOptions::Law::kNewton;
}

impact::Surface CollisionSolver::make_surface(const Touch& touch) const {
  constexpr std::array kLaws = {impact::Law::kNewton, impact::Law::kPoisson,
                                impact::Law::kEnergetic};
  return {.mu = touch.mu,
          .mu_static = touch.mu,
          .restitution = touch.contact.restitution,
          .law = kLaws[static_cast<std::size_t>(choose_law(touch))]};
}

void CollisionSolver::add_impulse(const Motion& motion, int k, const Vec3& impulse) {
  impulses_[island_[k]] += impulse;
  for (std::size_t j = 0; j < island_.size(); ++j) {
    velocities_[j] += calc_block(motion, island_[j], island_[k]) * impulse;
  }
}

// Splits the work along a straight path, where only the sum is exact. Friction never does positive
// work: the positive part is booked as work of the normal impulse.
void CollisionSolver::add_work(int k, const Vec3& impulse, const Vec3& before, const Vec3& after) {
  const Vec3 mean = 0.5 * (before + after);
  const double friction = impulse.tail<2>().dot(mean.tail<2>());
  const double misplaced = contact::calc_misplaced_friction_work(friction);
  works_[island_[k]] += Vec2(impulse[0] * mean[0] + misplaced, friction - misplaced);
}

// Adds the impulses of all contacts of the island at once, with their work.
void CollisionSolver::add_impulses(const Motion& motion, const std::vector<Vec3>& impulses) {
  before_ = velocities_;
  change_.setZero(model_->nv);
  for (std::size_t k = 0; k < island_.size(); ++k) {
    const Vec3& p = impulses[k];
    impulses_[island_[k]] += p;
    motion.jacobian().add_velocity_change(island_[k], {p[0], p[1], p[2], 0.0}, change_);
  }
  for (std::size_t k = 0; k < island_.size(); ++k) {
    velocities_[k] += motion.jacobian().velocity_of_bodies(island_[k], change_).head<3>();
    add_work(static_cast<int>(k), impulses[k], before_[k], velocities_[k]);
  }
}

bool CollisionSolver::solve_smooth(const Motion& motion, const std::vector<Touch>& touches,
                                   CollisionReport* report) {
  const bool at_once = options_.collisions == AnalyticOptions::Collisions::kSimultaneous;
  const auto n = static_cast<Eigen::Index>(island_.size());
  if (at_once && n > FrictionLcp::kLarge) return solve_smooth_by_cone(motion, touches, report);
  impact::Collision collision{.W = MatX(n, n), .v = VecX(n), .restitution = VecX(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    collision.v[i] = velocities_[i][0];
    collision.restitution[i] = touches[island_[i]].contact.restitution;
    for (Eigen::Index j = 0; j < n; ++j) {
      collision.W(i, j) = calc_block(motion, island_[i], island_[j])(0, 0);
    }
  }
  const impact::CollisionSolution solution =
      at_once ? solve_simultaneous(collision) : solve_propagation(collision);
  report->status = solution.status;
  report->rounds += solution.num_rounds;
  ++report->solves;
  report->largest = std::max(report->largest, static_cast<int>(n));
  if (solution.status != SolveStatus::kSolved) return false;
  const impact::ImpactCertificate certificate = at_once ? certify_simultaneous(collision, solution)
                                                        : certify_propagation(collision, solution);
  report->residual = std::max({report->residual, certificate.momentum, certificate.restitution});
  for (Eigen::Index i = 0; i < n; ++i) {
    impulses_[island_[i]][0] = solution.impulse[i];
    works_[island_[i]][0] = 0.5 * solution.impulse[i] * (collision.v[i] + solution.v_after[i]);
  }
  return true;
}

// A sparse version of impact::solve_simultaneous().
bool CollisionSolver::solve_smooth_by_cone(const Motion& motion, const std::vector<Touch>& touches,
                                           CollisionReport* report) {
  const double rest = 1e-12 * calc_largest(velocities_);
  const auto approaches = [&](const Vec3& u) {
    return u[0] < -rest;
  };
  given_.resize(island_.size());
  for (int round = 0; round < kMaxCollisionRounds; ++round) {
    if (std::none_of(velocities_.begin(), velocities_.end(), approaches)) return true;
    problem_.contacts.clear();
    places_.clear();
    for (std::size_t k = 0; k < island_.size(); ++k) {
      if (velocities_[k][0] > rest) continue;
      // v+ + eps v- = W j + (1 + eps) v-.   [B89, eq. (29)]
      const double e = touches[island_[k]].contact.restitution;
      problem_.contacts.push_back(
          {.index = island_[k], .free = (1.0 + e) * velocities_[k][0] * Vec3::UnitX()});
      places_.push_back(k);
    }
    if (!solve_by_cone(motion, {}, report)) return false;
    report->residual = std::max(report->residual, cone_.residual());
    std::fill(given_.begin(), given_.end(), Vec3(Vec3::Zero()));
    for (std::size_t c = 0; c < places_.size(); ++c) {
      given_[places_[c]][0] = cone_.force(static_cast<int>(c))[0];
    }
    add_impulses(motion, given_);
    ++report->rounds;
  }
  report->status = SolveStatus::kIterationLimit;
  return false;
}

// Resolves one contact as if it were the only one, by the chosen law. If Newton's law would gain
// energy because of friction, the energetic law, which cannot, is used instead.
bool CollisionSolver::solve_one(const Motion& motion, const Touch& touch, int k,
                                CollisionReport* report) {
  const Mat3 W = calc_block(motion, island_[k], island_[k]);
  const impact::Surface surface = make_surface(touch);
  return touch.contact.is_planar ? solve_planar_impact(motion, W, k, surface, report)
                                 : solve_spatial_impact(motion, W, k, surface, report);
}

bool CollisionSolver::solve_planar_impact(const Motion& motion, const Mat3& W, int k,
                                          const impact::Surface& surface, CollisionReport* report) {
  const Vec3& u = velocities_[k];
  const impact::PlanarContact planar{
      .W_tt = W(1, 1), .W_tn = W(1, 0), .W_nn = W(0, 0), .v_t = u[1], .v_n = u[0]};
  impact::Surface used = surface;
  impact::PlanarImpact impact = solve_planar(planar, used);
  impact::ImpactCertificate certificate = certify(planar, used, impact);
  ++report->solves;
  if (certificate.gain > kImpactGain) {
    used.law = impact::Law::kEnergetic;
    impact = solve_planar(planar, used);
    certificate = certify(planar, used, impact);
    ++report->guarded;
    ++report->solves;
  }
  report->residual = std::max({report->residual, certificate.momentum, certificate.friction,
                               certificate.restitution, certificate.gain});
  if (impact.status == impact::ImpactStatus::kUnbounded) return false;
  works_[island_[k]] += Vec2(impact.end().E_n, impact.end().E_f);
  add_impulse(motion, k, {impact.end().p_n, impact.end().p_t, 0.0});
  return true;
}

bool CollisionSolver::solve_spatial_impact(const Motion& motion, const Mat3& W, int k,
                                           const impact::Surface& surface,
                                           CollisionReport* report) {
  // The spatial laws put the normal last.
  const Eigen::PermutationMatrix<3> turn(Eigen::Vector3i(2, 0, 1));
  const impact::SpatialContact spatial{.W = turn * W * turn.transpose(),
                                       .v = turn * velocities_[k]};
  std::vector<impact::SpatialPoint> trace;
  impact::Surface used = surface;
  impact::SpatialImpact impact = solve_spatial(spatial, used, &trace);
  impact::ImpactCertificate certificate = certify(spatial, used, impact, trace);
  ++report->solves;
  if (certificate.gain > kImpactGain) {
    used.law = impact::Law::kEnergetic;
    trace.clear();
    impact = solve_spatial(spatial, used, &trace);
    certificate = certify(spatial, used, impact, trace);
    ++report->guarded;
    ++report->solves;
  }
  report->residual = std::max({report->residual, certificate.momentum, certificate.friction,
                               certificate.restitution, certificate.gain});
  if (impact.status == impact::ImpactStatus::kUnbounded) return false;
  works_[island_[k]] += Vec2(impact.end.E_n, impact.end.E_f);
  add_impulse(motion, k, turn.transpose() * impact.end.p);
  return true;
}

// Resolves one impact at a time, at the contact that approaches fastest.
bool CollisionSolver::propagate(const Motion& motion, const std::vector<Touch>& touches,
                                CollisionReport* report) {
  constexpr int kMaxImpulses = 100'000;
  const double rest = 1e-12 * calc_largest(velocities_);
  for (int round = 0; round < kMaxImpulses; ++round) {
    int fastest = -1;
    for (int k = 0; k < static_cast<int>(island_.size()); ++k) {
      const double least = fastest < 0 ? -rest : velocities_[fastest][0];
      if (velocities_[k][0] < least) fastest = k;
    }
    if (fastest < 0) return true;
    ++report->rounds;
    if (!solve_one(motion, touches[island_[fastest]], fastest, report)) return false;
  }
  report->status = SolveStatus::kIterationLimit;
  return false;
}

// Solves for impulses after which every contact has at least the required normal velocity, starting
// from the current velocities.
bool CollisionSolver::solve_phase(const Motion& motion, const std::vector<Touch>& touches,
                                  const VecX& required, const std::vector<Vec3>& before,
                                  CollisionReport* report) {
  given_.resize(island_.size());
  problem_.contacts.clear();
  for (std::size_t k = 0; k < island_.size(); ++k) {
    const Touch& touch = touches[island_[k]];
    Vec3 free = before[k];
    free[0] -= required[static_cast<Eigen::Index>(k)];
    problem_.contacts.push_back(
        {.index = island_[k], .mu = touch.mu, .decides = touch.mu > 0.0, .free = free});
  }
  const bool is_large = problem_.is_large(motion.contacts());
  const bool found =
      solve_by_cone(motion, {}, report) || (!is_large && solve_by_directions(motion, report));
  if (!found) return false;
  report->residual = std::max(report->residual, cone_.residual());
  for (std::size_t k = 0; k < island_.size(); ++k) given_[k] = cone_.force(static_cast<int>(k));
  add_impulses(motion, given_);
  return true;
}

bool CollisionSolver::solve_by_cone(const Motion& motion, const std::vector<Vec3>& guess,
                                    CollisionReport* report) {
  const bool found = cone_.solve(problem_.contacts, motion.jacobian(), guess);
  report->status = found ? SolveStatus::kSolved : SolveStatus::kResidual;
  report->largest = std::max(report->largest, 3 * static_cast<int>(island_.size()));
  ++report->solves;
  report->pivots += cone_.systems();
  return found;
}

// Solves again, starting from the solution with a few friction directions, which Lemke's algorithm
// always finds.
bool CollisionSolver::solve_by_directions(const Motion& motion, CollisionReport* report) {
  problem_.assemble(motion.jacobian(), motion.contacts());
  lemke_.solve(problem_.lcp(), &solution_);
  ++report->solves;
  report->pivots += solution_.pivots;
  if (solution_.status != SolveStatus::kSolved) return false;
  for (std::size_t k = 0; k < island_.size(); ++k) {
    const int contact = static_cast<int>(k);
    const Vec2 friction = problem_.friction(solution_.z, contact);
    given_[k] = {problem_.normal(solution_.z, contact), friction.x(), friction.y()};
  }
  return solve_by_cone(motion, given_, report);
}

bool CollisionSolver::solve_rough(const Motion& motion, const std::vector<Touch>& touches,
                                  CollisionReport* report) {
  if (island_.size() == 1) return solve_one(motion, touches[island_[0]], 0, report);
  if (options_.collisions == AnalyticOptions::Collisions::kPropagation) {
    return propagate(motion, touches, report);
  }
  const std::vector<Vec3> before = velocities_;
  if (!solve_at_once(motion, touches, true, report)) return false;
  // With friction, either law may gain energy in an island; without restitution no energy is
  // gained.
  double work = 0.0;
  double scale = 0.0;
  for (const int i : island_) {
    work += works_[i].sum();
    scale += works_[i].cwiseAbs().sum();
  }
  if (work <= kImpactGain * scale) return true;
  velocities_ = before;
  for (const int i : island_) {
    impulses_[i].setZero();
    works_[i].setZero();
  }
  ++report->guarded;
  return solve_at_once(motion, touches, false, report);
}

// Resolves all contacts of the island at the same time, with or without restitution.
bool CollisionSolver::solve_at_once(const Motion& motion, const std::vector<Touch>& touches,
                                    bool bounces, CollisionReport* report) {
  const auto n = static_cast<Eigen::Index>(island_.size());
  const std::vector<Vec3> before = velocities_;
  VecX required = VecX::Zero(n);
  const bool by_newton = std::all_of(island_.begin(), island_.end(), [&](int i) {
    return choose_law(touches[i]) == AnalyticOptions::Law::kNewton;
  });
  if (by_newton) {
    for (Eigen::Index k = 0; k < n; ++k) {
      const double e = bounces ? touches[island_[k]].contact.restitution : 0.0;
      required[k] = std::max(0.0, -e * before[k][0]);
    }
    return solve_phase(motion, touches, required, before, report);
  }
  if (!solve_phase(motion, touches, required, before, report)) return false;
  if (!bounces) return true;
  // Decompression returns e times each normal impulse, and more only where bodies still approach.
  for (std::size_t k = 0; k < island_.size(); ++k) {
    given_[k] = touches[island_[k]].contact.restitution * impulses_[island_[k]][0] * Vec3::UnitX();
  }
  add_impulses(motion, given_);
  const std::vector<Vec3> middle = velocities_;
  return solve_phase(motion, touches, required, middle, report);
}

bool CollisionSolver::solve_island(const Motion& motion, const std::vector<Touch>& touches,
                                   CollisionReport* report) {
  const bool is_smooth = std::all_of(island_.begin(), island_.end(), [&](int i) {
    return touches[i].mu == 0.0;
  });
  const bool good =
      is_smooth ? solve_smooth(motion, touches, report) : solve_rough(motion, touches, report);
  if (good) return true;
  if (report->status == SolveStatus::kSolved) report->status = SolveStatus::kRayTermination;
  report->failed_touch = island_.front();
  return false;
}

void CollisionSolver::solve(const Motion& motion, const std::vector<Touch>& touches,
                            const std::vector<Closed>& closed, CollisionReport* report) {
  *report = {};
  impulses_.assign(touches.size(), Vec3::Zero());
  works_.assign(touches.size(), Vec2::Zero());
  contacts_.clear();
  for (const Closed& c : closed) contacts_.push_back(touches[c.touch].contact);
  islands_.update(*model_, contacts_);
  for (int group = 0; group < islands_.size(); ++group) {
    island_.clear();
    velocities_.clear();
    bool collides = false;
    for (const int k : islands_.contacts(group)) {
      const int i = closed[k].touch;
      island_.push_back(i);
      velocities_.push_back(motion.velocity(i));
      Vec3& u = velocities_.back();
      if (closed[k].push > 0.0) u[0] = -closed[k].push * u.norm();
      collides = collides || closed[k].push > 0.0 || u[0] < -options_.event_tolerance;
    }
    if (collides && !solve_island(motion, touches, report)) return;
  }
}

}  // namespace tenpin::methods::analytic
