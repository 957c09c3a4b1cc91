// What a step of second order says about itself: contacts, ledger, certificate.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"
#include "contact/painleve.h"
#include "dynamics/prescribed.h"
#include "math/rotation.h"
#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;
using contact::ContactRecord;
using contact::ContactVector;
using contact::kNormalRow;
using contact::Ledger;
using contact::Mode;

namespace {

constexpr double kNothing = 1e-10;  // [ST00, §3.1]: below it an impulse or a slip is rounding

}  // namespace

// m/s   What prescribed motion adds to a contact's velocity.
ContactVector SecondOrderStepper::calc_drive(const Contact& c, const BodyMotion& motion,
                                             double part) {
  ContactVector drive = ContactVector::Zero();
  if ((driven_.empty() && !is_driven_) || c.kind != contact::ContactKind::kSurface) return drive;
  Vec3 u = Vec3::Zero();
  double spin = 0.0;
  const auto add = [&](int body, const Vec3& p, double sign) {
    const int m = model_->bodies[body].mechanism;
    if (m >= 0) {
      if (!is_driven_ || !is_driven(*model_, model_->mechanisms[m])) return;
      V_drive_.resize(model_->bodies.size());
      update_twists(*model_, model_->mechanisms[m], motion.X, zero_, time(m, part), &V_drive_);
    }
    const dynamics::Twist& V = m >= 0 ? V_drive_[body] : motion.V[body];
    u += sign * V.at(p - motion.X[body].p);
    spin += sign * c.normal.dot(V.w);
  };
  add(c.body_a, c.p_a, -1.0);
  add(c.body_b, c.p_b, 1.0);
  return {c.normal.dot(u), c.t1.dot(u), c.t2.dot(u), spin};
}

SecondOrderStepper::Entry SecondOrderStepper::make_entry(int i, const ContactVector& drive,
                                                         bool is_impact) const {
  Entry entry;
  entry.contact = problem_.contacts[i];
  entry.impulse = impulses_[i];
  entry.before = u0_[i];
  entry.after = u1_[i];
  entry.check = checks_[i];
  entry.speed = law_speeds_[i];
  const contact::ContactBlock& W = problem_.J.own_delassus(i);
  entry.mobility = W.topLeftCorner<3, 3>().trace() / 3.0;
  entry.normal_mobility = W(kNormalRow, kNormalRow);
  entry.turn = turn_[i];
  entry.drive_work = -impulses_[i].dot(drive);
  const double h = length(node_of(entry.contact));
  entry.begin = begin_[node_of(entry.contact)];
  entry.share = h / h_;
  entry.is_unique = is_unique_[i] != 0;
  if (entry.contact.kind != contact::ContactKind::kSurface) return entry;
  // With the impulses that all other contacts took. A slip that the piece itself could make or end
  // is none.
  const double others = is_impact ? 0.0
                                  : u1_[i][kNormalRow] - u0_[i][kNormalRow] - fall_[i] -
                                        W.row(kNormalRow).dot(impulses_[i]);
  const double slow = std::max(std::fabs(fall_[i]), model_->gravity.norm() * h);
  const contact::Painleve verdict = contact::calc_painleve(
      problem_.mu[i], W, u0_[i], h > 0.0 ? (fall_[i] + others) / h : 0.0, slow);
  entry.painleve = verdict.A;
  entry.free_acceleration = verdict.b;
  entry.no_acceleration_solution = verdict.no_solution && entry.impulse[kNormalRow] > 0.0;
  return entry;
}

