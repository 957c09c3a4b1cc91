#include "methods/time_stepping/core/sleep.h"

#include "methods/time_stepping/open_impulses.h"

namespace tenpin::methods::time_stepping {

namespace {

// Tells the sleepers which speeds count as rest.
void measure_rest(const StepSetup& setup, const RestSample& sample, Sleepers* sleepers) {
  sleepers->start_rest(setup.gravity() * sample.h);
  for (const JournalEntry& entry : sample.entries) {
    sleepers->add_rest(entry.contact, entry.mobility * entry.impulse.head<3>().norm());
  }
}

bool is_quiet(const StepSetup& setup, const RestSample& sample, const Sleepers& sleepers, int m) {
  const int body = setup.model->mechanisms[m].bodies.front();
  const double speed = setup.calc_speed(body, sample.V_WB[body]);
  return sleepers.is_quiet(m, speed, setup.tolerance());
}

}  // namespace

std::vector<char> find_unsupported(const StepSetup& setup, const RestSample& sample,
                                   ConstVecRef v_start, bool is_solved, Sleepers* sleepers) {
  const dynamics::Model& model = *setup.model;
  measure_rest(setup, sample, sleepers);
  std::vector<char> unsupported(model.mechanisms.size(), 0);
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model.mechanisms[m];
    if (!sleepers->sleeps(m)) continue;
    const bool stands = v_start.segment(mechanism.v_begin, mechanism.nv).isZero(0.0);
    const bool rests = is_solved && stands && is_quiet(setup, sample, *sleepers, m);
    unsupported[m] = rests ? 0 : 1;
  }
  for (const JournalEntry& entry : sample.entries) {
    if (entry.check.residual <= setup.tolerance()) continue;
    for (const int body : {entry.contact.body_a, entry.contact.body_b}) {
      if (model.bodies[body].is_mobile()) unsupported[model.bodies[body].mechanism] = 1;
    }
  }
  return unsupported;
}

std::vector<Support> make_supports(std::span<const JournalEntry> entries,
                                   std::span<const contact::ContactRecord> records,
                                   const std::vector<Pose>& X_WB) {
  std::vector<Support> supports;
  for (const JournalEntry& entry : entries) {
    const contact::Contact& c = entry.contact;
    if (!supports.empty() && supports.back().contact.key == c.key) continue;
    supports.push_back({.contact = c,
                        .impulse = entry.impulse.head<3>(),
                        .point = X_WB[c.body_a].inverse() * c.p_a,
                        .record = records[supports.size()],
                        .check = entry.check,
                        .rigid_residual = entry.rigid_residual});
  }
  return supports;
}

void settle(const StepSetup& setup, const RestSample& sample,
            std::span<const contact::Contact> contacts, Sleepers* sleepers,
            dynamics::State* state) {
  measure_rest(setup, sample, sleepers);
  for (int m = 0; m < setup.num_mechanisms(); ++m) {
    sleepers->count_quiet(m, is_quiet(setup, sample, *sleepers, m));
  }
  sleepers->settle(contacts, state->v);
  sleepers->save(&state->memory);
}

void report_supports(const StepSetup& setup, const Sleepers& sleepers,
                     std::vector<contact::ContactRecord>* records, StepReport* report) {
  if (sleepers.supports().empty()) {
    report->asleep = sleepers.size();
    return;
  }
  contact::Certificate& certificate = report->certificate;
  for (const Support& support : sleepers.supports()) {
    records->push_back(support.record);
    certificate += {.residual = support.check.residual,
                    .penetration = -support.contact.gap,
                    .cone_violation = support.check.cone_violation,
                    .dissipation_gap = support.check.dissipation_gap,
                    .rigid_residual = support.rigid_residual,
                    .forces_unique = support.record.force_unique,
                    .forces_least = support.record.force_unique ||
                                    finds_least(support.contact, setup.cone, support.contact.mu)};
  }
  if (!setup.options.is_compliant()) certificate.rigid_residual = certificate.residual;
  const int num_supports = static_cast<int>(sleepers.supports().size());
  report->num_contacts += num_supports;
  report->num_active += num_supports;
  report->asleep = sleepers.size();
}

}  // namespace tenpin::methods::time_stepping
