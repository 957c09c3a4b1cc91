#include "methods/time_stepping/open_impulses.h"

#include <algorithm>

#include "contact/certify.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactVector;
using contact::Freedom;
using contact::kNormalRow;

namespace {

// -   of the island's velocities: contacts slower than this neither slip nor open. Solvers end at
// 1e-11 or, where that is expensive, at their residual. A larger value would make slow slides
// stick; a smaller one would take the solver's rounding for motion.
constexpr double kAtRest = 1e-9;
// -   the same under Lemke's algorithm: where contacts are redundant, its trace of compliance
// leaves slips of 4e-9 in bodies that rest.
constexpr double kAtRestByPivots = 1e-8;
constexpr double kPerResidual = 10.0;
constexpr int kMaxSystems = 30;

double calc_mobility(const ContactProblem& problem, int i) {
  return problem.J.own_delassus(i).topLeftCorner<3, 3>().trace() / 3.0;
}

// True if other impulses could give the same motion. Compliance determines the impulses of a
// contact, so compliant contacts are excluded.
bool is_open(const ContactProblem& problem, const contact::FrictionCone& cone, int i) {
  return problem.compliance[i].isZero(0.0) && finds_least(problem, cone, i);
}

// Does it give back a part of its compression? The given load of dry friction is no impulse.
bool gives_back(const ContactProblem& problem, int i) {
  return problem.given[i] != 0.0 && !is_dry(problem.contacts[i]);
}

struct Sample {
  ContactVector impulse;   // N s
  ContactVector velocity;  // m/s
  double mobility = 0.0;   // 1/kg
  double small = 0.0;      // m/s   velocities up to this count as rest
};

Freedom find_freedom(const ContactProblem& problem, const contact::FrictionCone& cone, int i,
                     const Sample& sample) {
  const Contact& c = problem.contacts[i];
  if (!is_open(problem, cone, i)) return Freedom::kNone;
  Vec3 slip = sample.velocity.tail<3>();
  if (c.is_planar) slip.y() = 0.0;
  slip.z() = c.is_planar ? 0.0 : c.torsion * slip.z();
  const bool moves = problem.mu[i] > 0.0 && slip.norm() > sample.small;
  if (c.kind == contact::ContactKind::kJointFriction)
    return moves ? Freedom::kNone : Freedom::kHeld;
  const double load = sample.impulse[kNormalRow];
  const bool is_loaded = load * sample.mobility > sample.small;
  const double slack = sample.velocity[kNormalRow] - problem.required[i];
  if (!is_loaded && (slack > sample.small || load < 0.0)) return Freedom::kNone;
  if (!moves || c.kind != contact::ContactKind::kSurface) return Freedom::kHeld;
  const double bound = problem.mu[i] * load;
  const bool is_inside = cone.calc_gauge(c, sample.impulse.tail<3>()) < (1.0 - kConeEdge) * bound;
  return is_loaded && is_inside ? Freedom::kHeld : Freedom::kSliding;
}

}  // namespace

double calc_law_residual(const ContactProblem& problem, const contact::FrictionCone& cone,
                         std::span<const int> island, double speed, const VecX& v,
                         const ContactAnswer& answer) {
  double worst = 0.0;
  for (const int i : island) {
    contact::LawSample sample = {.impulse = answer.impulses[i],
                                 .given = problem.given[i],
                                 .velocity = problem.J.velocity(i, v),
                                 .required = problem.required[i],
                                 .mu = problem.mu[i],
                                 .mobility = calc_mobility(problem, i),
                                 .speed = speed};
    sample.velocity.head<3>() += problem.calc_compliance_velocity(i, sample.impulse.head<3>());
    worst = std::max(worst, certify_law(problem.contacts[i], cone, sample).residual);
  }
  return worst;
}

bool finds_least(const Contact& contact, const contact::FrictionCone& cone, double mu) {
  if (contact.rolling > 0.0) return false;  // its load would change
  if (contact.kind == contact::ContactKind::kJointFriction) return true;
  const bool spins = contact.torsion > 0.0 && !contact.is_planar && mu > 0.0;
  return contact.limit == nullptr && !(spins && !cone.directions().empty());
}

