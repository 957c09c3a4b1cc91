// The velocities after the impulses of a step: linearise, choose the active contacts, solve, look
// again.   [ST00, §3, §4]
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "contact/joint_contacts.h"
#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

using complementarity::SolveStatus;
using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;
using Formulation = scene::TimeSteppingOptions::Formulation;
using Restitution = scene::TimeSteppingOptions::Restitution;

namespace {

constexpr int kMaxActiveRounds = 20;      // re-solves with contacts that turned out violated
constexpr double kMaxCancellation = 1e5;  // of velocities, that residuals may be measured by

}  // namespace

// Mechanisms go straight on along their coordinates: their velocity terms are of the order of what
// linearising neglects anyway.
void Stepper::displace_articulated(const VecX& v_lin) {
  scratch_ = h_ * v_lin;
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    if (mechanism.is_loose) continue;
    for (const int i : mechanism.bodies) {
      const dynamics::Joint& joint = model_->bodies[i].joint;
      if (num_velocities(joint.type) > 0) displace(joint, q0_, scratch_, q_hat_);
    }
  }
}

// q_hat = q^l + h v_lin, and every contact there or nearly.   [ST00, §3.1]
void Stepper::predict(const VecX& v_lin) {
  const bool exact = options_.formulation == Formulation::kNonlinear;
  (void)flight_.drift({.q = q0_, .v = v_lin, .t = t0_}, h_, exact ? nobody_ : articulated_, &q_hat_,
                      &scratch_);
  if (!exact) displace_articulated(v_lin);
  sleepers_.hold_coordinates(q0_, q_hat_);
  update_poses(*model_, q_hat_, t_end_, &X_hat_, workers_);
  update_twists(*model_, X_hat_, zero_, t_end_, &V_drive_, workers_);
  find_contacts(X_hat_, q_hat_, &candidates_);
}

// Smooth contact forces belong to k: -c u_t at each point that touched in the step before, taken
// where it will be after h seconds of it alone.   [ST00, §2]
void Stepper::add_viscous_contacts() {
  const auto is_viscous = [this](const Contact& c) {
    return c.viscous > 0.0 && active_.contains(c.key);
  };
  if (!has_viscous_ || std::none_of(candidates_.begin(), candidates_.end(), is_viscous)) return;
  problem_.J.update(*model_, candidates_, X_hat_, V_drive_, M_, contact::FrictionPoint::kSurface);
  for (int i = 0; i < static_cast<int>(candidates_.size()); ++i) {
    if (!is_viscous(candidates_[i])) continue;
    const contact::ContactBlock& W = problem_.J.own_delassus(i);
    const double hc = h_ * candidates_[i].viscous;
    ContactVector p = problem_.J.velocity(i, v0_);
    p *= -hc / (1.0 + hc * 0.5 * (W(1, 1) + W(2, 2)));
    p[kNormalRow] = 0.0;
    p[contact::kSpinRow] = 0.0;
    problem_.J.add_impulse(i, p, applied_);
  }
}

void Stepper::append_active(const Contact& contact) {
  problem_.contacts.push_back(contact);
  in_problem_.insert(contact.key);
}

// N s   What one that was in the contact's place took in the step before.
Vec3 Stepper::inherit_impulse(const Contact& c) {
  constexpr double kNear = 0.02;  // of the smaller body
  double size = std::numeric_limits<double>::infinity();
  for (const int body : {c.body_a, c.body_b}) {
    if (model_->bodies[body].is_mobile()) size = std::min(size, radius_[body]);
  }
  return active_.inherit(
      {.key = c.key, .point = X_hat_[c.body_a].inverse() * c.p_a, .near = kNear * size},
      in_problem_);
}

// Sweeps over contacts that stay open cost less than another round for those that close.
bool Stepper::takes_all() const {
  return options_.active_set == Options::ActiveSet::kAll || options_.is_compliant();
}

// The cone takes what touches at once: in the first step nobody remembers it.
bool Stepper::takes_part(const Contact& c) const {
  return takes_all() || c.gap < (by_cone_ ? kTouching : 0.0) || active_.contains(c.key);
}

