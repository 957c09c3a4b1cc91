// What a step says about itself: contacts, ledger, certificate, verdicts.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "contact/painleve.h"
#include "dynamics/prescribed.h"
#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactRecord;
using contact::ContactVector;
using contact::kNormalRow;
using contact::Ledger;
using contact::Mode;

namespace {

// [ST00, §3.1]: below these an impulse or a slip is the solver's rounding.
constexpr double kRoundoff = 1e-10;

// Of a contact that pushes. `small` is a velocity that counts as none.
Mode classify_loaded(const ContactVector& impulse, double slip, double mobility, double small) {
  if (slip > small) return Mode::kSliding;
  const double friction = impulse.tail<3>().norm();
  return friction * mobility > small ? Mode::kSticking : Mode::kResting;
}

}  // namespace

// Where a joint is and which way it turns or slides, for contacts in joints.
void Stepper::place_joint_record(int i, ContactRecord* r) const {
  const Contact& c = problem_.contacts[i];
  const dynamics::Joint& joint = model_->bodies[c.body_b].joint;
  const Pose& X_WB = X_hat_[c.body_b];
  const Mat3 R_WM = X_WB.R * joint.X_MB.R.transpose();
  r->position = X_WB.p - R_WM * joint.X_MB.p;
  const Vec3 axis =
      joint.type == dynamics::JointType::kBall ? Vec3(R_WM * c.direction) : Vec3(R_WM.col(2));
  r->normal = axis;
  if (c.kind != contact::ContactKind::kJointFriction) return;
  r->normal_impulse = 0.0;
  r->spin_impulse = impulses_[i][contact::kT1Row];
  r->slip = axis * u_kicked_[i][contact::kT1Row];
}

ContactRecord Stepper::make_record(int i, std::size_t* next) const {
  const Contact& c = problem_.contacts[i];
  const ContactVector& p = impulses_[i];
  const ContactVector& after = u_kicked_[i];
  const ContactVector mean = 0.5 * (u0_[i] + after);
  const contact::ContactBlock& W = problem_.J.own_delassus(i);

  ContactRecord r;
  r.key = c.key;
  r.body_a = c.body_a;
  r.body_b = c.body_b;
  r.position = 0.5 * (c.p_a + c.p_b);
  r.normal = c.normal;
  const Contact* at_end = contact::find_contact(end_contacts_, c.key, next);
  r.gap = at_end != nullptr
              ? at_end->gap
              : c.gap + h_ * (after[kNormalRow] - problem_.J.normal_velocity(i, guess_));
  r.impulse = c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
  r.normal_impulse = p[kNormalRow];
  r.spin_impulse = p[contact::kSpinRow];
  r.slip = c.t1 * after[1] + c.t2 * after[2];
  r.normal_velocity = after[kNormalRow];
  const Vec3 giving = problem_.calc_giving(i, p.head<3>());
  const double small = (by_cone_ ? *options_.tolerance : kRoundoff) * speed_;
  const double mobility = W.topLeftCorner<3, 3>().trace() / 3.0;
  const bool is_dry = c.kind == contact::ContactKind::kJointFriction;
  r.mode =
      is_dry || p[kNormalRow] * mobility > small
          ? classify_loaded(p, (after.segment<2>(1) + giving.tail<2>()).norm(), mobility, small)
          : contact::find_unloaded_mode(r.gap, r.normal_velocity, std::max(kTouching, small * h_),
                                        small);
  r.residual = checks_[i].residual;
  r.dissipation_gap = checks_[i].dissipation_gap;
  r.normal_work = p[kNormalRow] * mean[kNormalRow];
  // At the mean velocity of a step that only its end obeys: work above zero is the scheme's.
  r.friction_work = std::min(p.tail<3>().dot(mean.tail<3>()), 0.0);
  if (c.kind != contact::ContactKind::kSurface) place_joint_record(i, &r);
  return r;
}

void Stepper::write_records() {
  records_.resize(problem_.contacts.size());
  works_.resize(problem_.contacts.size());
  if (records_.empty()) return;
  calc_free_accelerations();
  workers_->split(problem_.size(), [this](int begin, int end) {
    std::size_t next = 0;
    for (int i = begin; i < end; ++i) {
      records_[i] = make_record(i, &next);
      write_verdict(i);
    }
  });
  mark_unique_forces();
}