// J   What the scheme may gain at a contact. Theory: the error is -p.(J1 - J0)(v1 - v0)/4, and the
// Jacobian turns as fast as the bodies do, or as slip makes it turn on rounded surfaces. Besides,
// the law is met only to the tolerance.
double SecondOrderStepper::calc_allowed_gain(int i) const {
  constexpr double kSafety = 2.0;  // measured: rolling over a hill takes 1.2, a rocking block 0.5
  const Contact& c = problem_.contacts[i];
  const double impulse = impulses_[i].head<3>().norm();
  double rate = 0.0;    // rad/s   of the Jacobian
  double change = 0.0;  // m/s     of the velocities at the contact
  const double slip = std::max(u0_[i].segment<2>(1).norm(), u1_[i].segment<2>(1).norm());
  const auto add = [&](int body, const Vec3& p, double radius) {
    const dynamics::Twist& V_begin = at_begin_.V[body];
    const dynamics::Twist& V_end = at_end_.V[body];
    rate += std::max(V_begin.w.norm(), V_end.w.norm());
    if (radius != 0.0) rate += slip / std::fabs(radius);
    if (!model_->bodies[body].is_mobile()) return;
    change += (V_end.v - V_begin.v).norm() +
              (p - at_mid_.X[body].p).norm() * (V_end.w - V_begin.w).norm();
  };
  add(c.body_a, c.p_a, c.radius_a);
  add(c.body_b, c.p_b, c.radius_b);
  return impulse * (kSafety * 0.25 * length(node_of(c)) * rate * change +
                    *options_.tolerance * law_speeds_[i]);
}

// J   Energy that smooth pieces created at the contacts of a group, beyond what is allowed; the
// worst of all groups. Putting contacts in place after an impact is allowed a little of its loss.
double SecondOrderStepper::calc_scheme_gain() {
  constexpr double kPlacing = 1e-3;  // -   of the energy that an impact takes away
  groups_.reset(driven_node_ + 1);
  for (const Entry& entry : entries_) join(entry.contact);
  gain_.assign(is_moving_.size(), 0.0);
  std::vector<double>& allowed = law_moved_;
  allowed.assign(is_moving_.size(), 0.0);
  for (const Entry& entry : entries_) {
    const double work = 0.5 * entry.impulse.dot(entry.before + entry.after);
    const int root = groups_.root(node_of(entry.contact));
    if (entry.is_smooth) gain_[root] += entry.scheme_work + work;
    allowed[root] += entry.is_smooth ? entry.allowed_gain : kPlacing * std::fabs(work);
  }
  for (int i = 0; i <= driven_node_; ++i) {
    gain_[groups_.root(i)] += projected_[i] + works_[i].projection;
  }
  double worst = calc_gain_beyond_scale(gain_);
  // Trees are kicked against the fall of both half drifts, whose error this bound does not know.
  for (int i = 0; i < driven_node_; ++i) {
    if (!is_loose(i)) gain_[groups_.root(i)] = 0.0;
  }
  for (std::size_t i = 0; i < gain_.size(); ++i) worst = std::max(worst, gain_[i] - allowed[i]);
  return worst > 1e-12 * std::fabs(energy_start_) ? worst : 0.0;
}

// J   By how much a group gained more than is small beside the energy that it has.
double SecondOrderStepper::calc_gain_beyond_scale(std::span<const double> gain) {
  const auto gains = [&](int node) {
    return gain[groups_.root(node)] > 0.0;
  };
  scales_.assign(gain.size(), {});
  kinetic_end_.assign(gain.size(), 0.0);
  for (int m = 0; m < driven_node_; ++m) {
    if (!gains(m)) continue;
    EnergyScale& scale = scales_[groups_.root(m)];
    scale.kinetic += kinetic_start_[m];
    kinetic_end_[groups_.root(m)] += calc_kinetic(m, t1_, at_end_.X, v_end_);
    for (const int i : model_->mechanisms[m].bodies) {
      scale.weight += model_->bodies[i].mass * model_->gravity.norm() * radius_[i];
    }
  }
  for (const Entry& entry : entries_) {
    scales_[groups_.root(node_of(entry.contact))].rounding +=
        *options_.tolerance * entry.impulse.head<3>().norm() * entry.speed;
  }
  const double share = std::min(h_ / options_.step, 1.0);
  double worst = 0.0;
  for (int root = 0; root < driven_node_; ++root) {
    if (gain[root] <= 0.0) continue;
    scales_[root].kinetic = std::max(scales_[root].kinetic, kinetic_end_[root]);
    worst = std::max(worst, gain[root] - allow_gain(scales_[root], share, OwnError::kBounded));
  }
  return worst;
}

