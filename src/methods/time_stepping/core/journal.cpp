#include "methods/time_stepping/core/journal.h"

#include <algorithm>
#include <limits>

#include "base/rounded.h"
#include "base/text.h"
#include "contact/begin_record.h"
#include "methods/time_stepping/active_set.h"
#include "methods/time_stepping/contact_motion.h"

namespace tenpin::methods::time_stepping {

using contact::Certificate;
using contact::Contact;
using contact::ContactRecord;
using contact::ContactVector;
using contact::kNormalRow;
using contact::Mode;

namespace {

// Adds the result of one solve to the record of its contact.
void add_entry(const StepSetup& setup, const JournalEntry& entry, const RecordPlace& place,
               ContactRecord* r) {
  const Contact& c = entry.contact;
  const ContactVector& p = entry.impulse;
  const ContactRecord begun = begin_record(*setup.model, place.X_WB, c);
  const bool is_surface = c.kind == contact::ContactKind::kSurface;
  r->body_a = begun.body_a;
  r->body_b = begun.body_b;
  r->position = begun.position;
  r->normal = is_surface
                  ? calc_mean_normal({r->normal, r->normal_impulse}, {c.normal, p[kNormalRow]})
                  : begun.normal;
  const Contact* at_end = contact::find_contact(place.end_contacts, c.key);
  r->gap = at_end != nullptr ? at_end->gap : c.gap;
  r->impulse += c.normal * p[0] + c.t1 * p[1] + c.t2 * p[2];
  r->normal_impulse += p[kNormalRow];
  r->spin_impulse += p[contact::kSpinRow];
  r->slip = c.t1 * entry.after[1] + c.t2 * entry.after[2];
  r->normal_velocity = entry.after[kNormalRow];
  r->residual = std::max(r->residual, entry.check.residual);
  r->dissipation_gap = std::max(r->dissipation_gap, entry.check.dissipation_gap);
  r->normal_work += entry.normal_work;
  r->friction_work += entry.friction_work;
  r->excess_work = std::max(r->excess_work, entry.excess_work);
  r->force_unique = r->force_unique && entry.is_unique;
  if (entry.no_acceleration_solution || !r->no_acceleration_solution) {
    r->painleve = entry.painleve;
    r->free_acceleration = entry.free_acceleration;
  }
  r->no_acceleration_solution |= entry.no_acceleration_solution;
  const double small = calc_small_speed(setup, entry.speed);
  const Vec3 friction = r->impulse - r->normal * r->normal.dot(r->impulse);
  r->mode = r->normal_impulse * entry.mobility > small
                ? classify_loaded(r->slip.norm(), friction.norm() * entry.mobility, small)
                : contact::find_unloaded_mode(r->gap, r->normal_velocity,
                                              std::max(kTouching, small * place.h), small);
}

// The generators of a polyhedral cone that all oppose the slip best: it lies between them.
void find_edges(const StepSetup& setup, const contact::Contact& c, double small,
                contact::ForceState* state) {
  if (setup.by_cone) return;
  const double best = setup.cone.calc_best_dissipation(c, state->slip);
  for (int j = 0; j < setup.cone.count(c); ++j) {
    const contact::Generator d = setup.cone.generator(c, j);
    const bool is_best = best + d.dot(state->slip) <= small * d.norm();
    if (!is_best || state->num_edges == contact::ForceState::kMostEdges) continue;
    state->edges[state->num_edges++] = {state->mu * d.x(), state->mu * d.y(), state->mu * d.z()};
  }
}

}  // namespace

void split_work(JournalEntry* entry) {
  const ContactVector mean = 0.5 * (entry->before + entry->after);
  const double friction = entry->impulse.tail<3>().dot(mean.tail<3>());
  const double misplaced = contact::calc_misplaced_friction_work(friction);
  entry->normal_work = entry->impulse[kNormalRow] * mean[kNormalRow] + misplaced;
  entry->friction_work = friction - misplaced;
}

Mode classify_loaded(double slip, double friction, double small) {
  if (slip > small) return Mode::kSliding;
  return friction > small ? Mode::kSticking : Mode::kResting;
}

void write_records(const StepSetup& setup, std::span<const JournalEntry> entries,
                   const RecordPlace& place, std::vector<ContactRecord>* records) {
  records->clear();
  for (const JournalEntry& entry : entries) {
    if (records->empty() || records->back().key != entry.contact.key) {
      records->emplace_back();
      records->back().key = entry.contact.key;
    }
    add_entry(setup, entry, place, &records->back());
  }
}

Certificate certify_entries(const StepSetup& setup, std::span<const JournalEntry> entries) {
  return sum(setup.workers, static_cast<int>(entries.size()), Certificate(), [&](int i) {
    const JournalEntry& entry = entries[i];
    return Certificate{.residual = entry.check.residual,
                       .cone_violation = entry.check.cone_violation,
                       .dissipation_gap = entry.check.dissipation_gap,
                       // Also false for NaN, which std::max would drop.
                       .passed = entry.check.residual <= setup.tolerance(),
                       .rigid_residual = entry.rigid_residual,
                       .excess_work = entry.excess_work,
                       .forces_unique = entry.is_unique,
                       .forces_least = entry.is_least};
  });
}

Certificate certify_gaps(const StepSetup& setup, std::span<const Contact> end_contacts) {
  return sum(setup.workers, static_cast<int>(end_contacts.size()), Certificate(), [&](int i) {
    return Certificate{.penetration = -end_contacts[i].gap};
  });
}

void close_ledger(double kinetic, double potential, double energy_start, contact::Ledger* ledger) {
  ledger->kinetic = kinetic;
  ledger->potential = potential;
  double sum = 0.0;
  for (const double work : ledger->work) sum += work;
  ledger->closure = sum - (ledger->total() - energy_start);
}

std::string tell_place(const dynamics::Model& model, const Contact& c) {
  const std::string& b = model.bodies[c.body_b].name;
  const bool is_joint =
      c.kind == contact::ContactKind::kJointLimit || c.kind == contact::ContactKind::kJointFriction;
  if (is_joint) return " at the joint of " + b;
  return " at the contact of " + model.bodies[c.body_a].name + " and " + b;
}

std::string tell_worst_place(const dynamics::Model& model, std::span<const JournalEntry> entries) {
  const auto worst =
      std::max_element(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.check.residual < b.check.residual;
      });
  return worst == entries.end() ? "" : tell_place(model, worst->contact);
}

