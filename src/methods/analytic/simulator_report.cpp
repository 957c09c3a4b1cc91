// Reports a step: contacts, ledger, certificate.
#include <algorithm>
#include <cmath>

#include "base/rounded.h"
#include "base/text.h"
#include "contact/begin_record.h"
#include "contact/painleve.h"
#include "dynamics/prescribed.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using contact::Contact;
using contact::ContactRecord;
using contact::Ledger;
using contact::Mode;

namespace {

// Mode of a contact that carries a force. A contact without friction may slide all the same.
Mode to_mode(Grip grip, const Vec3& force, bool slips) {
  if (grip == Grip::kSlide || (grip == Grip::kPress && slips)) return Mode::kSliding;
  return force.tail<2>().norm() > 0.0 ? Mode::kSticking : Mode::kResting;
}

double sum_of(const Ledger& ledger) {
  double sum = 0.0;
  for (const double work : ledger.work) sum += work;
  return sum;
}

}  // namespace

std::string Simulator::name_of(int touch) const {
  const Contact& c = touches_[touch].contact;
  return model_->bodies[c.body_a].name + " and " + model_->bodies[c.body_b].name;
}

void Simulator::fail(StepReport* report, AdvanceStatus status, const std::string& message) const {
  report->status = status;
  report->message = message;
  report->certificate.passed = false;
}

double Simulator::calc_energy(double t, const VecX& q, const VecX& v) {
  update_poses(*model_, q, t, &X_);
  update_twists(*model_, X_, v, t, &V_);
  return calc_kinetic_energy(*model_, X_, V_, v) + calc_potential_energy(*model_, X_, q);
}

// Uses the last update of the motion, which is at the end of the step.
ContactRecord Simulator::make_record(int i) const {
  const Contact& c = touches_[i].contact;
  const Vec3 u = motion_.velocity(i);
  ContactRecord r = begin_record(*model_, motion_.poses(), c);
  if (is_dry_joint(touches_[i])) {
    r.slip = r.normal * u[1];
    return r;
  }
  r.slip = c.t1 * u[1] + c.t2 * u[2];
  r.normal_velocity = u[0];
  const contact::ContactBlock& W = motion_.jacobian().own_delassus(i);
  const Vec3& own = motion_.forces()[i];
  const double others =
      motion_.acceleration(i)[0] - motion_.free_acceleration(i)[0] - W.row(0).head<3>().dot(own);
  const contact::Painleve verdict = contact::calc_painleve(
      touches_[i].mu, W, contact::ContactVector(u[0], u[1], u[2], 0.0),
      motion_.free_acceleration(i)[0] + (is_collision_ ? 0.0 : others), scale_.slip);
  r.painleve = verdict.A;
  r.free_acceleration = verdict.b;
  return r;
}

Mode Simulator::find_mode_without_force(const ContactRecord& r) const {
  const double tolerance = options_.event_tolerance;  // m, and m/s counting a second
  return contact::find_unloaded_mode(r.gap, r.normal_velocity, tolerance, tolerance);
}

// Adds the impulse of the forces over the step, which is integrated in y_ from index `at` on.
void Simulator::enter_impulse(int i, int at, ContactRecord* r) const {
  const Vec3 impulse = y_.segment<3>(at);
  r->friction_work = y_[at + 3];
  if (is_dry_joint(touches_[i])) {
    r->spin_impulse = impulse.x();
    return;
  }
  if (touches_[i].contact.kind == contact::ContactKind::kJointLimit) {
    r->normal_impulse = impulse.x();
    return;
  }
  r->impulse = impulse;
  r->normal_impulse = r->normal.dot(impulse);
}

// J   Positive work of friction beyond rounding. In smooth motion friction only takes energy; its
// direction is known up to slips that count as zero. Uses the impulse that did the work.
double Simulator::calc_excess_friction_work(const ContactRecord& r) const {
  constexpr double kRounding = 1e-9;  // of impulse times speed
  const double allowed = r.impulse.norm() * (scale_.slip + kRounding * r.slip.norm());
  return r.friction_work <= allowed ? 0.0 : r.friction_work;
}