// J   of one mechanism.
double SecondOrderStepper::calc_kinetic(int m, double t, const std::vector<Pose>& X_WB,
                                        const VecX& v) {
  const dynamics::Mechanism& mechanism = model_->mechanisms[m];
  update_twists(*model_, mechanism, X_WB, v, mechanism.is_loose ? 0.0 : t, &V_scratch_);
  return calc_kinetic_energy(*model_, mechanism, X_WB, V_scratch_, v);
}

// J   What prescribed motion does while the velocities of a mechanism that hangs from it change at
// once, at that time.
double SecondOrderStepper::calc_prescribed_work(int m, double t, const std::vector<Pose>& X_WB,
                                                const VecX& before, const VecX& after) {
  const dynamics::Mechanism& mechanism = model_->mechanisms[m];
  if (!is_driven_ || !is_driven(*model_, mechanism)) return 0.0;
  V_before_.resize(model_->bodies.size());
  V_drive_.resize(model_->bodies.size());
  update_twists(*model_, mechanism, X_WB, before, t, &V_before_);
  update_twists(*model_, mechanism, X_WB, after, t, &V_scratch_);
  update_twists(*model_, mechanism, X_WB, zero_, t, &V_drive_);
  return dynamics::calc_prescribed_work(*model_, mechanism, X_WB, V_before_, V_scratch_, V_drive_);
}

// Which impulses of the last solve could be others.
void SecondOrderStepper::mark_unique_forces() {
  forces_.resize(problem_.contacts.size());
  const double small = (by_cone_ ? *options_.tolerance : kNothing) * std::max(speed_, 1e-300);
  for (int i = 0; i < problem_.size(); ++i) {
    const ContactVector u = problem_.J.velocity(i, answer_.v);
    const bool rests = u[kNormalRow] - problem_.required[i] <= small;
    forces_[i] = {.impulse = impulses_[i],
                  .slip = u.tail<3>(),
                  .mu = problem_.mu[i],
                  .touches = impulses_[i][kNormalRow] > 0.0 || rests,
                  .slips = u.tail<3>().norm() > small};
  }
  (void)uniqueness_.test(*model_, M_, problem_.J, problem_.contacts, forces_, &is_unique_);
}

// J   Of the normal impulse and of friction, along a straight path: only their sum is exact.
// Friction never works, so what such a path gives it above zero is booked as normal.
Vec2 SecondOrderStepper::calc_works(const Entry& entry) {
  const ContactVector mean = 0.5 * (entry.before + entry.after);
  const double friction = entry.impulse.tail<3>().dot(mean.tail<3>());
  const double misplaced = contact::calc_misplaced_friction_work(friction);
  return {entry.impulse[kNormalRow] * mean[kNormalRow] + misplaced, friction - misplaced};
}

// What a smooth contact does to the energy is at most a loss. The law was met at the end of the
// piece before, up to the scheme's error: a held contact that starts with next to no velocity,
// measured by what the piece changes, or with one that would make it gain, counts as starting at
// rest.
void SecondOrderStepper::rest_start(int i) {
  constexpr double kNext = 0.02;
  const double next_to_none = kNext * std::fabs(fall_[i]);
  ContactVector& u = u0_[i];
  if (u[kNormalRow] >= -next_to_none) u[kNormalRow] = 0.0;
  const bool ends_at_rest = u1_[i].segment<2>(1).norm() <= *options_.tolerance * law_speeds_[i];
  const bool starts_at_rest = ends_at_rest && u.segment<2>(1).norm() <= next_to_none;
  const bool gains = impulses_[i].tail<3>().dot((u + u1_[i]).tail<3>()) > 0.0;
  if (starts_at_rest || gains) u.tail<3>().setZero();
}