// All of them.
void Stepper::take_candidates() {
  const int size = static_cast<int>(candidates_.size());
  problem_.contacts.resize(candidates_.size());
  workers_->split(size, [this](int begin, int end) {
    std::copy(candidates_.begin() + begin, candidates_.begin() + end,
              problem_.contacts.begin() + begin);
  });
  in_problem_.assign(candidates_, *workers_);
}

// The contacts that take part, with their Jacobians at q_hat.   [ST00, §4]
void Stepper::collect_active(const VecX& v_lin) {
  rouse(v_lin);
  if (takes_all()) {
    take_candidates();
  } else {
    problem_.contacts.clear();
    in_problem_.clear();
    for (const Contact& c : candidates_) {
      if (!takes_part(c)) continue;
      active_.insert(c.key);  // and stays so while the fixed point goes on
      append_active(c);
    }
  }
  const int num_regular = problem_.size();
  for (const Contact& c : extra_) append_active(c);
  append_joint_friction(*model_, &problem_.contacts);
  fill_problem(v_lin, num_regular);
}

// What the law needs to know of the contacts: the first few were found at q_hat, then those of
// extra_, then dry joints.
void Stepper::fill_problem(const VecX& v_lin, int num_regular) {
  const int num_gaps = num_regular + static_cast<int>(extra_.size());
  num_regular_ = num_regular;
  const auto point = options_.lever == Options::Lever::kPrinted ? contact::FrictionPoint::kCore
                                                                : contact::FrictionPoint::kSurface;
  problem_.J.update(*model_, problem_.contacts, X_hat_, V_drive_, M_, point);
  problem_.M = &M_;
  problem_.v = v_free_;
  problem_.required.resize(problem_.contacts.size());
  problem_.mu.resize(problem_.contacts.size());
  problem_.given.assign(problem_.contacts.size(), 0.0);
  problem_.guess.resize(problem_.contacts.size());
  problem_.memory.resize(problem_.contacts.size());
  problem_.softness.resize(problem_.contacts.size());
  active_.restore_heirlooms();
  u0_.resize(problem_.contacts.size());
  speeds_.resize(problem_.contacts.size());
  is_known_.resize(problem_.contacts.size());
  workers_->split(problem_.size(), [&](int begin, int end) {
    ActiveSet::Cursor cursor;
    for (int i = begin; i < end; ++i) {
      is_known_[i] = active_.recall(problem_.contacts[i].key, &cursor, &problem_.guess[i]) ? 1 : 0;
      u0_[i] = problem_.J.velocity(i, v0_);
      problem_.mu[i] = calc_friction(i);
      problem_.softness[i] = calc_softness(i);
      speeds_[i] = problem_.J.velocity(i, v_free_).head<3>().norm();
      if (i >= num_gaps) continue;
      problem_.required[i] =
          i < num_regular ? calc_required(i, v_lin) : extra_required_[i - num_regular];
      speeds_[i] = std::max(speeds_[i], std::fabs(problem_.required[i]));
    }
  });
  for (int i = 0; i < problem_.size(); ++i) {
    if (is_known_[i] == 0) problem_.guess[i] = inherit_impulse(problem_.contacts[i]);
  }
  workers_->split(problem_.size(), [this](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      problem_.memory[i] = {0.0, problem_.guess[i].y(), problem_.guess[i].z()};
    }
  });
  speed_ = find_largest(workers_, problem_.size(), body_speed_, [this](int i) {
    return speeds_[i];
  });
  speed_ = std::max(speed_, calc_least_speed(h_));
  problem_.speed = speed_;
  // Dry friction in a joint: its normal row is empty and kept out of the way, its load is given.
  for (int i = num_gaps; i < problem_.size(); ++i) {
    problem_.required[i] = -speed_;
    problem_.given[i] = calc_joint_friction(*model_, problem_.contacts[i], h_);
  }
}

// Whether free flight closes the contact in this step, faster than rest does.
bool Stepper::is_impact(int contact, const VecX& v_lin) const {
  const Contact& c = problem_.contacts[contact];
  const double speed = u0_[contact][kNormalRow];
  const double ahead = speed - problem_.J.normal_velocity(contact, v_lin);
  return speed < -model_->gravity.norm() * h_ && c.gap + h_ * ahead <= 0.0;
}