// Marks, by touch, which forces or impulses are not unique.
void Simulator::mark_unique_forces(std::span<const Vec3> forces, std::span<const char> slips) {
  constexpr double kHeld = 1e-9;  // of the scale of accelerations
  force_states_.assign(touches_.size(), {});
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    const Vec3& f = forces[i];
    const Vec3 u = motion_.velocity(i);
    const bool is_held = touch.is_touching && touch.grip == Grip::kIdle &&
                         std::fabs(motion_.acceleration(i)[0]) <= kHeld * scale_.acceleration;
    const bool carries_load = is_collision_ ? f[0] > 0.0 : is_found(touch);
    force_states_[i] = {.impulse = {f[0], f[1], f[2], 0.0},
                        .slip = {u[1], u[2], 0.0},
                        .mu = touch.mu,
                        .touches = carries_load || (!is_collision_ && is_held),
                        .slips = slips[i] != 0};
  }
  (void)uniqueness_test_.test(*model_, motion_.mass_matrix(), motion_.jacobian(),
                              motion_.contacts(), force_states_, &is_unique_);
}

void Simulator::write_records(contact::Certificate* certificate) {
  motion_.update(t1_, q1_, v1_);
  motion_.solve_forces();
  records_.clear();
  record_touches_.clear();
  slips_.clear();
  for (const Touch& touch : touches_) slips_.push_back(touch.grip == Grip::kSlide ? 1 : 0);
  mark_unique_forces(motion_.forces(), slips_);
  int at = model_->nq + model_->nv + Motion::kNumWorks;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    const bool has_force = carries(touch.grip);
    if (touch.is_touching || has_force) {
      ContactRecord r = make_record(i);
      if (has_force) enter_impulse(i, at, &r);
      // A contact that could carry a load but has none is only touching.
      const bool is_dry_joint = touch.contact.kind == contact::ContactKind::kJointFriction;
      const bool is_loaded = has_force && (is_dry_joint || r.normal_impulse > 0.0);
      r.mode = is_loaded ? to_mode(touch.grip, motion_.forces()[i], slips(motion_, i, scale_))
                         : find_mode_without_force(r);
      ForceCheck end;
      if (has_force && touch.grip != Grip::kGiven) {
        end = certify_forces(motion_, touches_, scale_, i, Moment::kEnd);
      }
      checks_[i].residual = std::max(checks_[i].residual, end.residual);
      checks_[i].cone_violation = std::max(checks_[i].cone_violation, end.cone_violation);
      r.residual = checks_[i].residual;
      r.force_unique = is_unique_[i] != 0;
      r.excess_work = calc_excess_friction_work(r);
      records_.push_back(r);
      record_touches_.push_back(i);
    }
    at += has_force ? 4 : 0;
  }
  shown_.make_least({.model = *model_,
                     .motion = motion_,
                     .touches = touches_,
                     .scale = scale_,
                     .duration = t1_ - t0_,
                     .tolerance = options_.residual,
                     .of = record_touches_},
                    &records_, certificate);
  add_rest_impulses();
}

// Comes last: these impulses obey no contact law and take no part in the choice among forces.
void Simulator::add_rest_impulses() {
  std::size_t last = 0;  // both lists have nearly the same order
  for (const RestImpulse& rest : rest_impulses_) {
    for (std::size_t k = 0; k < records_.size(); ++k) {
      const std::size_t at = (last + k) % records_.size();
      ContactRecord& r = records_[at];
      if (r.key != rest.key) continue;
      r.impulse += rest.impulse;
      r.normal_impulse += rest.normal;
      r.spin_impulse += rest.dry;
      last = at;
      break;
    }
  }
}

