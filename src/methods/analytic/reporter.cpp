#include "methods/analytic/reporter.h"

#include <algorithm>
#include <cmath>

#include "base/rounded.h"
#include "base/text.h"
#include "contact/begin_record.h"
#include "contact/energy_law.h"
#include "contact/painleve.h"
#include "dynamics/prescribed.h"
#include "methods/analytic/tolerances.h"

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

// Uses the last update of the motion, which is at the end of the step.
ContactRecord make_record(const dynamics::Model& model, const StepDone& step, const Motion& motion,
                          int i) {
  const Touch& touch = step.touches()[i];
  const Contact& c = touch.contact;
  const Vec3 u = motion.velocity(i);
  ContactRecord r = begin_record(model, motion.at().X_WB, c);
  if (is_dry_joint(touch)) {
    r.slip = r.normal * u[1];
    return r;
  }
  r.slip = c.t1 * u[1] + c.t2 * u[2];
  r.normal_velocity = u[0];
  const contact::ContactBlock& W = motion.jacobian().own_delassus(i);
  const Vec3& own = motion.forces()[i];
  const double others =
      motion.acceleration(i)[0] - motion.free_acceleration(i)[0] - W.row(0).head<3>().dot(own);
  const contact::Painleve verdict = contact::calc_painleve(
      touch.mu, W, contact::ContactVector(u[0], u[1], u[2], 0.0),
      motion.free_acceleration(i)[0] + (step.collision != nullptr ? 0.0 : others), step.slip());
  r.painleve = verdict.A;
  r.free_acceleration = verdict.b;
  return r;
}

// The tolerance is in m, and in m/s counting a second.
Mode find_mode_without_force(const ContactRecord& r, double event_tolerance) {
  return contact::find_unloaded_mode(r.gap, r.normal_velocity, event_tolerance, event_tolerance);
}

// Adds the impulse of the forces over the step, which is integrated in y from index `at` on.
void enter_impulse(const Touch& touch, const VecX& y, int at, ContactRecord* r) {
  const Vec3 impulse = y.segment<3>(at);
  r->friction_work = y[at + 3];
  if (is_dry_joint(touch)) {
    r->spin_impulse = impulse.x();
    return;
  }
  if (touch.contact.kind == contact::ContactKind::kJointLimit) {
    r->normal_impulse = impulse.x();
    return;
  }
  r->impulse = impulse;
  r->normal_impulse = r->normal.dot(impulse);
}

// J   Positive work of friction beyond rounding. In smooth motion friction only takes energy; its
// direction is known up to slips that count as zero. Uses the impulse that did the work.
double calc_excess_friction_work(const ContactRecord& r, double slip) {
  const double allowed = r.impulse.norm() * (slip + kWorkRounding * r.slip.norm());
  return r.friction_work <= allowed ? 0.0 : r.friction_work;
}

// J   Work of prescribed motion on the mechanisms that hang from it while impulses act.
double calc_prescribed_impact_work(const dynamics::Model& model, const StepDone& step,
                                   const Motion& motion) {
  VecX v = step.piece.v;
  for (const Closed& c : step.collision->closed) {
    const Vec3& p = step.collision->impulses[c.touch];
    motion.jacobian().add_velocity_change(c.touch, {p[0], p[1], p[2], 0.0}, v);
  }
  const double t = step.start.t;
  const std::vector<Pose>& X_WB = step.start.X_WB;
  std::vector<dynamics::Twist> before, after, drive;
  update_twists(model, X_WB, step.piece.v, t, &before);
  update_twists(model, X_WB, v, t, &after);
  update_twists(model, X_WB, VecX::Zero(model.nv), t, &drive);
  double work = 0.0;
  for (const dynamics::Mechanism& m : model.mechanisms) {
    if (is_driven(model, m)) work += calc_prescribed_work(model, m, X_WB, before, after, drive);
  }
  return work;
}

