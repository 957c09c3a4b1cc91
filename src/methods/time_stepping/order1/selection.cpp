#include "methods/time_stepping/order1/selection.h"

#include <algorithm>

#include "contact/joint_contacts.h"
#include "contact/rolling_friction.h"

namespace tenpin::methods::time_stepping::order1 {

using contact::Contact;
using Options = scene::TimeSteppingOptions;

namespace {

// True if all contacts take part: sweeping contacts that stay open costs less than another round
// for contacts that close.
bool takes_all(const StepSetup& setup) {
  return setup.options.active_set == Options::ActiveSet::kAll || setup.options.is_compliant();
}

// True if the contact overlaps at the end although it took no part. Compliant contacts overlap by
// design; if other features meet now, the next step handles them.
bool is_left_out(const StepSetup& setup, const Selection& selection, const Contact& c,
                 std::size_t* next) {
  if (c.gap >= -kViolation || selection.keys.contains(c.key, next)) return false;
  return !setup.is_compliant(c) || !selection.keys.contains_pair(c.key);
}

// m/s   The required normal velocity of a contact that was found at the end of the step.
double calc_required_at_end(const StepSetup& setup, const StepView& step, const Contact& moved,
                            double gap) {
  if (setup.options.formulation == Options::Formulation::kVelocity) return 0.0;
  contact::ContactJacobian J;
  J.update(*setup.model, {&moved, 1}, step.prediction.X, step.prediction.V_drive, step.forces.M,
           contact::FrictionPoint::kSurface);
  return J.normal_velocity(0, step.kick.v) - gap / step.start.h;
}

// True if the contact is active at the start of the next step. The velocity formulation stops
// bodies at a distance, where an impulse alone must not keep the contact active. With projection, a
// loaded contact counts as touching if one step of free fall would close it.
bool stays_active(const StepSetup& setup, double h, const Contact& c, double impulse, double gap) {
  const double short_of = setup.options.projection ? 2.0 * setup.gravity() * h * h : 0.0;
  const bool at_velocities = setup.options.formulation == Options::Formulation::kVelocity;
  const bool is_loaded = impulse > 0.0 && (!at_velocities || gap <= short_of);
  return (is_loaded || !(gap > kTouching)) && !is_dry(c);
}

}  // namespace

// With the cone, touching contacts take part at once, because in the first step none is remembered.
bool takes_part(const StepSetup& setup, const ActiveSet& active, const Contact& c) {
  return takes_all(setup) || c.gap < (setup.by_cone ? kTouching : 0.0) || active.contains(c.key);
}

void select_contacts(const StepSetup& setup, const Prediction& prediction, ActiveSet* active,
                     Selection* selection, std::vector<Contact>* contacts) {
  if (takes_all(setup)) {
    contacts->resize(prediction.contacts.size());
    setup.workers->split(static_cast<int>(contacts->size()), [&](int begin, int end) {
      std::copy(prediction.contacts.begin() + begin, prediction.contacts.begin() + end,
                contacts->begin() + begin);
    });
    selection->keys.assign(prediction.contacts, *setup.workers);
  } else {
    contacts->clear();
    selection->keys.clear();
    for (const Contact& c : prediction.contacts) {
      if (!takes_part(setup, *active, c)) continue;
      active->insert(c.key);
      contacts->push_back(c);
      selection->keys.insert(c.key);
    }
  }
  selection->num_predicted = static_cast<int>(contacts->size());
  for (const Contact& c : selection->extra) {
    contacts->push_back(c);
    selection->keys.insert(c.key);
  }
  append_joint_friction(*setup.model, contacts);
  if (setup.has_rolling) append_rolling_friction(selection->num_gaps(), contacts);
}

bool add_violated(const StepSetup& setup, const StepView& step, ActiveSet* active,
                  Selection* selection) {
  const std::vector<Contact>& end_contacts = step.end.contacts;
  const int num_ends = static_cast<int>(end_contacts.size());
  selection->marks.resize(end_contacts.size());
  setup.workers->split(num_ends, [&](int begin, int end) {
    std::size_t next = 0;
    for (int i = begin; i < end; ++i) {
      selection->marks[i] = is_left_out(setup, *selection, end_contacts[i], &next) ? 1 : 0;
    }
  });
  bool any = false;
  for (int i = 0; i < num_ends; ++i) {
    if (selection->marks[i] == 0) continue;
    const Contact& c = end_contacts[i];
    any = true;
    active->insert(c.key);
    // The nonlinear formulation finds the contact again at the next prediction.
    if (setup.options.formulation == Options::Formulation::kNonlinear) continue;
    if (contact::find_contact(step.prediction.contacts, c.key) != nullptr) continue;
    const auto move = [&](int body, const Vec3& p) -> Vec3 {
      return step.prediction.X[body] * (step.end.motion.X[body].inverse() * p);
    };
    Contact moved = c;
    moved.p_a = move(c.body_a, c.p_a);
    moved.p_b = move(c.body_b, c.p_b);
    selection->extra.push_back(moved);
    selection->extra_required.push_back(calc_required_at_end(setup, step, moved, c.gap));
  }
  return any;
}

Contact find_overlooked(const StepSetup& setup, const Selection& selection,
                        std::span<const Contact> end_contacts) {
  Contact deepest;
  std::size_t next = 0;
  for (const Contact& c : end_contacts) {
    if (c.gap >= deepest.gap || selection.keys.contains(c.key, &next)) continue;
    if (!setup.is_compliant(c) || !selection.keys.contains_pair(c.key)) deepest = c;
  }
  return deepest;
}

void remember_active(const StepSetup& setup, const StepView& step,
                     std::span<const contact::ContactRecord> records,
                     std::span<const Support> supports, Selection* selection, ActiveSet* active) {
  const auto make_entry = [&](int i) -> ActiveSet::Entry {
    const Contact& c = step.problem.contacts[i];
    return {.key = c.key,
            .impulse = step.kick.contacts[i].impulse.head<3>(),
            .point = step.prediction.X[c.body_a].inverse() * c.p_a};
  };
  selection->marks.resize(step.problem.contacts.size());
  setup.workers->split(step.problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double impulse = step.kick.contacts[i].impulse[contact::kNormalRow];
      const bool stays =
          stays_active(setup, step.start.h, step.problem.contacts[i], impulse, records[i].gap);
      selection->marks[i] = stays ? 1 : 0;
    }
  });
  std::vector<int>& kept = selection->kept;
  kept.clear();
  for (int i = 0; i < step.problem.size(); ++i) {
    if (selection->marks[i] != 0) kept.push_back(i);
  }
  if (selection->extra.empty()) {  // contacts are in the order of their keys
    active->assign(static_cast<int>(kept.size()), *setup.workers, [&](int k) {
      return make_entry(kept[k]);
    });
  } else {  // a contact found at the end may also have been found at a later prediction
    active->clear();
    for (const int i : kept) active->insert(make_entry(i));
  }
  for (const Support& support : supports) {
    const bool stays = support.impulse.x() > 0.0 || !(support.contact.gap > kTouching);
    if (!stays) continue;
    active->insert(
        {.key = support.contact.key, .impulse = support.impulse, .point = support.point});
  }
}

}  // namespace tenpin::methods::time_stepping::order1