// The energy that an impulse gives is exactly impulse times mean velocity in the middle. Its
// contact saw the mean of start and end; what is left is the scheme's own error.
void SecondOrderStepper::book_piece() {
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                [this](const Entry& e) {
                                  return !e.is_final && is_moving_[node_of(e.contact)] != 0;
                                }),
                 entries_.end());
  mark_unique_forces();
  for (int i = 0; i < problem_.size(); ++i) {
    const ContactVector minus = problem_.J.velocity_of_bodies(i, v_mid_);
    const ContactVector plus = problem_.J.velocity_of_bodies(i, v_kicked_);
    u1_[i] = plus + offset_[i];
    Entry entry = make_entry(i,
                             0.5 * (calc_drive(problem_.contacts[i], at_begin_, 0.0) +
                                    calc_drive(problem_.contacts[i], at_far_, 1.0)),
                             false);
    rest_start(i);
    entry.before = u0_[i];
    entry.scheme_work = 0.5 * entry.impulse.dot(minus + plus - u0_[i] - u1_[i]) - entry.drive_work;
    entry.allowed_gain = calc_allowed_gain(i);
    entries_.push_back(entry);
  }
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    const auto minus = v_mid_.segment(mechanism.v_begin, mechanism.nv);
    const auto plus = v_kicked_.segment(mechanism.v_begin, mechanism.nv);
    works_[m] = {.applied =
                     0.5 * applied_.segment(mechanism.v_begin, mechanism.nv).dot(minus + plus)};
    const dynamics::Flight::Work none;
    const dynamics::Flight::Work& first = is_loose(m) ? none : flown_[m];
    const dynamics::Flight::Work& second = is_loose(m) ? none : flown_end_[m];
    works_[m].applied += first.applied + second.applied;
    works_[m].prescribed = first.prescribed + second.prescribed;
    works_[m].flight = -first.applied - second.applied - first.potential - second.potential -
                       first.prescribed - second.prescribed;
    const double t_mid = time(m, is_flying_[m] != 0 ? 1.0 : 0.5);  // who flies has no kick
    works_[m].flight += calc_kinetic(m, time(m, 1.0), at_end_.X, v_end_) -
                        calc_kinetic(m, t_mid, at_mid_.X, v_kicked_) +
                        calc_kinetic(m, t_mid, at_mid_.X, v_mid_) -
                        calc_kinetic(m, time(m, 0.0), at_begin_.X, v_begin_);
    if (is_flying_[m] != 0) continue;
    works_[m].prescribed += calc_prescribed_work(m, t_mid, at_mid_.X, v_mid_, v_kicked_);
  }
}

void SecondOrderStepper::book_impact() {
  mark_unique_forces();
  samples_.resize(problem_.contacts.size());
  const std::size_t first = entries_.size();
  for (int i = 0; i < problem_.size(); ++i) {
    Entry entry = make_entry(i, offset_[i], true);
    entry.is_final = true;
    entry.is_smooth = false;
    samples_[i] = {.impulse = entry.impulse, .before = entry.before, .after = entry.after};
    entries_.push_back(entry);
  }
  for (const int m : moving_) {
    if (m == driven_node_) continue;
    done_.prescribed += calc_prescribed_work(m, time(m, 0.0), at_begin_.X, v_begin_, answer_.v);
  }
  for (int k = 0; k < solver_.islands().size(); ++k) {
    const std::span<const int> island = solver_.islands().contacts(k);
    const int worst = *std::max_element(island.begin(), island.end(), [this](int i, int j) {
      return calc_contact_work(samples_[i]) < calc_contact_work(samples_[j]);
    });
    entries_[first + worst].excess_work =
        calc_excess_work(samples_, island, speed_, *options_.tolerance);
  }
}

