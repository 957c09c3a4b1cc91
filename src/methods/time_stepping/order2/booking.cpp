#include "methods/time_stepping/order2/booking.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contact/painleve.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;
using contact::ContactVector;
using contact::kNormalRow;
using contact::Ledger;

namespace {

JournalEntry make_entry(const StepSetup& setup, const Schedule& schedule, const Substep& substep,
                        int i, const ContactVector& drive, bool is_impact) {
  const ContactProblem& problem = substep.problem;
  const SubstepContact& c = substep.contacts[i];
  const int node = node_of(*setup.model, problem.contacts[i]);
  const double h = schedule.length(node);
  const contact::ContactBlock& W = problem.J.own_delassus(i);
  JournalEntry entry;
  entry.contact = problem.contacts[i];
  entry.impulse = c.impulse;
  entry.before = c.before;
  entry.after = c.after;
  entry.check = c.check;
  entry.speed = c.speed;
  entry.mobility = problem.calc_mobility(i);
  entry.normal_mobility = W(kNormalRow, kNormalRow);
  entry.turn = c.turn;
  entry.drive_work = -c.impulse.dot(drive);
  entry.begin = schedule.nodes[node].begin;
  entry.share = h / schedule.h;
  entry.is_unique = c.is_unique;
  entry.is_least = c.is_least;
  entry.is_final = is_impact;
  entry.is_smooth = !is_impact;
  if (entry.contact.kind != contact::ContactKind::kSurface) return entry;
  // `others` is the velocity change due to the impulses of all other contacts. A slip that the
  // substep itself could cause or end does not count.
  const double others = is_impact ? 0.0
                                  : c.after[kNormalRow] - c.before[kNormalRow] - c.fall -
                                        W.row(kNormalRow).dot(c.impulse);
  const double slow = std::max(std::fabs(c.fall), setup.gravity() * h);
  const double mu = entry.contact.limit != nullptr ? 0.0 : problem.mu[i];
  const contact::Painleve verdict =
      contact::calc_painleve(mu, W, c.before, h > 0.0 ? (c.fall + others) / h : 0.0, slow);
  entry.painleve = verdict.A;
  entry.free_acceleration = verdict.b;
  entry.no_acceleration_solution = verdict.no_solution && entry.impulse[kNormalRow] > 0.0;
  return entry;
}

// J   Energy that the scheme may gain at a contact. In theory the error is -p.(J1 - J0)(v1 - v0)/4.
// The Jacobian turns as fast as the bodies do, or as fast as slip turns it on rounded surfaces. In
// addition, the law holds only up to the tolerance.
double calc_allowed_gain(const StepSetup& setup, const StepProgress& step, const Contact& c,
                         const SubstepContact& solved) {
  const double impulse = solved.impulse.head<3>().norm();
  double rate = 0.0;    // rad/s   at which the Jacobian turns
  double change = 0.0;  // m/s     of the velocities at the contact
  const double slip =
      std::max(solved.before.segment<2>(1).norm(), solved.after.segment<2>(1).norm());
  const auto add = [&](int body, const Vec3& p, double radius) {
    const dynamics::Twist& V_begin = step.path.begin.motion.V[body];
    const dynamics::Twist& V_end = step.path.end.motion.V[body];
    rate += std::max(V_begin.w.norm(), V_end.w.norm());
    if (radius != 0.0) rate += slip / std::fabs(radius);
    if (!setup.model->bodies[body].is_mobile()) return;
    change += (V_end.v - V_begin.v).norm() +
              (p - step.path.mid.motion.X[body].p).norm() * (V_end.w - V_begin.w).norm();
  };
  add(c.body_a, c.p_a, c.radius_a);
  add(c.body_b, c.p_b, c.radius_b);
  const double h = step.schedule.length(node_of(*setup.model, c));
  return impulse * (kErrorMargin * 0.25 * h * rate * change + setup.tolerance() * solved.speed);
}

// m/s   The velocity that counts as the start of a contact. A smooth contact can only lose energy,
// because the law was met at the end of the previous substep, up to the scheme's error. So a
// contact counts as starting at rest if its velocity is small compared with its change within the
// substep, or if it would gain energy.
ContactVector calc_start_velocity(const StepSetup& setup, const SubstepContact& c) {
  constexpr double kNext = 0.02;
  const double next_to_none = kNext * std::fabs(c.fall);
  ContactVector u = c.before;
  if (u[kNormalRow] >= -next_to_none) u[kNormalRow] = 0.0;
  const bool ends_at_rest = c.after.segment<2>(1).norm() <= setup.tolerance() * c.speed;
  const bool starts_at_rest = ends_at_rest && u.segment<2>(1).norm() <= next_to_none;
  const bool gains = c.impulse.tail<3>().dot((u + c.after).tail<3>()) > 0.0;
  if (starts_at_rest || gains) u.tail<3>().setZero();
  return u;
}

JournalEntry make_substep_entry(const StepSetup& setup, const StepProgress& step, Substep* substep,
                                int i, SubstepMotion* motion) {
  const ContactProblem& problem = substep->problem;
  const Path& path = step.path;
  SubstepContact& c = substep->contacts[i];
  const ContactVector minus = problem.J.velocity_of_bodies(i, path.mid.v);
  const ContactVector plus = problem.J.velocity_of_bodies(i, path.v_kicked);
  c.after = plus + c.offset;
  const Contact& contact = problem.contacts[i];
  JournalEntry entry =
      make_entry(setup, step.schedule, *substep, i,
                 0.5 * (motion->calc_drive(step.schedule, contact, path.begin, 0.0) +
                        motion->calc_drive(step.schedule, contact, path.predicted, 1.0)),
                 false);
  c.before = calc_start_velocity(setup, c);
  entry.before = c.before;
  entry.scheme_work = 0.5 * entry.impulse.dot(minus + plus - c.before - c.after) - entry.drive_work;
  entry.allowed_gain = calc_allowed_gain(setup, step, contact, c);
  split_work(&entry);
  return entry;
}

// Finds bodies that passed through each other on their paths, substep by substep.
std::optional<contact::Passage> find_passage(const StepSetup& setup, StepProgress* step,
                                             contact::PassageCheck* check) {
  std::vector<contact::Kink>& kinks = step->journal.kinks;
  const Schedule& schedule = step->schedule;
  const BodyMotion& begin = step->path.begin.motion;
  // The path of a body whose step was divided continues from its last kink.
  for (std::size_t i = 0, count = kinks.size(); i < count; ++i) {
    const int body = kinks[i].body;
    const int mechanism = setup.model->bodies[body].mechanism;
    const Node& node = schedule.nodes[mechanism >= 0 ? mechanism : schedule.driven_node()];
    kinks.push_back(
        {.body = body, .s = node.begin / schedule.h, .X_WB = begin.X[body], .w = begin.V[body].w});
  }
  std::sort(kinks.begin(), kinks.end(), [](const contact::Kink& a, const contact::Kink& b) {
    return std::tie(a.body, a.s) < std::tie(b.body, b.s);
  });
  return check->find_worst({.X_begin = begin.X,
                            .X_end = step->path.end.motion.X,
                            .V = begin.V,
                            .h = schedule.h,
                            .kinks = kinks});
}

}  // namespace

