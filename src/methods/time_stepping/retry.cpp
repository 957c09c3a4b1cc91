#include "methods/time_stepping/retry.h"

#include <algorithm>
#include <string>
#include <utility>

#include "methods/time_stepping/contact_motion.h"

namespace tenpin::methods::time_stepping {

using contact::ContactRecord;

namespace {

bool is_done(const StepReport& report) {
  return report.status == AdvanceStatus::kReachedEnd;
}

void add_effort(const StepReport& part, StepReport* total) {
  total->pivots += part.pivots;
  total->solves += part.solves;
  total->swept += part.swept;
  total->problem_size = std::max(total->problem_size, part.problem_size);
}

// Adds a later record of the same contact: impulses and works add up, a verdict of Painleve stays
// with the numbers that it rests on, and everything else is the latest.
void add_later(const ContactRecord& later, ContactRecord* record) {
  ContactRecord sum = later;
  sum.normal = calc_mean_normal({record->normal, record->normal_impulse},
                                {later.normal, later.normal_impulse});
  sum.impulse += record->impulse;
  sum.normal_impulse += record->normal_impulse;
  sum.spin_impulse += record->spin_impulse;
  sum.normal_work += record->normal_work;
  sum.friction_work += record->friction_work;
  sum.excess_work += record->excess_work;
  sum.residual = std::max(record->residual, later.residual);
  sum.dissipation_gap = std::max(record->dissipation_gap, later.dissipation_gap);
  if (record->no_acceleration_solution && !later.no_acceleration_solution) {
    sum.painleve = record->painleve;
    sum.free_acceleration = record->free_acceleration;
    sum.no_acceleration_solution = true;
  }
  sum.force_unique = record->force_unique && later.force_unique;
  if (later.mode == contact::Mode::kSeparating) sum.mode = record->mode;
  *record = sum;
}

}  // namespace

void RetryingStep::step(double h, double t_end, dynamics::State* state, StepReport* report) {
  contacts_ = plan_.step(h, t_end, state, report);
  if (is_done(*report) || (plan_.max_halvings == 0 && !plan_.last_resort)) return;
  const StepReport first = *report;
  const std::vector<ContactRecord> first_contacts(contacts_.begin(), contacts_.end());
  const dynamics::State start = *state;
  StepReport total = {.step = first.step, .t = t_end, .retries = 1};
  add_effort(first, &total);
  merged_.clear();
  num_parts_ = num_last_resort_ = 0;
  if (plan_.begin_parts) plan_.begin_parts();
  bool is_covered = false;
  try {
    is_covered = take_again(h, t_end, 0, state, &total);
  } catch (...) {  // stopped, or a limit was exceeded
    *state = start;
    throw;
  }
  state->step = start.step;
  if (!is_covered) {
    *state = start;
    *report = first;
    report->retries = total.retries;
    add_effort(total, report);
    report->message += "; shorter steps failed, too, the last one because: " + last_failure_;
    merged_ = first_contacts;
    contacts_ = merged_;
    return;
  }
  ++state->step;
  merge_contacts();
  total.message = "taken again in " + std::to_string(num_parts_) + " shorter steps";
  if (num_last_resort_ > 0) {
    total.message +=
        ", " + std::to_string(num_last_resort_) + " of them by " + plan_.last_resort_name;
  }
  total.message += ", because in one step: " + first.message;
  *report = total;
}

bool RetryingStep::take(double h, double t_end, int halvings, dynamics::State* state,
                        StepReport* total) {
  StepReport part;
  const std::span<const ContactRecord> contacts = plan_.step(h, t_end, state, &part);
  if (is_done(part)) {
    append(part, contacts, total);
    return true;
  }
  ++total->retries;
  last_failure_ = part.message;
  add_effort(part, total);
  return take_again(h, t_end, halvings, state, total);
}

// Called after one solve of the whole step failed: solves each half separately, or uses the last
// resort.
bool RetryingStep::take_again(double h, double t_end, int halvings, dynamics::State* state,
                              StepReport* total) {
  if (halvings < plan_.max_halvings) {
    return take(0.5 * h, state->t + 0.5 * h, halvings + 1, state, total) &&
           take(t_end - state->t, t_end, halvings + 1, state, total);
  }
  if (!plan_.last_resort) return false;
  StepReport part;
  const std::span<const ContactRecord> contacts = plan_.last_resort(h, t_end, state, &part);
  if (!is_done(part)) {
    total->retries += 1 + part.retries;
    last_failure_ = part.message;
    add_effort(part, total);
    return false;
  }
  append(part, contacts, total);
  ++num_last_resort_;
  return true;
}

void RetryingStep::append(const StepReport& part, std::span<const ContactRecord> contacts,
                          StepReport* total) {
  ++num_parts_;
  add_effort(part, total);
  total->retries += part.retries;
  total->solver = part.solver;
  total->certificate += part.certificate;
  for (std::size_t k = 0; k < part.ledger.work.size(); ++k) {
    total->ledger.work[k] += part.ledger.work[k];
  }
  total->ledger.closure += part.ledger.closure;
  total->ledger.kinetic = part.ledger.kinetic;
  total->ledger.potential = part.ledger.potential;
  total->existence.normals_independent &= part.existence.normals_independent;
  total->existence.spans_disjoint &= part.existence.spans_disjoint;
  total->num_contacts = part.num_contacts;
  total->num_active = std::max(total->num_active, part.num_active);
  total->iterations = std::max(total->iterations, part.iterations);
  total->contraction = std::max(total->contraction, part.contraction);
  total->asleep = part.asleep;
  total->guarded += part.guarded;
  total->events += part.events;
  total->division += part.division;
  total->branches += part.branches;
  merged_.insert(merged_.end(), contacts.begin(), contacts.end());
}

// Combines the records of the shorter steps: one record for each contact.
void RetryingStep::merge_contacts() {
  std::stable_sort(merged_.begin(), merged_.end(),
                   [](const ContactRecord& a, const ContactRecord& b) {
                     return a.key < b.key;
                   });
  std::size_t count = 0;
  for (const ContactRecord& record : merged_) {
    if (count > 0 && merged_[count - 1].key == record.key) {
      add_later(record, &merged_[count - 1]);
    } else {
      merged_[count++] = record;
    }
  }
  merged_.resize(count);
  contacts_ = merged_;
}

}  // namespace tenpin::methods::time_stepping
