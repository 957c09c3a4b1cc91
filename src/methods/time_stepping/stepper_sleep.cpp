// Sleep: bodies that rest are certified to do so once, and left alone until something touches them.
#include <algorithm>

#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;

void Stepper::measure_rest() {
  sleepers_.start_rest(model_->gravity.norm() * h_);
  for (int i = 0; i < problem_.size(); ++i) {
    const contact::ContactBlock& W = problem_.J.own_delassus(i);
    const double mobility = W.topLeftCorner<3, 3>().trace() / 3.0;
    sleepers_.add_rest(problem_.contacts[i], mobility * impulses_[i].head<3>().norm());
  }
}

bool Stepper::is_quiet(int mechanism, const std::vector<dynamics::Twist>& V_WB) const {
  const int body = model_->mechanisms[mechanism].bodies.front();
  const double speed = V_WB[body].v.norm() + V_WB[body].w.norm() * radius_[body];
  return sleepers_.is_quiet(mechanism, speed, *options_.tolerance);
}

// Makes the guesses of problem_ the answer, and looks whom they do not hold: by the certificate of
// any answer, and because who rests must stay.
bool Stepper::hold_still() {
  clear_checks();
  answer_.impulses.resize(problem_.contacts.size());
  answer_.v = v_free_;
  for (int i = 0; i < problem_.size(); ++i) {
    problem_.memory[i] = {0.0, problem_.guess[i].y(), problem_.guess[i].z()};
    answer_.impulses[i] << problem_.guess[i], 0.0;
    problem_.J.add_velocity_change(i, answer_.impulses[i], answer_.v);
  }
  check_answer();
  measure_rest();
  update_twists(*model_, X_start_, answer_.v, t0_, &V_kicked_);
  restless_.assign(model_->mechanisms.size(), 0);
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (!sleepers_.sleeps(m)) continue;
    const bool stands = v0_.segment(mechanism.v_begin, mechanism.nv).isZero(0.0);
    restless_[m] = stands && is_quiet(m, V_kicked_) ? 0 : 1;
  }
  for (int i = 0; i < problem_.size(); ++i) {
    if (checks_[i].residual <= *options_.tolerance) continue;
    for (const int body : {problem_.contacts[i].body_a, problem_.contacts[i].body_b}) {
      if (model_->bodies[body].is_mobile()) restless_[model_->bodies[body].mechanism] = 1;
    }
  }
  return std::count(restless_.begin(), restless_.end(), 1) == 0;
}

// The impulses that the state remembers hold those who sleep, or better ones are found that do;
// whom they do not hold wakes.
void Stepper::make_beds() {
  if (sleepers_.size() == 0 && sleepers_.beds().empty()) return;
  if (sleepers_.has_beds(q0_, v0_)) return;
  X_hat_ = X_start_;
  update_twists(*model_, X_hat_, zero_, t0_, &V_drive_);
  calc_free_velocity();
  extra_.clear();
  candidates_.clear();
  finder_.find_again(X_hat_, reach_, sleepers_.asleep(), {}, &candidates_);
  problem_.contacts.clear();
  in_problem_.clear();
  for (const Contact& c : candidates_) {
    if (sleepers_.rests(c) && takes_part(c)) append_active(c);
  }
  fill_problem(v0_, problem_.size());
  if (!hold_still()) {
    rest_solver_.solve(problem_, &answer_);
    for (int i = 0; i < problem_.size(); ++i) problem_.guess[i] = answer_.impulses[i].head<3>();
    (void)hold_still();
  }
  bed_rigid_residual_ = 0.0;
  for (const double r : rigid_residuals_) bed_rigid_residual_ = std::max(bed_rigid_residual_, r);
  v_kicked_ = guess_ = v0_;
  u_kicked_ = u0_;
  end_contacts_ = candidates_;
  write_records();
  new_beds_.clear();
  for (int i = 0; i < problem_.size(); ++i) {
    const Contact& c = problem_.contacts[i];
    new_beds_.push_back({.contact = c,
                         .impulse = problem_.guess[i],
                         .point = X_hat_[c.body_a].inverse() * c.p_a,
                         .record = records_[i],
                         .check = checks_[i]});
  }
  sleepers_.make_beds(q0_, &new_beds_, restless_);
}

// Whoever has a contact with a sleeper wakes it before the step is solved, so that it answers as if
// it had never slept.
void Stepper::rouse(const VecX& v_lin) {
  const auto wake_touched = [this] {
    bool any = false;
    for (const auto* contacts : {&candidates_, &extra_}) {
      for (const Contact& c : *contacts) {
        if (!sleepers_.rouses(c) || !(contacts == &extra_ || takes_part(c))) continue;
        sleepers_.wake(c);
        any = true;
      }
    }
    return any;
  };
  while (sleepers_.size() > 0 && wake_touched()) {
    calc_free_velocity();
    sleepers_.hold_velocities(v_free_);
    predict(v_lin);
  }
}

void Stepper::report_beds(StepReport* report) {
  sleepers_.report(&records_, report);
  if (sleepers_.beds().empty()) return;
  contact::Certificate& certificate = report->certificate;
  const double rigid = options_.is_compliant() ? bed_rigid_residual_ : certificate.residual;
  certificate.rigid_residual = std::max(certificate.rigid_residual, rigid);
}

void Stepper::settle(dynamics::State* state) {
  measure_rest();
  quiet_.resize(model_->mechanisms.size());
  for (int m = 0; m < model_->num_mechanisms(); ++m) quiet_[m] = is_quiet(m, V_end_) ? 1 : 0;
  sleepers_.settle(problem_.contacts, quiet_, state->v);
}

}  // namespace tenpin::methods::time_stepping