// m/s   gap(q_hat) + h n'(v - v_lin) >= 0, or n'v >= 0.   [ST00, eq. (15), §3.3]
// An overlap is undone within a whole step, also by its shorter parts: its depth over the length of
// a part would throw the bodies apart.
double Stepper::calc_required_without_bounce(int contact, const VecX& v_lin) const {
  if (options_.formulation == Formulation::kVelocity) return 0.0;
  const double ahead = problem_.J.normal_velocity(contact, v_lin);
  const double gap = problem_.contacts[contact].gap;
  if (h_ >= options_.step) return ahead - gap / h_;
  const double at_start = std::min(gap - h_ * ahead, 0.0);
  return ahead - (gap - (1.0 - h_ / options_.step) * at_start) / h_;
}

// The least normal velocity that the law demands.
double Stepper::calc_required(int contact, const VecX& v_lin) const {
  const Contact& c = problem_.contacts[contact];
  const double required = calc_required_without_bounce(contact, v_lin);
  if (*options_.restitution == Restitution::kNone || c.restitution == 0.0) return required;
  if (!is_impact(contact, v_lin)) return required;
  if (*options_.restitution == Restitution::kPoisson) return std::max(required, 0.0);
  // Newton's hypothesis.   [ST00, §5]
  return std::max(required, -c.restitution * u0_[contact][kNormalRow]);
}

// Coulomb's coefficient, raised towards the static one at slow slip (a Stribeck curve without exp).
double Stepper::calc_friction(int contact) const {
  const Contact& c = problem_.contacts[contact];
  if (c.mu_static <= c.mu || c.stribeck_speed == 0.0) return c.mu;
  const double ratio2 =
      u0_[contact].segment<2>(1).squaredNorm() / (c.stribeck_speed * c.stribeck_speed);
  return c.mu + (c.mu_static - c.mu) / (1.0 + ratio2);
}

// One and the same along both tangents: the cone stays round. A spring of stiffness k gives way by
// p / (k h) in the step, which as a velocity is p / (k h^2).
Vec3 Stepper::calc_softness(int contact) const {
  if (options_.springs) {
    const double k = problem_.contacts[contact].stiffness;
    return k > 0.0 ? Vec3(Vec3::Constant(1.0 / (k * h_ * h_))) : Vec3(Vec3::Zero());
  }
  const bool is_dry_joint = problem_.contacts[contact].kind == contact::ContactKind::kJointFriction;
  if (options_.compliance == 0.0 || is_dry_joint) return Vec3::Zero();
  const contact::ContactBlock& W = problem_.J.own_delassus(contact);
  const bool is_planar = problem_.contacts[contact].is_planar;
  const double tangential = is_planar ? W(1, 1) : 0.5 * (W(1, 1) + W(2, 2));
  return options_.compliance * Vec3(W(0, 0), tangential, tangential);
}

void Stepper::solve_islands(StepReport* report) {
  solver_.solve(problem_, &answer_);
  report->pivots += answer_.pivots;
  report->solves += answer_.solves;
  report->swept += answer_.swept;
  report->problem_size = std::max(report->problem_size, answer_.largest);
}

// Position constraints of redundant contacts may have no common solution where n'v >= 0 has one.
// Asks for no more than that in the islands that ended on a ray; true if it is less than before.
// [ST00, §3.3]
bool Stepper::relax() {
  bool any = false;
  for (int island = 0; island < solver_.islands().size(); ++island) {
    const SolveStatus status = solver_.status(island);
    if (status == SolveStatus::kSolved) continue;
    if (!by_cone_ && status != SolveStatus::kRayTermination) continue;
    for (const int c : solver_.islands().contacts(island)) {
      any = any || problem_.required[c] > 0.0;
      problem_.required[c] = std::min(problem_.required[c], 0.0);
    }
  }
  return any;
}