// Where a joint is and which way it turns or slides, for its stops.
void SecondOrderStepper::place_joint_record(const Contact& c, ContactRecord* r) const {
  const dynamics::Joint& joint = model_->bodies[c.body_b].joint;
  const Pose& X_WB = at_end_.X[c.body_b];
  const Mat3 R_WM = X_WB.R * joint.X_MB.R.transpose();
  r->position = X_WB.p - R_WM * joint.X_MB.p;
  const bool is_ball = joint.type == dynamics::JointType::kBall;
  r->normal = is_ball ? Vec3(R_WM * c.direction) : Vec3(R_WM.col(2));
}

// All solves of a contact are one record.
void SecondOrderStepper::write_records() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.contact.key, a.begin, a.is_smooth) <
           std::tie(b.contact.key, b.begin, b.is_smooth);
  });
  records_.clear();
  for (const Entry& entry : entries_) {
    const Contact& c = entry.contact;
    if (records_.empty() || records_.back().key != c.key) {
      records_.emplace_back();
      records_.back().key = c.key;
    }
    ContactRecord& r = records_.back();
    const ContactVector& p = entry.impulse;
    const Vec2 works = calc_works(entry);
    r.body_a = c.body_a;
    r.body_b = c.body_b;
    r.position = 0.5 * (c.p_a + c.p_b);
    r.normal = calc_mean_normal({r.normal, r.normal_impulse}, {c.normal, p[kNormalRow]});
    const Contact* at_end = contact::find_contact(end_contacts_, c.key);
    r.gap = at_end != nullptr ? at_end->gap : c.gap;
    r.impulse += c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
    r.normal_impulse += p[kNormalRow];
    r.spin_impulse += p[contact::kSpinRow];
    r.slip = c.t1 * entry.after[1] + c.t2 * entry.after[2];
    r.normal_velocity = entry.after[kNormalRow];
    r.residual = std::max(r.residual, entry.check.residual);
    r.dissipation_gap = std::max(r.dissipation_gap, entry.check.dissipation_gap);
    r.normal_work += works[0];
    r.friction_work += works[1];
    r.excess_work = std::max(r.excess_work, entry.excess_work);
    r.force_unique = r.force_unique && entry.is_unique;
    if (c.kind != contact::ContactKind::kSurface) place_joint_record(c, &r);
    if (entry.no_acceleration_solution || !r.no_acceleration_solution) {
      r.painleve = entry.painleve;
      r.free_acceleration = entry.free_acceleration;
    }
    r.no_acceleration_solution |= entry.no_acceleration_solution;
    const double small = (by_cone_ ? *options_.tolerance : kNothing) * entry.speed;
    const Vec3 friction = r.impulse - r.normal * r.normal.dot(r.impulse);
    if (r.normal_impulse * entry.mobility <= small) {
      r.mode = contact::find_unloaded_mode(r.gap, r.normal_velocity,
                                           std::max(kTouching, small * h_), small);
    } else if (r.slip.norm() > small) {
      r.mode = Mode::kSliding;
    } else {
      r.mode = friction.norm() * entry.mobility > small ? Mode::kSticking : Mode::kResting;
    }
  }
}

void SecondOrderStepper::write_ledger(StepReport* report) {
  Ledger& ledger = report->ledger;
  for (const Works& works : works_) done_ += works;
  ledger.work[Ledger::kApplied] = done_.applied;
  ledger.work[Ledger::kFreeFlight] = done_.flight;
  ledger.work[Ledger::kScheme] = done_.scheme;
  ledger.work[Ledger::kProjection] = done_.projection;
  ledger.work[Ledger::kPrescribed] = done_.prescribed;
  for (const Entry& entry : entries_) {
    const Vec2 works = calc_works(entry);
    ledger.work[Ledger::kNormal] += works[0];
    ledger.work[Ledger::kFriction] += works[1];
    ledger.work[Ledger::kScheme] += entry.scheme_work;
    ledger.work[Ledger::kPrescribed] += entry.drive_work;
  }
  ledger.kinetic = calc_kinetic_energy(*model_, at_end_.X, at_end_.V, v_end_, workers_);
  ledger.potential = calc_potential_energy(*model_, at_end_.X, q_end_, workers_);
  energy_end_ = ledger.total();
  double sum = 0.0;
  for (const double work : ledger.work) sum += work;
  ledger.closure = sum - (ledger.total() - energy_start_);
}