void book_substep(const StepSetup& setup, Substep* substep, SubstepMotion* motion,
                  StepProgress* step) {
  std::vector<JournalEntry>& entries = step->journal.entries;
  std::erase_if(entries, [&](const JournalEntry& e) {
    return !e.is_final && substep->nodes.contains(node_of(*setup.model, e.contact));
  });
  const std::size_t first = entries.size();
  entries.resize(first + substep->contacts.size());
  const auto book = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      entries[first + i] = make_substep_entry(setup, *step, substep, i, motion);
    }
  };
  if (setup.is_driven) {
    book(0, substep->problem.size());
  } else {
    setup.workers->split(substep->problem.size(), book);
  }
  motion->update_works(substep->nodes, step);
}

void book_impact(const StepSetup& setup, const contact::Islands& islands, const Substep& impact,
                 SubstepMotion* motion, StepProgress* step) {
  std::vector<JournalEntry>& entries = step->journal.entries;
  const std::size_t first = entries.size();
  std::vector<contact::WorkSample> samples;
  for (int i = 0; i < impact.problem.size(); ++i) {
    JournalEntry entry =
        make_entry(setup, step->schedule, impact, i, impact.contacts[i].offset, true);
    split_work(&entry);
    samples.push_back({.impulse = entry.impulse, .before = entry.before, .after = entry.after});
    entries.push_back(entry);
  }
  const Instant& begin = step->path.begin;
  for (const int m : impact.nodes.list) {
    if (m == step->schedule.driven_node()) continue;
    step->journal.done.prescribed += motion->calc_prescribed_work(
        m, step->schedule.time(m, 0.0), begin.motion.X, begin.v, impact.answer.v);
  }
  if (step->is_support_check) return;
  for (int k = 0; k < islands.size(); ++k) {
    const std::span<const int> island = islands.contacts(k);
    const int worst = *std::max_element(island.begin(), island.end(), [&](int i, int j) {
      return calc_contact_work(samples[i]) < calc_contact_work(samples[j]);
    });
    entries[first + worst].excess_work =
        calc_excess_work(samples, island, impact.speed, setup.tolerance());
  }
}