// Bodies without contact are in free flight, and do not move during a collision of other bodies.
dynamics::FlightResidual find_worst_flight(const dynamics::Model& model, const StepDone& step) {
  std::vector<char> is_touched(model.bodies.size(), 0);
  for (const Touch& touch : step.touches()) {
    is_touched[touch.contact.body_a] = is_touched[touch.contact.body_b] = 1;
  }
  std::vector<Pose> X_end;
  std::vector<dynamics::Twist> V_start, V_end;
  update_twists(model, step.start.X_WB, step.start.v, step.start.t, &V_start);
  update_poses(model, step.end.q, step.end.t, &X_end);
  update_twists(model, X_end, step.end.v, step.end.t, &V_end);
  dynamics::FlightResidual worst;
  for (int i = 0; i < model.num_bodies(); ++i) {
    if (is_touched[i] != 0 || !has_simple_flight(model, i)) continue;
    const double residual = calc_free_flight_residual(
        model, i, {.X_WB = step.start.X_WB, .V_WB = V_start}, {.X_WB = X_end, .V_WB = V_end},
        {.dt = step.end.t - step.start.t, .end_weight = 0.5});
    if (residual > worst.worst) worst = {.worst = residual, .body = i};
  }
  return worst;
}

}  // namespace

Reporter::Reporter(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model), options_(options) {
  for (const dynamics::Mechanism& m : model.mechanisms) {
    is_driven_ = is_driven_ || dynamics::is_driven(model, m);
  }
}

void Reporter::write(const StepDone& step, Motion* motion, ContactSearch* search,
                     StepReport* report) {
  std::vector<ForceCheck> checks;
  if (step.collision != nullptr) {
    write_collision_records(step, motion);
  } else {
    checks = step.piece.checks;
    write_records(step, motion, &checks, &report->certificate);
  }
  write_ledger(step, *motion, report);
  write_certificate(step, checks, search, report);
}

// Marks, by touch, which forces or impulses are not unique.
void Reporter::mark_unique_forces(const StepDone& step, const Motion& motion,
                                  std::span<const Vec3> forces, std::span<const char> slips) {
  constexpr double kHeld = 1e-9;  // of the scale of accelerations
  const std::vector<Touch>& touches = step.touches();
  const bool is_collision = step.collision != nullptr;
  force_states_.assign(touches.size(), {});
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const Touch& touch = touches[i];
    const Vec3& f = forces[i];
    const Vec3 u = motion.velocity(i);
    const bool is_held =
        touch.is_touching && touch.grip == Grip::kIdle &&
        std::fabs(motion.acceleration(i)[0]) <= kHeld * step.piece.scale.acceleration;
    const bool carries_load = is_collision ? f[0] > 0.0 : is_found(touch);
    force_states_[i] = {.impulse = {f[0], f[1], f[2], 0.0},
                        .slip = {u[1], u[2], 0.0},
                        .mu = touch.mu,
                        .touches = carries_load || (!is_collision && is_held),
                        .slips = slips[i] != 0};
  }
  (void)uniqueness_test_.test(*model_, motion.mass_matrix(), motion.jacobian(), motion.contacts(),
                              force_states_, &is_unique_);
}

void Reporter::write_records(const StepDone& step, Motion* motion, std::vector<ForceCheck>* checks,
                             contact::Certificate* certificate) {
  const std::vector<Touch>& touches = step.touches();
  const ForceScale& scale = step.piece.scale;
  motion->update(step.end.t, step.end.q, step.end.v);
  motion->solve_forces();
  records_.clear();
  std::vector<int> of;  // touch of each record
  std::vector<char> slides;
  slides.reserve(touches.size());
  for (const Touch& touch : touches) slides.push_back(touch.grip == Grip::kSlide ? 1 : 0);
  mark_unique_forces(step, *motion, motion->forces(), slides);
  int at = model_->nq + model_->nv + Motion::kNumWorks;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const Touch& touch = touches[i];
    const bool has_force = carries(touch.grip);
    if (touch.is_touching || has_force) {
      ContactRecord r = make_record(*model_, step, *motion, i);
      if (has_force) enter_impulse(touch, step.end.y, at, &r);
      // A contact that could carry a load but has none is only touching.
      const bool is_loaded = has_force && (is_dry_joint(touch) || r.normal_impulse > 0.0);
      r.mode = is_loaded ? to_mode(touch.grip, motion->forces()[i], slips(*motion, i, scale))
                         : find_mode_without_force(r, options_.event_tolerance);
      ForceCheck end;
      if (has_force && touch.grip != Grip::kGiven) {
        end = certify_forces(*motion, touches, scale, i, Moment::kEnd);
      }
      ForceCheck& check = (*checks)[i];
      check.residual = std::max(check.residual, end.residual);
      check.cone_violation = std::max(check.cone_violation, end.cone_violation);
      r.residual = check.residual;
      r.force_unique = is_unique_[i] != 0;
      r.excess_work = calc_excess_friction_work(r, scale.slip);
      records_.push_back(r);
      of.push_back(i);
    }
    at += has_force ? 4 : 0;
  }
  shown_.make_least({.model = *model_,
                     .motion = *motion,
                     .touches = touches,
                     .scale = scale,
                     .duration = step.end.t - step.start.t,
                     .tolerance = options_.residual,
                     .of = of},
                    &records_, certificate);
  add_rest_impulses(step.piece.corrections.impulses);
}