// Solves problem_, adds its impulses to those of the step and checks the law on them.
bool Stepper::solve_problem(StepReport* report) {
  solve_islands(report);
  if (answer_.status != SolveStatus::kSolved && relax()) {
    solve_islands(report);
    report->message = "no solution at position level: overlaps were kept from growing, not undone";
  }
  if (answer_.status != SolveStatus::kSolved) {
    const SolveStatus first = answer_.status;
    solver_.mend(problem_, &answer_);
    if (answer_.mended > 0) {
      report->retries += answer_.mended;
      report->message = "solved again with a proximal term, because the solver said " +
                        std::string(to_string(first));
    }
  }
  report->solver = answer_.status;
  if (answer_.status == SolveStatus::kSolved) {
    report->certificate.residual = std::max(report->certificate.residual, answer_.residual);
    report->certificate.forces_least = answer_.is_least;
    check_answer();
    return true;
  }
  report->status = AdvanceStatus::kSolverFailed;
  const Contact& c = problem_.contacts[answer_.failed_contact];
  report->message = std::string("no solution for the contacts around ") +
                    model_->bodies[c.body_a].name + " and " + model_->bodies[c.body_b].name +
                    ", solver says " + std::string(to_string(answer_.status));
  return false;
}

// The law itself, on impulses and velocities alone; the worst of all solves of the step is kept.
// Residuals are measured by the velocities of the step and by those that its impulses make one by
// one: they cancel in the law, and their rounding does not.
void Stepper::check_answer() {
  const auto mobility = [this](int i) {
    const contact::ContactBlock& W = problem_.J.own_delassus(i);
    return W.topLeftCorner<3, 3>().trace() / 3.0;
  };
  const double largest = find_largest(workers_, problem_.size(), speed_, [&](int i) {
    return mobility(i) * answer_.impulses[i].head<3>().norm();
  });
  const double speed = std::min(largest, kMaxCancellation * speed_);
  workers_->split(problem_.size(), [this, speed](int begin, int end) {
    for (int i = begin; i < end; ++i) check_contact(i, speed);
  });
}

void Stepper::check_contact(int i, double speed) {
  const contact::ContactBlock& W = problem_.J.own_delassus(i);
  contact::LawSample sample = {.impulse = answer_.impulses[i],
                               .given = problem_.given[i],
                               .velocity = problem_.J.velocity(i, answer_.v),
                               .required = problem_.required[i],
                               .mu = problem_.mu[i],
                               .mobility = W.topLeftCorner<3, 3>().trace() / 3.0,
                               .speed = speed};
  u_kicked_[i] = sample.velocity;
  if (options_.is_compliant()) {
    const contact::LawCheck rigid = certify_law(problem_.contacts[i], cone_, sample);
    rigid_residuals_[i] = std::max(rigid_residuals_[i], rigid.residual);
    sample.velocity.head<3>() += problem_.calc_giving(i, sample.impulse.head<3>());
  }
  const contact::LawCheck check = certify_law(problem_.contacts[i], cone_, sample);
  impulses_[i] += answer_.impulses[i];
  checks_[i].residual = std::max(checks_[i].residual, check.residual);
  checks_[i].cone_violation = std::max(checks_[i].cone_violation, check.cone_violation);
  checks_[i].dissipation_gap = std::max(checks_[i].dissipation_gap, check.dissipation_gap);
}

void Stepper::clear_checks() {
  impulses_.resize(problem_.contacts.size());
  checks_.resize(problem_.contacts.size());
  rigid_residuals_.resize(problem_.contacts.size());
  u_kicked_.resize(problem_.contacts.size());
  workers_->split(problem_.size(), [this](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      impulses_[i].setZero();
      checks_[i] = {};
      rigid_residuals_[i] = 0.0;
    }
  });
}

// One pass. With friction neither law of restitution keeps every island from gaining energy: one
// that would is solved again without restitution, which cannot.
bool Stepper::solve_impulses(const VecX& v_lin, StepReport* report) {
  report->guarded = 0;
  if (!solve_phases(v_lin, report)) return false;
  report->guarded = make_gains_plastic(v_lin);
  if (report->guarded == 0) return true;
  restore_law(v_lin);
  return solve_phases(v_lin, report);
}