void restart(const StepSetup& setup, const NodeSet& nodes, StepProgress* step) {
  Schedule& schedule = step->schedule;
  Instant& begin = step->path.begin;
  const Instant& end = step->path.end;
  for (const int i : nodes.list) {
    Node& node = schedule.nodes[i];
    for (const int body : bodies_of(setup, i)) {
      step->journal.kinks.push_back({.body = body,
                                     .s = node.begin / schedule.h,
                                     .X_WB = begin.motion.X[body],
                                     .w = begin.motion.V[body].w});
    }
    node.begin = node.end;
    node.end = schedule.h;
    node.state = NodeState::kReady;
    step->journal.done += node.works;
    node.projected += node.works.projection;
    node.works = {};
    for (const int body : bodies_of(setup, i)) {
      begin.motion.X[body] = end.motion.X[body];
      begin.motion.V[body] = end.motion.V[body];
    }
    if (i == schedule.driven_node()) continue;
    const dynamics::Mechanism& m = setup.model->mechanisms[i];
    begin.q.segment(m.q_begin, m.nq) = end.q.segment(m.q_begin, m.nq);
    begin.v.segment(m.v_begin, m.nv) = end.v.segment(m.v_begin, m.nv);
  }
  for (JournalEntry& entry : step->journal.entries) {
    if (nodes.contains(node_of(*setup.model, entry.contact))) entry.is_final = true;
  }
}

Ledger calc_ledger(const StepSetup& setup, const StepProgress& step) {
  Works works = step.journal.done;
  for (const Node& node : step.schedule.nodes) works += node.works;
  Ledger ledger;
  ledger.work[Ledger::kApplied] = works.applied;
  ledger.work[Ledger::kFreeFlight] = works.flight;
  ledger.work[Ledger::kProjection] = works.projection;
  ledger.work[Ledger::kPrescribed] = works.prescribed;
  for (const JournalEntry& entry : step.journal.entries) {
    ledger.work[Ledger::kNormal] += entry.normal_work;
    ledger.work[Ledger::kFriction] += entry.friction_work;
    ledger.work[Ledger::kScheme] += entry.scheme_work;
    ledger.work[Ledger::kPrescribed] += entry.drive_work;
  }
  const Instant& end = step.path.end;
  close_ledger(calc_kinetic_energy(*setup.model, end.motion.X, end.motion.V, end.v, setup.workers),
               calc_potential_energy(*setup.model, end.motion.X, end.q, setup.workers),
               step.start.energy, &ledger);
  return ledger;
}

// J   The largest gain of a group beyond a small fraction of the energy that it has.
double StepCertifier::calc_gain_beyond_scale(const StepSetup& setup, const StepProgress& step,
                                             SubstepMotion* motion) {
  scales_.assign(gain_.size(), {});
  kinetic_end_.assign(gain_.size(), 0.0);
  const Instant& end = step.path.end;
  for (int m = 0; m < setup.num_mechanisms(); ++m) {
    const int root = groups_.root(m);
    if (!(gain_[root] > 0.0)) continue;
    scales_[root].kinetic += step.start.kinetic[m];
    kinetic_end_[root] += motion->calc_kinetic(m, step.schedule.t1, end.motion.X, end.v);
    for (const int i : setup.model->mechanisms[m].bodies) {
      scales_[root].weight += setup.model->bodies[i].mass * setup.gravity() * setup.radius[i];
    }
  }
  for (const JournalEntry& entry : step.journal.entries) {
    scales_[groups_.root(node_of(*setup.model, entry.contact))].rounding +=
        setup.tolerance() * entry.impulse.head<3>().norm() * entry.speed;
  }
  const double share = std::min(step.schedule.h / setup.options.step, 1.0);
  double worst = 0.0;
  for (int root = 0; root < setup.num_mechanisms(); ++root) {
    if (gain_[root] <= 0.0) continue;
    scales_[root].kinetic = std::max(scales_[root].kinetic, kinetic_end_[root]);
    worst = std::max(worst, gain_[root] - allow_gain(scales_[root], share, OwnError::kBounded));
  }
  return worst;
}