// Verdicts are those of the previous instant.
void Simulator::write_collision_records() {
  motion_.update(t0_, q0_, v0_);
  std::vector<contact::Painleve> verdicts;
  for (const Closed& closed : closed_) {
    const int i = closed.touch;
    const Vec3& u = v_before_[i];
    verdicts.push_back(contact::calc_painleve(touches_[i].mu, motion_.jacobian().own_delassus(i),
                                              contact::ContactVector(u[0], u[1], u[2], 0.0),
                                              motion_.free_acceleration(i)[0], scale_.slip));
  }
  motion_.update(t1_, q1_, v1_);
  slips_.clear();
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    slips_.push_back(motion_.velocity(i).tail<2>().norm() > scale_.slip ? 1 : 0);
  }
  mark_unique_forces(impulses_, slips_);
  records_.clear();
  for (const Closed& closed : closed_) {
    const int i = closed.touch;
    const Contact& c = touches_[i].contact;
    const Vec3& p = impulses_[i];
    ContactRecord r = make_record(i);
    // Only the work of the impulses: coming to rest is booked as projection.
    const double work = impulses_[i].dot(v_before_[i] + 0.5 * kicks_[i]);
    r.impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
    r.normal_impulse = p[0];
    r.friction_work = collision_solver_.works()[i][1];
    r.normal_work = work - r.friction_work;
    r.residual = collision_report_.residual;
    const contact::Painleve& verdict = verdicts[records_.size()];
    r.painleve = verdict.A;
    r.free_acceleration = verdict.b;
    r.no_acceleration_solution = closed.push > 0.0 && verdict.A < 0.0;
    r.force_unique = is_unique_[i] != 0;
    r.mode = p[0] == 0.0      ? find_mode_without_force(r)
             : slips_[i] != 0 ? Mode::kSliding
                              : Mode::kSticking;
    records_.push_back(r);
  }
  certify_collision_energy();
  add_rest_impulses();
}

// Checks that no island of a collision gains energy.
void Simulator::certify_collision_energy() {
  constexpr double kRounding = 1e-9;  // of impulse times speed
  std::vector<Contact> contacts;
  std::vector<contact::WorkSample> samples;
  double speed = 0.0;
  for (const Closed& closed : closed_) {
    const int i = closed.touch;
    const Vec3 after = v_before_[i] + kicks_[i];
    contacts.push_back(touches_[i].contact);
    samples.push_back({});
    samples.back().impulse.head<3>() = impulses_[i];
    samples.back().before.head<3>() = v_before_[i];
    samples.back().after.head<3>() = after;
    // A contact that is pushed although nothing approaches does the work of that push.
    samples.back().slack = 2.0 * closed.push * v_before_[i].norm();
    speed = std::max({speed, v_before_[i].norm(), after.norm()});
  }
  contact::Islands islands;
  islands.update(*model_, contacts);
  for (int k = 0; k < islands.size(); ++k) {
    const double excess = calc_excess_work(samples, islands.contacts(k), speed, kRounding);
    for (const int c : islands.contacts(k)) records_[c].excess_work = excess;
  }
}

// Work below the rounding of `energy`, in J, counts as zero: the impulses of a short interval are
// no more exact than the velocities of their bodies.
void Simulator::certify_energy(double energy, contact::Certificate* certificate) {
  constexpr double kRounding = 1e-15;
  for (ContactRecord& r : records_) {
    if (r.excess_work <= kRounding * energy) r.excess_work = 0.0;
    certificate->excess_work = std::max(certificate->excess_work, r.excess_work);
    certificate->forces_unique = certificate->forces_unique && r.force_unique;
  }
}

// J   Work of prescribed motion on the mechanisms that hang from it while impulses act.
double Simulator::calc_prescribed_impact_work() {
  double work = 0.0;
  if (!is_driven_) return work;
  VecX v = v0_;
  for (const Closed& c : closed_) {
    const Vec3& p = impulses_[c.touch];
    motion_.jacobian().add_velocity_change(c.touch, {p[0], p[1], p[2], 0.0}, v);
  }
  std::vector<dynamics::Twist> before, after, drive;
  update_poses(*model_, q0_, t0_, &X_);
  update_twists(*model_, X_, v0_, t0_, &before);
  update_twists(*model_, X_, v, t0_, &after);
  update_twists(*model_, X_, VecX::Zero(model_->nv), t0_, &drive);
  for (const dynamics::Mechanism& m : model_->mechanisms) {
    if (is_driven(*model_, m)) work += calc_prescribed_work(*model_, m, X_, before, after, drive);
  }
  return work;
}