// The islands whose impacts gained energy; their contacts lose their restitution. The step's own
// error is no excuse: next to an impulse of impact it is large enough to hide a real gain.
int Stepper::make_gains_plastic(const VecX& v_lin) {
  if (options_.restitution == Restitution::kNone || options_.is_compliant()) return 0;
  const auto bounces = [&](int i) {
    return i < num_regular_ && problem_.contacts[i].restitution > 0.0 && is_impact(i, v_lin);
  };
  int count = 0;
  for (int k = 0; k < solver_.islands().size(); ++k) {
    const std::span<const int> island = solver_.islands().contacts(k);
    if (std::none_of(island.begin(), island.end(), bounces)) continue;
    works_.resize(problem_.contacts.size());
    for (const int i : island) works_[i] = make_work_sample(i, 0.0);
    if (calc_excess_work(works_, island, speed_, *options_.tolerance) == 0.0) continue;
    for (const int i : island) problem_.contacts[i].restitution = 0.0;
    ++count;
  }
  return count;
}

// The problem of the pass once more, as it was before its impulses.
void Stepper::restore_law(const VecX& v_lin) {
  problem_.v = v_free_;
  for (int i = 0; i < problem_.size(); ++i) {
    const Contact& c = problem_.contacts[i];
    const bool is_dry_joint = c.kind == contact::ContactKind::kJointFriction;
    problem_.given[i] = is_dry_joint ? calc_joint_friction(*model_, c, h_) : 0.0;
    if (i < num_regular_) problem_.required[i] = calc_required(i, v_lin);
  }
}

// Compression and, by Poisson's hypothesis, decompression, in which each impact gives back e times
// its compression impulse and may add to it.   [AP97], [ST00, §5]
bool Stepper::solve_phases(const VecX& v_lin, StepReport* report) {
  has_moved_ = false;
  clear_checks();
  report->certificate.residual = 0.0;  // only the last pass counts
  report->message.clear();
  if (!solve_problem(report)) return false;
  v_kicked_.swap(answer_.v);
  if (*options_.restitution != Restitution::kPoisson) return true;

  if (!give_back(v_lin)) return true;
  // Springs give way under the impulses of both phases.
  for (int i = 0; i < problem_.size(); ++i) {
    problem_.memory[i] -= impulses_[i].head<3>();
    problem_.guess[i].setZero();
  }
  compression_ = impulses_;
  const bool solved = solve_problem(report);
  for (int i = 0; i < problem_.size(); ++i) problem_.memory[i] += compression_[i].head<3>();
  v_kicked_.swap(answer_.v);
  return solved;
}

// The impulses that impacts give back, into problem_.given; false if there are none.
bool Stepper::give_back(const VecX& v_lin) {
  bool any = false;
  problem_.v = v_kicked_;
  for (int i = 0; i < problem_.size(); ++i) {
    if (problem_.contacts[i].kind == contact::ContactKind::kJointFriction) {
      problem_.given[i] = 0.0;  // spent in the compression
      continue;
    }
    const double e = problem_.contacts[i].restitution;
    const double compression = answer_.impulses[i][kNormalRow];
    if (e == 0.0 || compression <= 0.0 || !is_impact(i, v_lin)) continue;
    any = true;
    // The forces of the step compress, too, but store nothing that could come back.
    const double approach = u0_[i][kNormalRow];
    const double with_forces = problem_.J.normal_velocity(i, v_free_);
    const double share = with_forces < approach ? approach / with_forces : 1.0;
    problem_.given[i] = e * compression * share;
    problem_.J.add_velocity_change(i, {problem_.given[i], 0.0, 0.0, 0.0}, problem_.v);
  }
  return any;
}

// Whether the answer overlaps the contact although it took no part.
bool Stepper::is_left_out(const Contact& c, std::size_t* next) const {
  if (c.gap >= -kViolation || in_problem_.contains(c.key, next)) return false;
  // Compliant contacts overlap as they must; that other features meet now is for the next step.
  const bool gives_way = options_.springs ? c.stiffness > 0.0 : options_.compliance > 0.0;
  return !gives_way || !in_problem_.contains_pair(c.key);
}

void Stepper::find_left_out() {
  is_left_out_.resize(end_contacts_.size());
  workers_->split(static_cast<int>(end_contacts_.size()), [this](int begin, int end) {
    std::size_t next = 0;
    for (int i = begin; i < end; ++i)
      is_left_out_[i] = is_left_out(end_contacts_[i], &next) ? 1 : 0;
  });
}