// J   Energy that smooth substeps created at the contacts of a group beyond what is allowed; the
// largest of all groups. Corrections of positions after an impact may add a small fraction of the
// energy that the impact removed.
double StepCertifier::calc_scheme_gain(const StepSetup& setup, const StepProgress& step,
                                       SubstepMotion* motion) {
  constexpr double kPlacing = 1e-3;  // -   of the energy that an impact removes
  groups_.reset(setup);
  for (const JournalEntry& entry : step.journal.entries) groups_.join(setup, entry.contact);
  gain_.assign(step.schedule.nodes.size(), 0.0);
  allowed_.assign(step.schedule.nodes.size(), 0.0);
  for (const JournalEntry& entry : step.journal.entries) {
    const double work = 0.5 * entry.impulse.dot(entry.before + entry.after);
    const int root = groups_.root(node_of(*setup.model, entry.contact));
    if (entry.is_smooth) gain_[root] += entry.scheme_work + work;
    allowed_[root] += entry.is_smooth ? entry.allowed_gain : kPlacing * std::fabs(work);
  }
  for (int i = 0; i < step.schedule.size(); ++i) {
    const Node& node = step.schedule.nodes[i];
    gain_[groups_.root(i)] += node.projected + node.works.projection;
  }
  double worst = calc_gain_beyond_scale(setup, step, motion);
  // Trees are kicked at a velocity that contains the fall of the half drifts, which this bound does
  // not cover.
  for (int i = 0; i < setup.num_mechanisms(); ++i) {
    if (!setup.is_loose(i)) gain_[groups_.root(i)] = 0.0;
  }
  for (std::size_t i = 0; i < gain_.size(); ++i) worst = std::max(worst, gain_[i] - allowed_[i]);
  return worst > 1e-12 * std::fabs(step.start.energy) ? worst : 0.0;
}

void StepCertifier::certify(const StepSetup& setup, const dynamics::State& start,
                            StepProgress* step, ContactTracker* tracker, SubstepMotion* motion,
                            StepReport* report) {
  const std::vector<JournalEntry>& entries = step->journal.entries;
  contact::Certificate& certificate = report->certificate;
  report->num_contacts = static_cast<int>(step->end_contacts.size());
  certificate += certify_gaps(setup, step->end_contacts);
  certificate += certify_entries(setup, entries);
  certificate.passed = certificate.passed && certificate.residual <= setup.tolerance();
  certificate.rigid_residual = certificate.residual;
  certificate.scheme_gain = calc_scheme_gain(setup, *step, motion);

  Findings findings;
  findings.too_fast = step->journal.too_fast;
  findings.is_finite = step->path.end.q.allFinite() && step->path.end.v.allFinite();
  findings.passage = find_passage(setup, step, &tracker->search().passage_check);
  findings.overlap = tracker->search().overlap_check.find_worst(
      step->end_contacts, {.q = start.q, .t = start.t, .reach = tracker->reach()});
  flights_.restart(setup);
  for (const JournalEntry& entry : entries) flights_.touch(entry.contact);
  flights_.touch(step->end_contacts);
  const Schedule& schedule = step->schedule;
  const BodyMotion& begin = step->path.begin.motion;
  const BodyMotion& end = step->path.end.motion;
  findings.flight = flights_.find_worst(
      setup, {.X_WB = begin.X, .V_WB = begin.V}, {.X_WB = end.X, .V_WB = end.V}, 0.5,
      [&](int body) {
        const int node = setup.model->bodies[body].mechanism;
        return schedule.nodes[node].state == NodeState::kAway ? 0.0 : schedule.length(node);
      });
  if (!certificate.passed) {
    findings.residual_text = tell_residual(
        certificate.residual, tell_worst_place(*setup.model, entries), setup.tolerance());
  }
  judge(setup, findings, entries, report);
}

}  // namespace tenpin::methods::time_stepping::order2
