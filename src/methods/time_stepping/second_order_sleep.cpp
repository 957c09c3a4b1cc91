// Sleep: who rests takes no part in steps until something touches it. What holds a sleeper is what
// one step of those who sleep alone does, certified like any other.
#include <algorithm>

#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;

bool SecondOrderStepper::takes_part(int node) const {
  const bool sleeps = node != driven_node_ && sleepers_.sleeps(node);
  return sleeps == is_bedding_;
}

// Whether somebody woke because one that is awake came near; the step must then begin anew. Where
// beds are made nobody else is asked.
bool SecondOrderStepper::rouse(std::vector<Contact>* contacts) {
  if (is_bedding_) {
    std::erase_if(*contacts, [this](const Contact& c) {
      return !sleepers_.rests(c);
    });
    return false;
  }
  is_roused_ = sleepers_.size() > 0 && sleepers_.wake_touched(*contacts);
  return is_roused_;
}

// Who takes no part ends where it began.
void SecondOrderStepper::hold_others() {
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    if (takes_part(m)) continue;
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    q_end_.segment(mechanism.q_begin, mechanism.nq) =
        q_begin_.segment(mechanism.q_begin, mechanism.nq);
    v_end_.segment(mechanism.v_begin, mechanism.nv) =
        v_begin_.segment(mechanism.v_begin, mechanism.nv);
    for (const int body : mechanism.bodies) {
      at_end_.X[body] = at_begin_.X[body];
      at_end_.V[body] = at_begin_.V[body];
    }
  }
}

// Whether the impulses that the state remembers meet the law as they are: then they stay the same
// whenever a bed is made again.
bool SecondOrderStepper::holds_by_guess() {
  impulses_.resize(problem_.contacts.size());
  answer_.v = problem_.v;
  for (int i = 0; i < problem_.size(); ++i) {
    impulses_[i] << problem_.guess[i], 0.0;
    problem_.J.add_velocity_change(i, impulses_[i], answer_.v);
  }
  check_law();
  return std::all_of(checks_.begin(), checks_.end(), [this](const contact::LawCheck& check) {
    return check.residual <= *options_.tolerance;
  });
}

void SecondOrderStepper::measure_rest() {
  sleepers_.start_rest(model_->gravity.norm() * h_);
  for (const Entry& entry : entries_) {
    sleepers_.add_rest(entry.contact, entry.mobility * entry.impulse.head<3>().norm());
  }
}

bool SecondOrderStepper::is_quiet(int mechanism) const {
  const int body = model_->mechanisms[mechanism].bodies.front();
  const double speed = at_end_.V[body].v.norm() + at_end_.V[body].w.norm() * radius_[body];
  return sleepers_.is_quiet(mechanism, speed, *options_.tolerance);
}

// Who moves in the step that is to hold it, or whose contacts do not meet the law.
void SecondOrderStepper::mark_restless(bool is_done, const dynamics::State& state) {
  measure_rest();
  restless_.assign(model_->mechanisms.size(), 0);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (!sleepers_.sleeps(m)) continue;
    const bool stands = state.v.segment(mechanism.v_begin, mechanism.nv).isZero(0.0);
    restless_[m] = is_done && stands && is_quiet(m) ? 0 : 1;
  }
  for (const Entry& entry : entries_) {
    if (entry.check.residual <= *options_.tolerance) continue;
    for (const int body : {entry.contact.body_a, entry.contact.body_b}) {
      if (model_->bodies[body].is_mobile()) restless_[model_->bodies[body].mechanism] = 1;
    }
  }
}

// Whom its bed does not hold wakes.
void SecondOrderStepper::make_beds(double h, double t_end, const dynamics::State& state) {
  if (sleepers_.size() == 0 && sleepers_.beds().empty()) return;
  if (sleepers_.has_beds(state.q, state.v)) return;
  is_bedding_ = true;
  StepReport report;
  begin(h, t_end, state);
  const bool is_done = advance(&report);
  mark_restless(is_done, state);
  write_records();
  new_beds_.clear();
  for (const Entry& entry : entries_) {
    if (!new_beds_.empty() && new_beds_.back().contact.key == entry.contact.key) continue;
    const contact::ContactRecord& record = records_[new_beds_.size()];
    new_beds_.push_back({.contact = entry.contact,
                         .impulse = entry.impulse.head<3>(),
                         .record = record,
                         .check = entry.check});
    contact::ContactRecord& still = new_beds_.back().record;
    still.slip.setZero();
    still.normal_velocity = still.normal_work = still.friction_work = 0.0;
  }
  sleepers_.make_beds(state.q, &new_beds_, restless_);
  is_bedding_ = false;
}

void SecondOrderStepper::settle(dynamics::State* state) {
  measure_rest();
  quiet_.resize(model_->mechanisms.size());
  for (int m = 0; m < model_->num_mechanisms(); ++m) quiet_[m] = is_quiet(m) ? 1 : 0;
  sleepers_.settle(held_, quiet_, state->v);
  sleepers_.save(&state->memory);
}

}  // namespace tenpin::methods::time_stepping