// Contacts that were left out join the next round. Those that were out of sight at q_hat are
// linearised about the answer and carried back to q_hat.   [ST00, §4]
bool Stepper::add_violated() {
  move();
  find_left_out();
  bool any = false;
  for (std::size_t i = 0; i < end_contacts_.size(); ++i) {
    if (is_left_out_[i] == 0) continue;
    const Contact& c = end_contacts_[i];
    any = true;
    active_.insert(c.key);
    if (options_.formulation == Formulation::kNonlinear) continue;  // found again at the next q_hat
    if (contact::find_contact(candidates_, c.key) != nullptr) continue;
    Contact moved = c;
    moved.p_a = X_hat_[c.body_a] * (X_end_[c.body_a].inverse() * c.p_a);
    moved.p_b = X_hat_[c.body_b] * (X_end_[c.body_b].inverse() * c.p_b);
    extra_.push_back(moved);
    extra_jacobian_.update(*model_, std::span(&moved, 1), X_hat_, V_drive_, M_,
                           contact::FrictionPoint::kSurface);
    const double u = extra_jacobian_.normal_velocity(0, v_kicked_);
    const bool at_velocities = options_.formulation == Formulation::kVelocity;
    extra_required_.push_back(at_velocities ? 0.0 : u - c.gap / h_);
  }
  return any;
}

// [ST00, eq. (13)-(20)], with contacts added until none is violated. The velocity formulation
// starts with those that free flight with its forces would violate; contacts between bodies that
// fall together join in later rounds, when what is below them has been stopped. As it is printed,
// it ends with the first.   [ST00, §3.3]
bool Stepper::solve_linear(StepReport* report) {
  const bool at_velocities = options_.formulation == Formulation::kVelocity;
  report->iterations = 1;
  guess_ = at_velocities ? v_free_ : v0_;
  if (at_velocities) predict(guess_);
  for (int round = 0; round < kMaxActiveRounds; ++round) {
    collect_active(guess_);
    if (!solve_impulses(guess_, report)) return false;
    if (keeps_overlaps() || !add_violated()) return true;
  }
  return true;  // the certificate says by how much the contacts that are left out overlap
}

// The same about a better and better guess of q^{l+1}, until it is the answer.   [ST00, §3.4]
bool Stepper::solve_fixed_point(StepReport* report) {
  double last_change = 0.0;
  guess_ = v0_;
  for (int i = 0; i < options_.fixed_point_iterations; ++i) {
    if (i > 0) predict(guess_);
    collect_active(guess_);
    if (!solve_impulses(guess_, report)) return false;
    const double change = h_ * (v_kicked_ - guess_).lpNorm<Eigen::Infinity>();
    report->iterations = i + 1;
    report->contraction = last_change > 0.0 ? change / last_change : 0.0;
    last_change = change;
    if (change <= options_.fixed_point_tolerance && !add_violated()) return true;
    // A guess between the two ends a cycle of active sets; one that converges is left alone.
    constexpr double kStuck = 0.9;
    if (i + 1 == options_.fixed_point_iterations) break;
    guess_ = report->contraction > kStuck ? VecX(0.5 * (guess_ + v_kicked_)) : v_kicked_;
  }
  unsettled_ = last_change;
  return true;  // the certificate says whether that is too much
}

bool Stepper::solve_formulation(StepReport* report) {
  extra_.clear();
  extra_required_.clear();
  unsettled_ = 0.0;
  predict(v0_);
  add_viscous_contacts();
  calc_free_velocity();
  sleepers_.hold_velocities(v_free_);
  return options_.formulation == Formulation::kNonlinear ? solve_fixed_point(report)
                                                         : solve_linear(report);
}

// Contact may hold a servo back: one that would then push beyond its limit pushes with that, and
// the step is solved anew. Each round finds at least one more, so it ends.
bool Stepper::solve_contacts(StepReport* report) {
  for (;;) {
    if (!solve_formulation(report)) return false;
    if (!limit_motors(v_kicked_)) return true;
    take_forces();
  }
}

}  // namespace tenpin::methods::time_stepping