// Comes last: these impulses obey no contact law and take no part in the choice among forces.
void Reporter::add_rest_impulses(const std::vector<RestImpulse>& impulses) {
  std::size_t last = 0;  // both lists have nearly the same order
  for (const RestImpulse& rest : impulses) {
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
void Reporter::write_collision_records(const StepDone& step, Motion* motion) {
  const Collision& collision = *step.collision;
  const std::vector<Touch>& touches = step.touches();
  motion->update(step.start.t, step.start.q, step.piece.v);
  std::vector<contact::Painleve> verdicts;
  for (const Closed& closed : collision.closed) {
    const int i = closed.touch;
    const Vec3& u = collision.v_before[i];
    verdicts.push_back(contact::calc_painleve(touches[i].mu, motion->jacobian().own_delassus(i),
                                              contact::ContactVector(u[0], u[1], u[2], 0.0),
                                              motion->free_acceleration(i)[0], step.slip()));
  }
  motion->update(step.end.t, step.end.q, step.end.v);
  std::vector<char> slides;
  slides.reserve(touches.size());
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    slides.push_back(motion->velocity(i).tail<2>().norm() > step.slip() ? 1 : 0);
  }
  mark_unique_forces(step, *motion, collision.impulses, slides);
  records_.clear();
  for (const Closed& closed : collision.closed) {
    const int i = closed.touch;
    const Contact& c = touches[i].contact;
    const Vec3& p = collision.impulses[i];
    ContactRecord r = make_record(*model_, step, *motion, i);
    // Only the work of the impulses: coming to rest is booked as projection.
    const double work = p.dot(collision.v_before[i] + 0.5 * collision.kicks[i]);
    r.impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
    r.normal_impulse = p[0];
    r.friction_work = collision.works[i][1];
    r.normal_work = work - r.friction_work;
    r.residual = collision.report.residual;
    const contact::Painleve& verdict = verdicts[records_.size()];
    r.painleve = verdict.A;
    r.free_acceleration = verdict.b;
    r.no_acceleration_solution = closed.push > 0.0 && verdict.A < 0.0;
    r.force_unique = is_unique_[i] != 0;
    r.mode = p[0] == 0.0      ? find_mode_without_force(r, options_.event_tolerance)
             : slides[i] != 0 ? Mode::kSliding
                              : Mode::kSticking;
    records_.push_back(r);
  }
  certify_collision_energy(step);
  add_rest_impulses(step.piece.corrections.impulses);
}

// Checks that no island of a collision gains energy.
void Reporter::certify_collision_energy(const StepDone& step) {
  const Collision& collision = *step.collision;
  std::vector<Contact> contacts;
  std::vector<contact::WorkSample> samples;
  double speed = 0.0;
  for (const Closed& closed : collision.closed) {
    const int i = closed.touch;
    const Vec3& before = collision.v_before[i];
    const Vec3 after = before + collision.kicks[i];
    contacts.push_back(step.touches()[i].contact);
    samples.push_back({});
    samples.back().impulse.head<3>() = collision.impulses[i];
    samples.back().before.head<3>() = before;
    samples.back().after.head<3>() = after;
    // A contact that is pushed although nothing approaches does the work of that push.
    samples.back().slack = 2.0 * closed.push * before.norm();
    speed = std::max({speed, before.norm(), after.norm()});
  }
  contact::Islands islands;
  islands.update(*model_, contacts);
  for (int k = 0; k < islands.size(); ++k) {
    const double excess = calc_excess_work(samples, islands.contacts(k), speed, kWorkRounding);
    for (const int c : islands.contacts(k)) records_[c].excess_work = excess;
  }
}

// Work below the rounding of `energy`, in J, counts as zero: the impulses of a short interval are
// no more exact than the velocities of their bodies.
void Reporter::certify_energy(double energy, contact::Certificate* certificate) {
  for (ContactRecord& r : records_) {
    if (r.excess_work <= kEnergyRounding * energy) r.excess_work = 0.0;
    certificate->excess_work = std::max(certificate->excess_work, r.excess_work);
    certificate->forces_unique = certificate->forces_unique && r.force_unique;
  }
}

void Reporter::write_ledger(const StepDone& step, const Motion& motion, StepReport* report) const {
  Ledger& ledger = report->ledger;
  report->t = step.end.t;
  const Energies at_end = calc_energies(*model_, step.end.t, step.end.q, step.end.v);
  const double energy = at_end.total();
  ledger.kinetic = at_end.kinetic;
  ledger.potential = energy - ledger.kinetic;
  ledger.work[Ledger::kProjection] = step.piece.corrections.work;
  if (step.collision != nullptr) {
    for (std::size_t k = 0; k < records_.size(); ++k) {
      const int i = step.collision->closed[k].touch;
      ledger.work[Ledger::kNormal] += records_[k].normal_work;
      ledger.work[Ledger::kFriction] += records_[k].friction_work;
      ledger.work[Ledger::kPrescribed] -=
          step.collision->impulses[i].dot(motion.jacobian().drive(i).head<3>());
    }
    if (is_driven_) {
      ledger.work[Ledger::kPrescribed] += calc_prescribed_impact_work(*model_, step, motion);
    }
  } else {
    const auto works = step.end.y.segment<Motion::kNumWorks>(model_->nq + model_->nv);
    ledger.work[Ledger::kScheme] =
        works[Motion::kPotential] + step.end.potential - step.start.potential;
    ledger.work[Ledger::kApplied] = works[Motion::kApplied];
    ledger.work[Ledger::kNormal] = works[Motion::kNormal];
    ledger.work[Ledger::kFriction] = works[Motion::kFriction];
    ledger.work[Ledger::kPrescribed] = works[Motion::kPrescribed];
    if (report->branches.fallback > 0) report->branches.added_energy = works[Motion::kNormal];
  }
  ledger.closure = sum_of(ledger) - (energy - step.start.energy);
}

void Reporter::write_certificate(const StepDone& step, std::span<const ForceCheck> checks,
                                 ContactSearch* search, StepReport* report) {
  contact::Certificate& certificate = report->certificate;
  std::vector<Pose> X_WB;
  update_poses(*model_, step.end.q, step.end.t, &X_WB);
  const std::vector<double> reach(model_->bodies.size(), 0.0);
  std::vector<Contact> overlaps;
  search->find_surfaces(X_WB, reach, &overlaps);
  for (const Contact& c : overlaps) {
    certificate.penetration = std::max(certificate.penetration, -c.gap);
  }
  if (step.collision != nullptr) certificate.residual = step.collision->report.residual;
  for (const ForceCheck& check : checks) {
    if (!(check.residual <= certificate.residual)) certificate.residual = check.residual;
    certificate.cone_violation = std::max(certificate.cone_violation, check.cone_violation);
  }
  certify_energy(report->ledger.kinetic + std::fabs(report->ledger.potential), &certificate);
  certificate.passed = certificate.residual <= options_.residual;
  const dynamics::FlightResidual flight = find_worst_flight(*model_, step);
  const double loop_error = step.piece.corrections.loop_error;
  if (!step.end.q.allFinite() || !step.end.v.allFinite()) {
    fail(report, AdvanceStatus::kNonfinite, "the state is not finite any more");
  } else if (!certificate.passed) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "certified residual " + to_rounded(certificate.residual) + " is above the tolerance " +
             to_text(options_.residual));
  } else if (certificate.excess_work > 0.0) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "contacts gain " + to_rounded(certificate.excess_work) + " J more than their law allows");
  } else if (loop_error > options_.event_tolerance) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "loops stay open by " + to_rounded(loop_error) + " m or rad: they contradict each other");
  } else if (certificate.penetration > 2.0 * options_.event_tolerance) {
    fail(report, AdvanceStatus::kCertificateFailed,
         "bodies overlap by " + to_rounded(certificate.penetration) + " m at the end");
  } else if (flight.worst > options_.residual) {
    fail(report, AdvanceStatus::kCertificateFailed, tell_flight(*model_, flight));
  }
}

}  // namespace tenpin::methods::analytic
