// Sleep: bodies that rest are certified to do so once, and left alone until something touches them.
#include <algorithm>

#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;

void Stepper::load_memory(const std::vector<std::uint64_t>& memory) {
  const std::span<const std::uint64_t> all = memory;
  const std::size_t of_sleep = options_.sleeping ? model_->mechanisms.size() : 0;
  const std::size_t count = std::min(of_sleep, all.size());
  active_.load(all.first(all.size() - count), workers_);
  if (options_.sleeping) sleepers_.load(all.last(count));
}

// m/s   By mechanism: the velocity that its largest impulse, or one step's fall, makes. What moves
// by no more than the certified part of that rests as well as any solver could tell.
void Stepper::measure_rest() {
  rest_speed_.assign(model_->mechanisms.size(), model_->gravity.norm() * h_);
  for (int i = 0; i < problem_.size(); ++i) {
    const contact::ContactBlock& W = problem_.J.own_delassus(i);
    const double speed = W.topLeftCorner<3, 3>().trace() / 3.0 * impulses_[i].head<3>().norm();
    for (const int body : {problem_.contacts[i].body_a, problem_.contacts[i].body_b}) {
      const int m = model_->bodies[body].mechanism;
      if (m >= 0) rest_speed_[m] = std::max(rest_speed_[m], speed);
    }
  }
}

bool Stepper::is_quiet(int mechanism, const std::vector<dynamics::Twist>& V_WB) const {
  constexpr double kMargin = 10.0;  // certified answers still wander by a few times the tolerance
  if (!model_->mechanisms[mechanism].is_loose) return false;
  const int body = model_->mechanisms[mechanism].bodies.front();
  const double speed = V_WB[body].v.norm() + V_WB[body].w.norm() * radius_[body];
  return speed <= kMargin * *options_.tolerance * rest_speed_[mechanism];
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

// What sleeps is in the report like everything else.
void Stepper::report_beds(StepReport* report) {
  contact::Certificate& certificate = report->certificate;
  for (const Bed& bed : sleepers_.beds()) {
    records_.push_back(bed.record);
    certificate.penetration = std::max(certificate.penetration, -bed.contact.gap);
    certificate.residual = std::max(certificate.residual, bed.check.residual);
    certificate.cone_violation = std::max(certificate.cone_violation, bed.check.cone_violation);
    certificate.dissipation_gap = std::max(certificate.dissipation_gap, bed.check.dissipation_gap);
  }
  const double rigid = options_.is_compliant() ? bed_rigid_residual_ : certificate.residual;
  if (!sleepers_.beds().empty()) {
    certificate.rigid_residual = std::max(certificate.rigid_residual, rigid);
  }
  const int num_beds = static_cast<int>(sleepers_.beds().size());
  report->num_contacts += num_beds;
  report->num_active += num_beds;
  report->asleep = sleepers_.size();
}

void Stepper::settle(dynamics::State* state) {
  measure_rest();
  quiet_.resize(model_->mechanisms.size());
  for (int m = 0; m < model_->num_mechanisms(); ++m) quiet_[m] = is_quiet(m, V_end_) ? 1 : 0;
  sleepers_.settle(problem_.contacts, quiet_, state->v);
}

}  // namespace tenpin::methods::time_stepping