// Bodies that went through each other on the way that they took, piece by piece.
std::optional<contact::Passage> SecondOrderStepper::find_passage() {
  const auto comes_before = [](const contact::Kink& a, const contact::Kink& b) {
    return std::tie(a.body, a.s) < std::tie(b.body, b.s);
  };
  // A body whose step was divided goes on from its last kink.
  for (std::size_t i = 0, count = kinks_.size(); i < count; ++i) {
    const int body = kinks_[i].body;
    const int mechanism = model_->bodies[body].mechanism;
    const double s = begin_[mechanism >= 0 ? mechanism : driven_node_] / h_;
    kinks_.push_back({.body = body, .s = s, .X_WB = at_begin_.X[body], .w = at_begin_.V[body].w});
  }
  std::sort(kinks_.begin(), kinks_.end(), comes_before);
  return passage_check_.find_worst(
      {.X_begin = at_begin_.X, .X_end = at_end_.X, .V = at_begin_.V, .h = h_, .kinks = kinks_});
}

void SecondOrderStepper::write_certificate(const dynamics::State& start, StepReport* report) {
  contact::Certificate& certificate = report->certificate;
  report->num_contacts = static_cast<int>(end_contacts_.size());
  for (const Contact& c : end_contacts_) {
    certificate.penetration = std::max(certificate.penetration, -c.gap);
  }
  for (const Entry& entry : entries_) {
    const contact::LawCheck& check = entry.check;
    certificate.residual = std::max(certificate.residual, check.residual);
    certificate.cone_violation = std::max(certificate.cone_violation, check.cone_violation);
    certificate.dissipation_gap = std::max(certificate.dissipation_gap, check.dissipation_gap);
    certificate.excess_work = std::max(certificate.excess_work, entry.excess_work);
    certificate.forces_unique = certificate.forces_unique && entry.is_unique;
    // Also false for NaN, which max drops.
    certificate.passed = certificate.passed && check.residual <= *options_.tolerance;
  }
  certificate.passed = certificate.passed && certificate.residual <= *options_.tolerance;
  certificate.rigid_residual = certificate.residual;
  const auto passage = find_passage();
  const auto overlap =
      overlap_check_.find_worst(end_contacts_, {.q = start.q, .t = start.t, .reach = reach_});
  certificate.scheme_gain = calc_scheme_gain();
  if (too_fast_ && q_end_.allFinite()) {
    report->status = AdvanceStatus::kNonfinite;
    report->message = "a mechanism moves too fast, or is too stiff, to be followed within one step";
  } else if (!q_end_.allFinite() || !v_end_.allFinite()) {
    report->status = AdvanceStatus::kNonfinite;
    report->message = "the state is not finite any more";
  } else if (passage) {
    certificate.passed = false;
    certificate.penetration = std::max(certificate.penetration, passage->depth);
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = contact::to_text(*passage, *model_);
  } else if (overlap) {
    certificate.passed = false;
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = tell_overlap(*overlap, *model_);
  } else if (certificate.scheme_gain > 0.0) {
    certificate.passed = false;
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = "smooth contact would create " + to_text(certificate.scheme_gain) +
                      " J more than the method's order explains";
  } else if (!certificate.passed) {
    report->status = AdvanceStatus::kCertificateFailed;
    report->message = "certified residual " + to_text(certificate.residual) +
                      " is above the tolerance " + to_text(*options_.tolerance);
  } else if (certificate.excess_work > 0.0) {
    certificate.passed = false;
    report->status = AdvanceStatus::kCertificateFailed;
    report->message =
        "contacts gain " + to_text(certificate.excess_work) + " J more than their law allows";
  }
}

}  // namespace tenpin::methods::time_stepping
