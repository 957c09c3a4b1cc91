#include "methods/time_stepping/order1/reporter.h"

#include <algorithm>
#include <cmath>

#include "base/rounded.h"
#include "contact/begin_record.h"
#include "contact/painleve.h"
#include "dynamics/prescribed.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/open_impulses.h"
#include "methods/time_stepping/order1/law.h"

namespace tenpin::methods::time_stepping::order1 {

using contact::Contact;
using contact::ContactRecord;
using contact::ContactVector;
using contact::kNormalRow;
using contact::Ledger;

JournalEntry Reporter::make_entry(const StepView& step, int i) const {
  const KickedContact& kicked = step.kick.contacts[i];
  const ContactVector& p = kicked.impulse;
  const ContactVector mean = 0.5 * (kicked.before + kicked.after);
  JournalEntry entry;
  entry.contact = step.problem.contacts[i];
  entry.impulse = p;
  entry.before = kicked.before;
  entry.after = kicked.after;
  entry.check = kicked.check;
  entry.rigid_residual = kicked.rigid_residual;
  entry.mobility = step.problem.calc_mobility(i);
  entry.normal_mobility = step.problem.calc_normal_mobility(i);
  entry.speed = kicked.speed;
  entry.normal_work = p[kNormalRow] * mean[kNormalRow];
  // The work is computed with the mean velocity of a step whose law holds only at its end: positive
  // work belongs to the scheme's error.
  entry.friction_work = std::min(p.tail<3>().dot(mean.tail<3>()), 0.0);
  entry.drive_work = -p.dot(step.problem.J.drive(i));
  return entry;
}

namespace {

// Friction against rolling is a moment about an axis in the surface, and no force.
void tell_rolling(const JournalEntry& entry, ContactRecord* r) {
  const Contact& c = entry.contact;
  const Vec3 moment =
      c.rolling * (c.t1 * entry.impulse[contact::kT1Row] + c.t2 * entry.impulse[contact::kT2Row]);
  r->impulse.setZero();
  r->spin_impulse = moment.norm();
  if (r->spin_impulse > 0.0) r->normal = moment / r->spin_impulse;
  r->slip = (c.t1 * entry.after[contact::kT1Row] + c.t2 * entry.after[contact::kT2Row]) / c.rolling;
}

}  // namespace

ContactRecord Reporter::make_record(const StepView& step, const JournalEntry& entry, int i,
                                    std::size_t* next) const {
  const Contact& c = entry.contact;
  const ContactVector& p = entry.impulse;
  const bool has_no_normal = is_dry(c);
  ContactRecord r = begin_record(*setup_->model, step.prediction.X, c);
  const Contact* at_end = contact::find_contact(step.end.contacts, c.key, next);
  r.gap = at_end != nullptr
              ? at_end->gap
              : c.gap + step.start.h * (entry.after[kNormalRow] -
                                        step.problem.J.normal_velocity(i, step.prediction.v));
  r.impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
  r.normal_impulse = p[kNormalRow];
  r.spin_impulse = p[contact::kSpinRow];
  r.slip = c.t1 * entry.after[1] + c.t2 * entry.after[2];
  r.normal_velocity = entry.after[kNormalRow];
  const Vec3 giving = step.problem.calc_compliance_velocity(i, p.head<3>());
  const double slip = (entry.after.segment<2>(1) + giving.tail<2>()).norm();
  const double small = calc_small_speed(*setup_, entry.speed);
  r.mode = has_no_normal || p[kNormalRow] * entry.mobility > small
               ? classify_loaded(slip, p.tail<3>().norm() * entry.mobility, small)
               : contact::find_unloaded_mode(r.gap, r.normal_velocity,
                                             std::max(kTouching, small * step.start.h), small);
  r.residual = entry.check.residual;
  r.dissipation_gap = entry.check.dissipation_gap;
  r.normal_work = entry.normal_work;
  r.friction_work = entry.friction_work;
  if (!has_no_normal) return r;
  r.normal_impulse = 0.0;
  if (c.kind == contact::ContactKind::kRollingFriction) {
    tell_rolling(entry, &r);
    return r;
  }
  r.spin_impulse = p[contact::kT1Row];
  r.slip = r.normal * entry.after[contact::kT1Row];
  return r;
}

// Decides whether a finite force could have held the contact at the start of the step, given the
// forces of all other contacts in that step. A slip that the step itself could cause or end does
// not count.
void Reporter::add_verdict(const StepView& step, const std::vector<dynamics::Twist>& A_free, int i,
                           JournalEntry* entry) {
  const Contact& c = entry->contact;
  const ContactVector u_free = step.problem.J.velocity(i, step.forces.v_free);
  works_[i] = make_work_sample(step.start, step.prediction, c, step.kick.contacts[i],
                               (u_free - entry->before).head<3>().norm());
  if (c.kind != contact::ContactKind::kSurface) return;
  const std::vector<Pose>& X = step.prediction.X;
  const std::vector<dynamics::Twist>& V = step.start.motion.V;
  const double h = step.start.h;
  const contact::ContactBlock& W = step.problem.J.own_delassus(i);
  const contact::FreeAcceleration free = contact::calc_free_acceleration(
      c, {.X = X[c.body_a], .V = V[c.body_a], .A = A_free[c.body_a]},
      {.X = X[c.body_b], .V = V[c.body_b], .A = A_free[c.body_b]});
  works_[i].slack += h * free.size;
  const double others =
      entry->after[kNormalRow] - u_free[kNormalRow] - W.row(kNormalRow).dot(entry->impulse);  // m/s
  const double slow = h * std::max(free.size, setup_->gravity()) + kRoundoff * entry->speed;
  const double mu = c.limit != nullptr ? 0.0 : step.problem.mu[i];
  const contact::Painleve verdict =
      contact::calc_painleve(mu, W, entry->before, free.gap + others / h, slow);
  entry->painleve = verdict.A;
  entry->free_acceleration = verdict.b;
  entry->no_acceleration_solution = verdict.no_solution && entry->impulse[kNormalRow] > 0.0;
}

void Reporter::write_contacts(const StepView& step, const std::vector<dynamics::Twist>& A_free,
                              std::vector<JournalEntry>* entries,
                              std::vector<ContactRecord>* records) {
  const ContactProblem& problem = step.problem;
  entries->resize(problem.contacts.size());
  records->resize(problem.contacts.size());
  works_.resize(problem.contacts.size());
  forces_.resize(problem.contacts.size());
  if (problem.contacts.empty()) return;
  setup_->workers->split(problem.size(), [&](int begin, int end) {
    std::size_t next = 0;
    for (int i = begin; i < end; ++i) {
      JournalEntry& entry = (*entries)[i];
      ContactRecord& record = (*records)[i];
      entry = make_entry(step, i);
      add_verdict(step, A_free, i, &entry);
      record = make_record(step, entry, i, &next);
      record.painleve = entry.painleve;
      record.free_acceleration = entry.free_acceleration;
      record.no_acceleration_solution = entry.no_acceleration_solution;
      forces_[i] = make_force_state(*setup_, problem, i, entry.impulse, entry.after, entry.speed);
    }
  });
  const std::span<const char> is_unique = verdicts_.find_unique(*setup_, problem, forces_);
  mark_least(problem, setup_->cone, forces_, is_unique, &is_least_);
  for (int i = 0; i < problem.size(); ++i) {
    (*entries)[i].is_unique = (*records)[i].force_unique = is_unique[i] != 0;
    (*entries)[i].is_least = is_least_[i] != 0;
  }
}

// Contacts with stiffness or compliance return the energy that they store in a later step. Samples
// of one step do not show this, so these contacts are not judged.
void Reporter::mark_gains(const StepView& step, const contact::Islands& islands,
                          std::vector<JournalEntry>* entries,
                          std::vector<ContactRecord>* records) const {
  if (setup_->options.is_compliant()) return;
  for (int k = 0; k < islands.size(); ++k) {
    const std::span<const int> island = islands.contacts(k);
    const double speed = step.kick.contacts[island.front()].speed;
    const double excess = calc_excess_work(works_, island, speed, setup_->tolerance());
    if (excess == 0.0) continue;
    const int worst = *std::max_element(island.begin(), island.end(), [this](int i, int j) {
      return calc_contact_work(works_[i]) < calc_contact_work(works_[j]);
    });
    (*entries)[worst].excess_work = (*records)[worst].excess_work = excess;
  }
}

// J   Work done by closing loops that the velocities would open: impulse times the mean rate. Loops
// that were closed do no work.
double Reporter::calc_loop_work(const StepView& step) {
  double work = 0.0;
  if (!setup_->has_loops) return work;
  f_ = step.forces.gravity + step.forces.applied;
  for (int i = 0; i < step.problem.size(); ++i) {
    step.problem.J.add_impulse(i, step.kick.contacts[i].impulse, f_);
  }
  for (int m = 0; m < setup_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = setup_->model->mechanisms[m];
    if (mechanism.loops.empty() || step.end.flies[m]) continue;
    const dynamics::MechanismInverse& inverse = step.forces.M.inverse(m);
    inverse.loops().calc_rates(step.start.motion.V, step.start.v, &loop_rates_);
    work += inverse.calc_closing_work(f_.data() + mechanism.v_begin, loop_rates_);
  }
  return work;
}

// J   Work of outside forces, and of gravity and springs, on a mechanism in the kick. Forces that
// depend on velocities are evaluated after the kick. The kick gains gravity times the mean
// velocity; the drift of a loose body loses gravity times the new velocity.
Vec2 Reporter::calc_kick_work(const StepView& step, const dynamics::Mechanism& mechanism) const {
  const StepForces& forces = step.forces;
  Vec2 work = Vec2::Zero();
  for (int k = mechanism.v_begin; k < mechanism.v_begin + mechanism.nv; ++k) {
    const double mean = 0.5 * (step.start.v[k] + step.kick.v[k]);
    const double change = step.kick.v[k] - step.start.v[k];
    const double spring = forces.joint_spring[k] - forces.slope_spring[k] * change;
    const double all = forces.applied[k] - forces.slope[k] * change;
    work[0] += (all - spring) * mean;
    work[1] += (forces.gravity[k] + spring) * mean;
    if (mechanism.is_loose) work[1] -= forces.gravity[k] * step.kick.v[k];
  }
  return work;
}

// J   Work of prescribed motion in the kick of the mechanisms that are attached to it.
double Reporter::calc_prescribed_work(const StepView& step) {
  double work = 0.0;
  if (!setup_->is_driven) return work;
  const BodyMotion& start = step.start.motion;
  update_twists(*setup_->model, start.X, setup_->zero, step.start.t, &V_drive_, setup_->workers);
  for (const dynamics::Mechanism& m : setup_->model->mechanisms) {
    if (is_driven(*setup_->model, m)) {
      work += dynamics::calc_prescribed_work(*setup_->model, m, start.X, start.V, step.end.V_kicked,
                                             V_drive_);
    }
  }
  return work;
}

Ledger Reporter::calc_ledger(const StepView& step, std::span<const JournalEntry> entries) {
  const StepEnd& end = step.end;
  const Workers* workers = setup_->workers;
  const int num_entries = static_cast<int>(entries.size());
  Ledger ledger;
  ledger.work[Ledger::kConstraint] = calc_loop_work(step);
  const Vec2 kick = sum(workers, setup_->num_mechanisms(), Vec2(Vec2::Zero()), [&](int i) {
    return calc_kick_work(step, setup_->model->mechanisms[i]);
  });
  ledger.work[Ledger::kApplied] = kick[0] + end.flown.applied;
  ledger.work[Ledger::kScheme] = kick[1] - end.drift_potential;
  // The work of contacts is computed with relative velocities; prescribed motion does the rest. The
  // sum of both is exact.
  const Vec3 contact_work = sum(workers, num_entries, Vec3(Vec3::Zero()), [&](int i) {
    return Vec3(entries[i].normal_work, entries[i].friction_work, entries[i].drive_work);
  });
  const double exact = sum(workers, num_entries, 0.0, [&](int i) {
    return calc_contact_work(works_[i]);
  });
  const double flown_prescribed = end.flown.prescribed + end.drift_prescribed;
  ledger.work[Ledger::kNormal] = contact_work[0];
  ledger.work[Ledger::kFriction] = contact_work[1];
  ledger.work[Ledger::kScheme] += exact - contact_work[0] - contact_work[1];
  ledger.work[Ledger::kPrescribed] =
      contact_work[2] + flown_prescribed + calc_prescribed_work(step);
  const double kinetic =
      calc_kinetic_energy(*setup_->model, end.motion.X, end.motion.V, end.v, workers);
  ledger.work[Ledger::kFreeFlight] = kinetic - end.projection_kinetic - end.kinetic_kicked -
                                     end.flown.potential - end.flown.applied - flown_prescribed;
  ledger.work[Ledger::kProjection] = end.projection_work;
  close_ledger(kinetic, calc_potential_energy(*setup_->model, end.motion.X, end.q, workers),
               step.start.energy, &ledger);
  return ledger;
}

// J   Energy that the step added to a mechanism beyond the work of applied forces.
double Reporter::calc_gain(const StepView& step, const dynamics::Mechanism& mechanism) const {
  const dynamics::Model& model = *setup_->model;
  const BodyMotion& start = step.start.motion;
  const BodyMotion& end = step.end.motion;
  double gain = calc_kinetic_energy(model, mechanism, end.X, end.V, step.end.v) -
                calc_kinetic_energy(model, mechanism, start.X, start.V, step.start.v) +
                calc_spring_energy(model, mechanism, step.end.q, step.end.v) -
                calc_spring_energy(model, mechanism, step.start.q, step.start.v);
  for (const int i : mechanism.bodies) {
    gain -= model.bodies[i].mass * model.gravity.dot(end.X[i].p - start.X[i].p);
  }
  return gain - calc_kick_work(step, mechanism)[0];
}

// J   Energy that the bodies of one island gained beyond what the scheme's own error may add.
// Mechanisms attached to a prescribed motion take energy from it, and are not judged.
double Reporter::calc_island_gain(const StepView& step, std::span<const int> contacts, int island,
                                  OwnError own_error) {
  const dynamics::Model& model = *setup_->model;
  EnergyScale scale;
  double kinetic_end = 0.0;
  double gain = 0.0;
  members_.clear();
  for (const int i : contacts) {
    const Contact& c = step.problem.contacts[i];
    const ContactVector& impulse = step.kick.contacts[i].impulse;
    gain += impulse.dot(step.problem.J.drive(i));
    scale.rounding += setup_->tolerance() * impulse.head<3>().norm() * step.kick.contacts[i].speed;
    for (const int body : {c.body_a, c.body_b}) {
      const int m = model.bodies[body].mechanism;
      if (m < 0 || last_island_[m] == island) continue;
      last_island_[m] = island;
      members_.push_back(m);
      const dynamics::Mechanism& mechanism = model.mechanisms[m];
      if (setup_->is_driven && is_driven(model, mechanism)) return 0.0;
      gain += calc_gain(step, mechanism);
      scale.kinetic += calc_kinetic_energy(model, mechanism, step.start.motion.X,
                                           step.start.motion.V, step.start.v);
      kinetic_end +=
          calc_kinetic_energy(model, mechanism, step.end.motion.X, step.end.motion.V, step.end.v);
      scale.weight += setup_->calc_weight(mechanism);
    }
  }
  scale.kinetic = std::max(scale.kinetic, kinetic_end);
  if (own_error == OwnError::kAccepted) return budget_.calc_excess(members_, gain, scale);
  return gain - allow_gain(scale, std::min(step.start.h / setup_->options.step, 1.0), own_error);
}

// J   The largest gain of all islands, or 0. Compliant contacts store energy, and are not judged.
double Reporter::calc_scheme_gain(const StepView& step, const contact::Islands& islands,
                                  OwnError own_error) {
  double worst = 0.0;
  budget_.discard();
  if (own_error == OwnError::kShown || setup_->options.is_compliant()) return worst;
  last_island_.assign(setup_->model->mechanisms.size(), -1);
  for (int k = 0; k < islands.size(); ++k) {
    worst = std::max(worst, calc_island_gain(step, islands.contacts(k), k, own_error));
  }
  return worst;
}

// The first compliant contact that overlaps by more than half the size of the smaller body and
// still closes: the law of springs does not hold for such depths. -1 if there is none.
int Reporter::find_sunk(const StepView& step, std::span<const ContactRecord> records,
                        const contact::PassageCheck& sizes) const {
  constexpr double kDeep = 0.5;  // of the largest ball in the body
  for (int i = 0; setup_->options.is_compliant() && i < step.problem.size(); ++i) {
    if (step.problem.contacts[i].kind != contact::ContactKind::kSurface) continue;
    const bool closes = step.kick.contacts[i].after[kNormalRow] <
                        -setup_->tolerance() * step.kick.contacts[i].speed;
    const double size = sizes.calc_size(step.problem.contacts[i].key);
    if (closes && records[i].gap < -kDeep * size) return i;
  }
  return -1;
}

// Says which condition of the certificate is not met.
std::string Reporter::explain_residual(const StepView& step, const Contacts& contacts,
                                       double residual, int sunk) const {
  const auto name = [this](int body) -> const std::string& {
    return setup_->model->bodies[body].name;
  };
  if (sunk >= 0) {
    const ContactRecord& r = contacts.records[sunk];
    return "the compliant contact of " + name(r.body_a) + " and " + name(r.body_b) +
           " overlaps by " + to_rounded(-r.gap) + " m, more than half the size of the smaller one";
  }
  if (step.kick.unconverged > setup_->tolerance() * step.start.h * step.kick.speed) {
    return "the fixed point did not settle: last change of position " +
           to_rounded(step.kick.unconverged) + " m";
  }
  const Contact& overlooked = step.end.overlooked;
  const std::string place = overlooked.gap < -kViolation
                                ? " at a contact of " + name(overlooked.body_a) + " and " +
                                      name(overlooked.body_b) + " that took no part"
                                : tell_worst_place(*setup_->model, contacts.entries);
  return tell_residual(residual, place, setup_->tolerance());
}

void Reporter::certify(const StepView& step, const Contacts& contacts, OwnError own_error,
                       ContactSearch* search, StepReport* report) {
  const StepEnd& end = step.end;
  const double h = step.start.h;
  contact::Certificate& certificate = report->certificate;
  certificate += certify_gaps(*setup_, end.contacts);
  certificate += certify_entries(*setup_, contacts.entries);
  if (end.overlooked.gap < -kViolation) {
    const double speed = calc_speed(*setup_, step.start, end.overlooked);
    certificate.residual = std::max(certificate.residual, -end.overlooked.gap / (h * speed));
  }
  certificate.residual =
      std::max(certificate.residual, step.kick.unconverged / (h * step.kick.speed));
  const int sunk = find_sunk(step, contacts.records, search->passage_check);
  certificate.passed =
      certificate.passed && certificate.residual <= setup_->tolerance() && sunk < 0;
  const bool is_compliant = setup_->options.is_compliant() && !contacts.entries.empty();
  if (!is_compliant) certificate.rigid_residual = certificate.residual;
  report->existence = verdicts_.test_existence(*setup_, step.problem, contacts.islands);
  certificate.scheme_gain = calc_scheme_gain(step, contacts.islands, own_error);

  Findings findings;
  findings.too_fast = end.too_fast;
  findings.is_finite = end.q.allFinite() && end.v.allFinite();
  findings.passage = search->passage_check.find_worst(
      {.X_begin = step.start.motion.X, .X_end = end.motion.X, .V = end.V_kicked, .h = h});
  // Overlaps are expected where contacts are compliant, and where the scheme is used as printed.
  if (own_error != OwnError::kShown && !setup_->options.is_compliant()) {
    findings.overlap = search->overlap_check.find_worst(
        end.contacts, {.q = step.start.q, .t = step.start.t, .reach = step.start.reach});
  }
  flights_.restart(*setup_);
  flights_.touch(step.problem.contacts);
  flights_.touch(end.contacts);
  findings.flight =
      flights_.find_worst(*setup_, {.X_WB = step.start.motion.X, .V_WB = step.start.motion.V},
                          {.X_WB = end.motion.X, .V_WB = end.motion.V}, 1.0, [&](int body) {
                            return !contacts.asleep.empty() && contacts.asleep[body] != 0 ? 0.0 : h;
                          });
  if (!certificate.passed) {
    findings.residual_text = explain_residual(step, contacts, certificate.residual, sunk);
  }
  judge(*setup_, findings, contacts.entries, report);
}

}  // namespace tenpin::methods::time_stepping::order1