void Simulator::write_ledger(StepReport* report) {
  Ledger& ledger = report->ledger;
  report->t = t1_;
  const double energy = calc_energy(t1_, q1_, v1_);
  ledger.kinetic = calc_kinetic_energy(*model_, X_, V_, v1_);
  ledger.potential = energy - ledger.kinetic;
  ledger.work[Ledger::kProjection] = projection_work_;
  if (is_collision_) {
    for (std::size_t k = 0; k < records_.size(); ++k) {
      const int i = closed_[k].touch;
      ledger.work[Ledger::kNormal] += records_[k].normal_work;
      ledger.work[Ledger::kFriction] += records_[k].friction_work;
      ledger.work[Ledger::kPrescribed] -= impulses_[i].dot(motion_.jacobian().drive(i).head<3>());
    }
    ledger.work[Ledger::kPrescribed] += calc_prescribed_impact_work();
  } else {
    const auto works = y_.segment<Motion::kNumWorks>(model_->nq + model_->nv);
    ledger.work[Ledger::kScheme] = works[Motion::kPotential] + potential1_ - potential0_;
    ledger.work[Ledger::kApplied] = works[Motion::kApplied];
    ledger.work[Ledger::kNormal] = works[Motion::kNormal];
    ledger.work[Ledger::kFriction] = works[Motion::kFriction];
    ledger.work[Ledger::kPrescribed] = works[Motion::kPrescribed];
    if (report->branches.fallback > 0) report->branches.added_energy = works[Motion::kNormal];
  }
  ledger.closure = sum_of(ledger) - (energy - energy0_);
}

// Bodies without contact are in free flight, and do not move during a collision of other bodies.
dynamics::FlightResidual Simulator::find_worst_flight() {
  std::vector<char> is_touched(model_->bodies.size(), 0);
  for (const Touch& touch : touches_) {
    is_touched[touch.contact.body_a] = is_touched[touch.contact.body_b] = 1;
  }
  dynamics::FlightResidual worst;
  std::vector<Pose> X_start;
  std::vector<dynamics::Twist> V_start;
  update_poses(*model_, q0_, t0_, &X_start);
  update_twists(*model_, X_start, v_given_, t0_, &V_start);
  update_twists(*model_, X_, v1_, t1_, &V_);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    if (is_touched[i] != 0 || !has_simple_flight(*model_, i)) continue;
    const double residual =
        calc_free_flight_residual(*model_, i, {.X_WB = X_start, .V_WB = V_start},
                                  {.X_WB = X_, .V_WB = V_}, {.dt = t1_ - t0_, .end_weight = 0.5});
    if (residual > worst.worst) worst = {.worst = residual, .body = i};
  }
  return worst;
}

void Simulator::write_certificate(StepReport* report) {
  contact::Certificate& certificate = report->certificate;
  update_poses(*model_, q1_, t1_, &X_);
  std::fill(reach_.begin(), reach_.end(), 0.0);
  found_end_.clear();
  finder_.find(X_, reach_, &found_end_);
  for (const Contact& c : found_end_) {
    certificate.penetration = std::max(certificate.penetration, -c.gap);
  }
  if (is_collision_) certificate.residual = collision_report_.residual;
  for (const ForceCheck& check : checks_) {
    if (is_collision_) break;
    if (!(check.residual <= certificate.residual)) certificate.residual = check.residual;
    certificate.cone_violation = std::max(certificate.cone_violation, check.cone_violation);
  }
  certify_energy(report->ledger.kinetic + std::fabs(report->ledger.potential), &certificate);
  certificate.passed = certificate.residual <= options_.residual;
  const dynamics::FlightResidual flight = find_worst_flight();
  if (!q1_.allFinite() || !v1_.allFinite()) {
    fail(report, AdvanceStatus::kNonfinite, "the state is not finite any more");
  } else if (!certificate.passed) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "certified residual " + to_rounded(certificate.residual) + " is above the tolerance " +
             to_text(options_.residual));
  } else if (certificate.excess_work > 0.0) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "contacts gain " + to_rounded(certificate.excess_work) + " J more than their law allows");
  } else if (loop_error_ > options_.event_tolerance) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "loops stay open by " + to_rounded(loop_error_) + " m or rad: they contradict each other");
  } else if (certificate.penetration > 2.0 * options_.event_tolerance) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "bodies overlap by " + to_rounded(certificate.penetration) + " m at the end");
  } else if (flight.worst > options_.residual) {
    fail(report, AdvanceStatus::kCertificateFailed, tell_flight(*model_, flight));
  }
}

}  // namespace tenpin::methods::analytic