// What the impulse of a contact did, with the velocity that the step itself changes.
// Places are known to their rounding, and what they overlap by within that is undone in the step.
contact::WorkSample Stepper::make_work_sample(int i, double slack) const {
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  const Contact& c = problem_.contacts[i];
  const double place =
      c.p_a.norm() + c.p_b.norm() + X_hat_[c.body_a].p.norm() + X_hat_[c.body_b].p.norm();  // m
  return {.impulse = impulses_[i],
          .before = u0_[i],
          .after = u_kicked_[i],
          .slack = slack + kRounding * place / h_};
}

// Which impulses could be others. Compliance tells which they are, so its contacts take no part.
void Stepper::mark_unique_forces() {
  forces_.resize(problem_.contacts.size());
  const double small = (by_cone_ ? *options_.tolerance : kRoundoff) * speed_;
  for (int i = 0; i < problem_.size(); ++i) {
    const bool is_rigid = problem_.softness[i].isZero(0.0);
    const bool is_dry_joint = problem_.contacts[i].kind == contact::ContactKind::kJointFriction;
    const double slack = u_kicked_[i][kNormalRow] - problem_.required[i];
    forces_[i] = {
        .impulse = impulses_[i],
        .slip = u_kicked_[i].tail<3>(),
        .mu = problem_.mu[i],
        .touches = is_rigid && (is_dry_joint || impulses_[i][kNormalRow] > 0.0 || slack <= small),
        .slips = u_kicked_[i].tail<3>().norm() > small};
  }
  (void)uniqueness_.test(*model_, M_, problem_.J, problem_.contacts, forces_, &is_unique_);
  for (int i = 0; i < problem_.size(); ++i) records_[i].force_unique = is_unique_[i] != 0;
}

// Accelerations of the bodies at the start, with all forces but contact.
void Stepper::calc_free_accelerations() {
  update_accelerations(*model_, {X_start_, V_start_, v0_, zero_, t0_}, &A_free_, workers_);
  scratch_.resize(model_->nv);
  workers_->split(model_->nv, [this](int begin, int end) {
    for (int k = begin; k < end; ++k) scratch_[k] = -(gravity_[k] + applied_[k]) / h_;
  });
  wrenches_.resize(model_->bodies.size());
  workers_->split(model_->num_mechanisms(), [this](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      add_inverse_dynamics(*model_, model_->mechanisms[m],
                           {.X_WB = X_start_, .V_WB = V_start_, .A_WB = A_free_}, zero_, &wrenches_,
                           scratch_);
    }
  });
  scratch2_.resize(model_->nv);
  scratch_ = -scratch_;
  M_.solve(*model_, scratch_, scratch2_);
  for (int m = 0; has_loops_ && m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty()) continue;
    // The solve keeps phi_dot as it is; velocity terms still bend it.
    M_.inverse(m).loops().calc_accelerations(V_start_, A_free_, v0_, zero_, &loop_rates_);
    M_.inverse(m).close_rates(loop_rates_, scratch2_.segment(mechanism.v_begin, mechanism.nv));
  }
  update_accelerations(*model_, {X_start_, V_start_, v0_, scratch2_, t0_}, &A_free_, workers_);
}

// Whether a finite force could have held the contact, at the start of the step, with the forces
// that all other contacts took in it. A slip that the step itself could make or end is none.
void Stepper::write_verdict(int i) {
  const Contact& c = problem_.contacts[i];
  const ContactVector u_free = problem_.J.velocity(i, v_free_);
  works_[i] = make_work_sample(i, (u_free - u0_[i]).head<3>().norm());
  if (c.kind != contact::ContactKind::kSurface) return;
  const contact::ContactBlock& W = problem_.J.own_delassus(i);
  const contact::FreeAcceleration free = contact::calc_free_acceleration(
      c, {.X = X_hat_[c.body_a], .V = V_start_[c.body_a], .A = A_free_[c.body_a]},
      {.X = X_hat_[c.body_b], .V = V_start_[c.body_b], .A = A_free_[c.body_b]});
  works_[i].slack += h_ * free.size;
  const double others =
      u_kicked_[i][kNormalRow] - u_free[kNormalRow] - W.row(kNormalRow).dot(impulses_[i]);  // m/s
  const double slow = h_ * std::max(free.size, model_->gravity.norm()) + kRoundoff * speed_;
  const contact::Painleve verdict =
      contact::calc_painleve(problem_.mu[i], W, u0_[i], free.gap + others / h_, slow);
  records_[i].painleve = verdict.A;
  records_[i].free_acceleration = verdict.b;
  records_[i].no_acceleration_solution = verdict.no_solution && records_[i].normal_impulse > 0.0;
}

