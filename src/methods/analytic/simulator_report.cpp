// What a step says about itself: contacts, ledger, certificate.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "contact/begin_record.h"
#include "contact/painleve.h"
#include "methods/analytic/simulator.h"

namespace tenpin::methods::analytic {

using contact::Contact;
using contact::ContactRecord;
using contact::Ledger;
using contact::Mode;

namespace {

// Of a contact that carries a force.
Mode to_mode(Grip grip, const Vec3& force) {
  if (grip == Grip::kSlide) return Mode::kSliding;
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

// By the motion's last update, which is at the end of the step.
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
  const contact::Painleve verdict = contact::calc_painleve(
      touches_[i].mu, motion_.jacobian().own_delassus(i),
      contact::ContactVector(u[0], u[1], u[2], 0.0), motion_.free_acceleration(i)[0]);
  r.painleve = verdict.A;
  r.free_acceleration = verdict.b;
  return r;
}

Mode Simulator::find_mode_without_force(const ContactRecord& r) const {
  const double tolerance = options_.event_tolerance;  // m, and m/s counting a second
  return contact::find_unloaded_mode(r.gap, r.normal_velocity, tolerance, tolerance);
}

// What the step's forces gave the contact, integrated from y_[at] on.
void Simulator::enter_impulse(int i, int at, ContactRecord* r) const {
  const Vec3 impulse = y_.segment<3>(at);
  r->friction_work = y_[at + 3];
  if (is_dry_joint(touches_[i])) {
    r->spin_impulse = impulse.x();
    return;
  }
  r->impulse = impulse;
  r->normal_impulse = r->normal.dot(impulse);
}

void Simulator::write_records() {
  motion_.update(t1_, q1_, v1_);
  motion_.solve_forces();
  records_.clear();
  int at = model_->nq + model_->nv + Motion::kNumWorks;
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    const bool has_force = carries(touch.grip);
    if (touch.is_touching || has_force) {
      ContactRecord r = make_record(i);
      if (has_force) enter_impulse(i, at, &r);
      r.mode = has_force ? to_mode(touch.grip, motion_.forces()[i]) : find_mode_without_force(r);
      ForceCheck end;
      if (has_force && touch.grip != Grip::kGiven) {
        end = certify_forces(motion_, touches_, scale_, i, Moment::kEnd);
      }
      checks_[i].residual = std::max(checks_[i].residual, end.residual);
      checks_[i].cone_violation = std::max(checks_[i].cone_violation, end.cone_violation);
      r.residual = checks_[i].residual;
      records_.push_back(r);
    }
    at += has_force ? 4 : 0;
  }
}

void Simulator::write_collision_records() {
  motion_.update(t1_, q1_, v1_);
  records_.clear();
  for (const Closed& closed : closed_) {
    const int i = closed.touch;
    const Contact& c = touches_[i].contact;
    const Vec3& p = impulses_[i];
    ContactRecord r = make_record(i);
    const Vec3 mean = 0.5 * (v_before_[i] + motion_.velocity(i));
    r.impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
    r.normal_impulse = p[0];
    r.normal_work = p[0] * mean[0];
    r.friction_work = p.tail<2>().dot(mean.tail<2>());
    r.residual = collision_report_.residual;
    r.no_acceleration_solution = closed.push > 0.0;
    const bool slips = motion_.velocity(i).tail<2>().norm() > scale_.slip;
    r.mode = p[0] == 0.0 ? find_mode_without_force(r) : slips ? Mode::kSliding : Mode::kSticking;
    records_.push_back(r);
  }
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
      // The work of the impulses alone: coming to rest is entered as projection.
      const Vec3 u_end = v_before_[i] + kicks_[i];
      const Vec3 mean = 0.5 * (v_before_[i] + u_end);
      ledger.work[Ledger::kNormal] += impulses_[i][0] * mean[0];
      ledger.work[Ledger::kFriction] += impulses_[i].tail<2>().dot(mean.tail<2>());
      ledger.work[Ledger::kApplied] -= impulses_[i].dot(motion_.jacobian().drive(i).head<3>());
    }
  } else {
    const auto works = y_.segment<Motion::kNumWorks>(model_->nq + model_->nv);
    ledger.work[Ledger::kScheme] = works[Motion::kPotential] + potential1_ - potential0_;
    ledger.work[Ledger::kApplied] = works[Motion::kApplied];
    ledger.work[Ledger::kNormal] = works[Motion::kNormal];
    ledger.work[Ledger::kFriction] = works[Motion::kFriction];
    if (report->branches.fallback > 0) report->branches.added_energy = works[Motion::kNormal];
  }
  ledger.closure = sum_of(ledger) - (energy - energy0_);
  if (!is_driven_) return;
  // A moving base does work that no force of ours shows: it is what is missing.
  ledger.work[Ledger::kConstraint] -= ledger.closure;
  ledger.closure = 0.0;
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
  certificate.passed = certificate.residual <= options_.residual;
  if (!q1_.allFinite() || !v1_.allFinite()) {
    fail(report, AdvanceStatus::kNonfinite, "the state is not finite any more");
  } else if (!certificate.passed) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "certified residual " + to_text(certificate.residual) + " is above the tolerance " +
             to_text(options_.residual));
  } else if (loop_error_ > options_.event_tolerance) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "loops stay open by " + to_text(loop_error_) + " m or rad: they contradict each other");
  } else if (certificate.penetration > 2.0 * options_.event_tolerance) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "bodies overlap by " + to_text(certificate.penetration) + " m at the end");
  }
}

}  // namespace tenpin::methods::analytic