std::string tell_greediest_place(const dynamics::Model& model,
                                 std::span<const JournalEntry> entries) {
  const auto worst =
      std::max_element(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.excess_work < b.excess_work;
      });
  return worst == entries.end() ? "" : tell_place(model, worst->contact);
}

std::string tell_residual(double residual, const std::string& place, double tolerance) {
  return "certified residual " + to_rounded(residual) + place + " is above the tolerance " +
         to_text(tolerance);
}

void judge(const StepSetup& setup, const Findings& findings, std::span<const JournalEntry> entries,
           StepReport* report) {
  Certificate& certificate = report->certificate;
  const auto fail = [&](AdvanceStatus status, const std::string& message) {
    if (status == AdvanceStatus::kCertificateFailed) certificate.passed = false;
    report->status = status;
    report->message = message;
  };
  if (findings.too_fast && findings.is_finite) {
    fail(AdvanceStatus::kNonfinite,
         "a mechanism moves too fast, or is too stiff, to be followed within one step");
  } else if (!findings.is_finite) {
    fail(AdvanceStatus::kNonfinite, "the state is not finite any more");
  } else if (findings.passage) {
    certificate.penetration = std::max(certificate.penetration, findings.passage->depth);
    fail(AdvanceStatus::kCertificateFailed, contact::to_text(*findings.passage, *setup.model));
  } else if (!certificate.passed) {
    fail(AdvanceStatus::kCertificateFailed, findings.residual_text);
  } else if (certificate.excess_work > 0.0) {
    fail(AdvanceStatus::kCertificateFailed, "contacts gain " + to_rounded(certificate.excess_work) +
                                                " J more than their law allows" +
                                                tell_greediest_place(*setup.model, entries));
  } else if (findings.overlap) {
    fail(AdvanceStatus::kCertificateFailed, tell_overlap(*findings.overlap, *setup.model));
  } else if (certificate.scheme_gain > 0.0) {
    fail(AdvanceStatus::kCertificateFailed, "the step's own error would create " +
                                                to_rounded(certificate.scheme_gain) +
                                                " J more than is allowed");
  } else if (findings.flight.worst > dynamics::kFlightTolerance) {
    fail(AdvanceStatus::kCertificateFailed, dynamics::tell_flight(*setup.model, findings.flight));
  }
}

// These are the conditions under which Lemke's algorithm must succeed. With the cone solver they
// are tested only for few bodies, since their cost would outweigh their use where many bodies
// touch.
contact::Existence Verdicts::test_existence(const StepSetup& setup, const ContactProblem& problem,
                                            const contact::Islands& islands) {
  constexpr int kMostForCone = 24;  // velocities, as four loose bodies have
  const int most = setup.by_cone ? kMostForCone : std::numeric_limits<int>::max();
  return existence_.test_all(*setup.model, *problem.M, problem.J, problem.contacts, islands, most);
}

contact::ForceState make_force_state(const StepSetup& setup, const ContactProblem& problem, int i,
                                     const ContactVector& impulse, const ContactVector& u,
                                     double speed) {
  const double small = calc_small_speed(setup, speed);
  const bool is_rigid = problem.compliance[i].isZero(0.0);
  const bool has_no_normal = is_dry(problem.contacts[i]);
  const bool rests = u[kNormalRow] - problem.required[i] <= small;
  contact::ForceState state{
      .impulse = impulse,
      .slip = u.tail<3>(),
      .mu = problem.mu[i],
      .touches = is_rigid && (has_no_normal || impulse[kNormalRow] > 0.0 || rests),
      .slips = u.tail<3>().norm() > small};
  if (state.slips) find_edges(setup, problem.contacts[i], small, &state);
  return state;
}

std::span<const char> Verdicts::find_unique(const StepSetup& setup, const ContactProblem& problem,
                                            std::span<const contact::ForceState> forces) {
  (void)uniqueness_.test(*setup.model, *problem.M, problem.J, problem.contacts, forces,
                         &is_unique_);
  return is_unique_;
}

}  // namespace tenpin::methods::time_stepping