// J   What closing the loops did to velocities that had them open: their impulse times its share
// of the mean rate. Loops that were closed do none.
double Stepper::calc_loop_work() {
  double work = 0.0;
  if (!has_loops_) return work;
  scratch_ = gravity_ + applied_;
  for (int i = 0; i < problem_.size(); ++i) problem_.J.add_impulse(i, impulses_[i], scratch_);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.loops.empty() || flies_[m]) continue;
    M_.inverse(m).loops().calc_rates(V_start_, v0_, &loop_rates_);
    work += M_.inverse(m).calc_closing_work(scratch_.data() + mechanism.v_begin, loop_rates_);
  }
  return work;
}

// J   What outside forces and what gravity and springs do to a mechanism in the kick. Springs and
// what else depends on velocities act at those after it. The kick gains gravity times the mean
// velocity; the drift of a loose body pays gravity times the new one.
Vec2 Stepper::calc_kick_work(const dynamics::Mechanism& mechanism) const {
  Vec2 work = Vec2::Zero();
  for (int k = mechanism.v_begin; k < mechanism.v_begin + mechanism.nv; ++k) {
    const double mean = 0.5 * (v0_[k] + v_kicked_[k]);
    const double change = v_kicked_[k] - v0_[k];
    const double spring = joint_spring_[k] - slope_spring_[k] * change;
    const double all = applied_[k] - slope_[k] * change;
    work[0] += (all - spring) * mean;
    work[1] += (gravity_[k] + spring) * mean;
    if (mechanism.is_loose) work[1] -= gravity_[k] * v_kicked_[k];
  }
  return work;
}

// Each stage by itself; nothing here is a difference of the energies that it is compared with.
void Stepper::write_ledger(StepReport* report) {
  Ledger& ledger = report->ledger;
  ledger.work[Ledger::kConstraint] = calc_loop_work();
  const Vec2 kick = sum(workers_, model_->num_mechanisms(), Vec2(Vec2::Zero()), [this](int i) {
    return calc_kick_work(model_->mechanisms[i]);
  });
  ledger.work[Ledger::kApplied] = kick[0] + flown_.applied;
  ledger.work[Ledger::kScheme] = kick[1] - drift_potential_;
  // Contact work counts relative motion; prescribed motion does the rest. The sum of all is exact.
  const Vec3 contact_work = sum(workers_, problem_.size(), Vec3(Vec3::Zero()), [this](int i) {
    return Vec3(records_[i].normal_work, records_[i].friction_work,
                -impulses_[i].dot(problem_.J.drive(i)));
  });
  const double exact = sum(workers_, problem_.size(), 0.0, [this](int i) {
    return calc_contact_work(works_[i]);
  });
  const double flown_prescribed = flown_.prescribed + drift_prescribed_;
  ledger.work[Ledger::kNormal] = contact_work[0];
  ledger.work[Ledger::kFriction] = contact_work[1];
  ledger.work[Ledger::kScheme] += exact - contact_work[0] - contact_work[1];
  ledger.work[Ledger::kPrescribed] = contact_work[2] + flown_prescribed + calc_prescribed_work();
  update_twists(*model_, X_end_, v_end_, t_end_, &V_end_, workers_);
  const double kinetic_end = calc_kinetic_energy(*model_, X_end_, V_end_, v_end_, workers_);
  ledger.work[Ledger::kFreeFlight] = kinetic_end - projection_kinetic_ - kinetic_kicked_ -
                                     flown_.potential - flown_.applied - flown_prescribed;
  ledger.work[Ledger::kProjection] = projection_work_;
  ledger.kinetic = kinetic_end;
  ledger.potential = calc_potential_energy(*model_, X_end_, q_end_, workers_);
  energy_end_ = ledger.total();
  double sum = 0.0;
  for (const double work : ledger.work) sum += work;
  ledger.closure = sum - (ledger.total() - energy_start_);
}