bool finds_least(const ContactProblem& problem, const contact::FrictionCone& cone, int i) {
  return !gives_back(problem, i) && finds_least(problem.contacts[i], cone, problem.mu[i]);
}

void mark_least(const ContactProblem& problem, const contact::FrictionCone& cone,
                std::span<const contact::ForceState> forces, std::span<const char> is_unique,
                std::vector<char>* is_least) {
  is_least->assign(is_unique.size(), 1);
  bool any = false;  // true if any contact is in a second phase
  for (int i = 0; i < problem.size(); ++i) any = any || gives_back(problem, i);
  for (int i = 0; i < problem.size(); ++i) {
    const bool is_found = !any && forces[i].num_edges < 2 && finds_least(problem, cone, i);
    if (is_unique[i] == 0 && !is_found) (*is_least)[i] = 0;
  }
}

// m/s   The largest velocity that the impulses stop, or that a single impulse causes.
double OpenImpulses::calc_speed(const ContactProblem& problem, std::span<const int> island,
                                const ContactAnswer& answer) const {
  double speed = 0.0;
  for (const int i : island) {
    const ContactVector u = problem.J.velocity(i, problem.v);
    const double impulse = answer.impulses[i].head<3>().norm();
    speed = std::max({speed, u.head<3>().norm(), calc_mobility(problem, i) * impulse});
  }
  return speed;
}

bool OpenImpulses::make_least(const ContactProblem& problem, const contact::FrictionCone& cone,
                              std::span<const int> island, const Accuracy& accuracy, VecX* v,
                              ContactAnswer* answer) {
  using Outcome = contact::LeastImpulses::Outcome;
  if (island.empty()) return true;
  const double speed = calc_speed(problem, island, *answer);
  const double at_rest = cone.directions().empty() ? kAtRest : kAtRestByPivots;
  const double small = std::max(at_rest, kPerResidual * accuracy.residual) * speed;
  for (const int i : island) {  // problem.v contains the given impulses
    const ContactVector given(problem.given[i], 0.0, 0.0, 0.0);
    problem.J.add_velocity_change(i, answer->impulses[i] - given, *v);
  }
  freedom_.resize(island.size());
  slips_.resize(island.size());
  found_.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) {
    const int i = island[k];
    const ContactVector u = problem.J.velocity(i, *v);
    found_[k] = answer->impulses[i];
    slips_[k] = u.tail<3>();
    freedom_[k] = find_freedom(problem, cone, i,
                               {.impulse = answer->impulses[i],
                                .velocity = u,
                                .mobility = calc_mobility(problem, i),
                                .small = small});
  }
  const double scale = std::min(speed, kMaxCancellation * accuracy.speed);  // m/s
  const double before = calc_law_residual(problem, cone, island, scale, *v, *answer);
  const Outcome outcome = least_.solve({.J = problem.J,
                                        .contacts = problem.contacts,
                                        .cone = cone,
                                        .island = island,
                                        .freedom = freedom_,
                                        .slips = slips_,
                                        .mu = problem.mu,
                                        .loads = problem.given},
                                       kMaxSystems, answer->impulses);
  if (outcome != Outcome::kLeast) return outcome != Outcome::kNotFound;
  // Where masses differ by many orders of magnitude, the least impulses may be less accurate than
  // the solver's.
  for (std::size_t k = 0; k < island.size(); ++k) {
    problem.J.add_velocity_change(island[k], answer->impulses[island[k]] - found_[k], *v);
  }
  const double after = calc_law_residual(problem, cone, island, scale, *v, *answer);
  if (after <= std::max(before, 0.1 * accuracy.tolerance)) return true;
  for (std::size_t k = 0; k < island.size(); ++k) answer->impulses[island[k]] = found_[k];
  return false;
}

}  // namespace tenpin::methods::time_stepping