// J   What prescribed motion does in the kick of the mechanisms that hang from it.
double Stepper::calc_prescribed_work() {
  double work = 0.0;
  if (!is_driven_) return work;
  update_twists(*model_, X_start_, zero_, t0_, &V_drive_, workers_);
  for (const dynamics::Mechanism& m : model_->mechanisms) {
    if (is_driven(*model_, m)) {
      work += dynamics::calc_prescribed_work(*model_, m, X_start_, V_start_, V_kicked_, V_drive_);
    }
  }
  return work;
}

// The deepest overlap, before projection, of a contact that took no part in the step: its law was
// never asked for, so none of the residuals of the law can show it. Where contacts give way, those
// between the same two parts carry each other's load.
void Stepper::find_overlooked() {
  overlooked_ = {};
  if (keeps_overlaps()) return;
  std::size_t next = 0;
  for (const Contact& c : end_contacts_) {
    if (c.gap >= overlooked_.gap || in_problem_.contains(c.key, &next)) continue;
    const bool gives_way = options_.springs ? c.stiffness > 0.0 : options_.compliance > 0.0;
    if (!gives_way || !in_problem_.contains_pair(c.key)) overlooked_ = c;
  }
}

// A compliant contact that overlaps by more than half the size of the smaller body, and goes on: no
// law of springs is meant for that. -1 if there is none.
int Stepper::find_sunk() const {
  constexpr double kDeep = 0.5;  // of the largest ball in the body
  for (int i = 0; options_.is_compliant() && i < problem_.size(); ++i) {
    if (problem_.contacts[i].kind != contact::ContactKind::kSurface) continue;
    const bool goes_on = u_kicked_[i][kNormalRow] < -*options_.tolerance * speed_;
    const double size = passage_check_.calc_size(problem_.contacts[i].key);
    if (goes_on && records_[i].gap < -kDeep * size) return i;
  }
  return -1;
}

// Which of its conditions the certificate misses.
std::string Stepper::explain_failure(const contact::Certificate& certificate, int sunk) const {
  if (sunk >= 0) {
    return "the compliant contact of " + model_->bodies[records_[sunk].body_a].name + " and " +
           model_->bodies[records_[sunk].body_b].name + " overlaps by " +
           to_text(-records_[sunk].gap) + " m, more than half the size of the smaller one";
  }
  if (unsettled_ > *options_.tolerance * h_ * speed_) {
    return "the fixed point did not settle: last change of position " + to_text(unsettled_) + " m";
  }
  return "certified residual " + to_text(certificate.residual) + find_worst_place() +
         " is above the tolerance " + to_text(*options_.tolerance);
}

// " at the contact of a and b", or the joint: the one that fails the law by most.
std::string Stepper::find_worst_place() const {
  if (overlooked_.gap < -kViolation) {
    return " at a contact of " + model_->bodies[overlooked_.body_a].name + " and " +
           model_->bodies[overlooked_.body_b].name + " that took no part";
  }
  const auto worst =
      std::max_element(checks_.begin(), checks_.end(), [](const auto& a, const auto& b) {
        return a.residual < b.residual;
      });
  return worst == checks_.end() ? "" : tell_place(static_cast<int>(worst - checks_.begin()));
}

// The same for the one whose island gained most.
std::string Stepper::find_greediest_place() const {
  const auto worst =
      std::max_element(records_.begin(), records_.end(), [](const auto& a, const auto& b) {
        return a.excess_work < b.excess_work;
      });
  return worst == records_.end() ? "" : tell_place(static_cast<int>(worst - records_.begin()));
}

std::string Stepper::tell_place(int i) const {
  const Contact& c = problem_.contacts[i];
  const std::string& b = model_->bodies[c.body_b].name;
  if (c.kind != contact::ContactKind::kSurface) return " at the joint of " + b;
  return " at the contact of " + model_->bodies[c.body_a].name + " and " + b;
}

void Stepper::write_certificate(OwnError own_error, StepReport* report) {
  contact::Certificate& certificate = report->certificate;
  const bool is_compliant = options_.is_compliant() && !rigid_residuals_.empty();
  const auto num_ends = static_cast<int>(end_contacts_.size());
  certificate += sum(workers_, num_ends, contact::Certificate(), [this](int i) {
    return contact::Certificate{.penetration = -end_contacts_[i].gap};
  });
  certificate += sum(workers_, problem_.size(), contact::Certificate(), [&](int i) {
    const contact::LawCheck& check = checks_[i];
    return contact::Certificate{.residual = check.residual,
                                .cone_violation = check.cone_violation,
                                .dissipation_gap = check.dissipation_gap,
                                .passed = check.residual <= *options_.tolerance,
                                .rigid_residual = is_compliant ? rigid_residuals_[i] : 0.0,
                                .forces_unique = records_[i].force_unique};
  });
  if (overlooked_.gap < -kViolation) {
    certificate.residual = std::max(certificate.residual, -overlooked_.gap / (h_ * speed_));
  }
  certificate.residual = std::max(certificate.residual, unsettled_ / (h_ * speed_));
  const int sunk = find_sunk();
  certificate.passed =
      certificate.passed && certificate.residual <= *options_.tolerance && sunk < 0;
  const auto passage =
      passage_check_.find_worst({.X_begin = X_start_, .X_end = X_end_, .V = V_kicked_, .h = h_});
  if (!is_compliant) certificate.rigid_residual = certificate.residual;
  // The conditions are those under which Lemke's algorithm must succeed. Under the cone solver they
  // are worth less than they would cost where many bodies touch.
  constexpr int kMostForCone = 24;  // velocities: four loose bodies
  const int most = by_cone_ ? kMostForCone : std::numeric_limits<int>::max();
  report->existence =
      existence_.test_all(*model_, M_, problem_.J, problem_.contacts, solver_.islands(), most);
  certify_energy(report);
  certificate.scheme_gain = calc_scheme_gain(own_error);
  const auto overlap = find_overlap(own_error);
  if (too_fast_ && q_end_.allFinite()) {
    report->status = AdvanceStatus::kNonfinite;
    report->message = "a mechanism moves too fast to be followed within one step";
  } else if (!q_end_.allFinite() || !v_end_.allFinite()) {
    report->status = AdvanceStatus::kNonfinite;
    report->message = "the state is not finite any more";
  } else if (passage) {
    certificate.passed = false;
    certificate.penetration = std::max(certificate.penetration, passage->depth);
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = contact::to_text(*passage, *model_);
  } else if (!certificate.passed) {
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = explain_failure(certificate, sunk);
  } else if (certificate.excess_work > 0.0) {
    certificate.passed = false;
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = "contacts gain " + to_text(certificate.excess_work) +
                      " J more than their law allows" + find_greediest_place();
  } else if (overlap) {
    certificate.passed = false;
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = tell_overlap(*overlap, *model_);
  } else if (certificate.scheme_gain > 0.0) {
    certificate.passed = false;
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = "the step's own error would create " + to_text(certificate.scheme_gain) +
                      " J more than is allowed";
  }
}

// Contacts whose stiffness or compliance stores energy give it back, which no sample tells.
void Stepper::certify_energy(StepReport* report) {
  if (options_.is_compliant()) return;
  for (int k = 0; k < solver_.islands().size(); ++k) {
    const std::span<const int> island = solver_.islands().contacts(k);
    const double excess = calc_excess_work(works_, island, speed_, *options_.tolerance);
    if (excess == 0.0) continue;
    const int worst = *std::max_element(island.begin(), island.end(), [this](int i, int j) {
      return calc_contact_work(works_[i]) < calc_contact_work(works_[j]);
    });
    records_[worst].excess_work = excess;
    report->certificate.excess_work = std::max(report->certificate.excess_work, excess);
  }
}

}  // namespace tenpin::methods::time_stepping
