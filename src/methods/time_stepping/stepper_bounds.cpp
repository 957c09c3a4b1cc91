// The own error of a step of first order: energy that it creates, overlaps that it leaves.
#include <algorithm>
#include <cmath>

#include "dynamics/prescribed.h"
#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

// None where overlaps are meant to be: of contacts that give way, and as the schemes are printed.
std::optional<Overlap> Stepper::find_overlap(OwnError own_error) {
  if (own_error == OwnError::kShown || options_.is_compliant()) return std::nullopt;
  return overlap_check_.find_worst(end_contacts_, {.q = q0_, .t = t0_, .reach = reach_});
}

// J   What the step added to the energy of a mechanism beyond the work of applied forces.
double Stepper::calc_gain(const dynamics::Mechanism& mechanism) const {
  double gain = calc_kinetic_energy(*model_, mechanism, X_end_, V_end_, v_end_) -
                calc_kinetic_energy(*model_, mechanism, X_start_, V_start_, v0_) +
                calc_spring_energy(*model_, mechanism, q_end_, v_end_) -
                calc_spring_energy(*model_, mechanism, q0_, v0_);
  for (const int i : mechanism.bodies) {
    gain -= model_->bodies[i].mass * model_->gravity.dot(X_end_[i].p - X_start_[i].p);
  }
  return gain - calc_kick_work(mechanism)[0];
}

// J   Weights of a mechanism's bodies times their sizes.
double Stepper::calc_weight(const dynamics::Mechanism& mechanism) const {
  double weight = 0.0;
  for (const int i : mechanism.bodies) weight += model_->bodies[i].mass * radius_[i];
  return weight * model_->gravity.norm();
}

// J   Energy that the bodies of one island gained beyond what the scheme's own error may add.
// Mechanisms that hang from a prescribed motion take energy from there, and are not judged.
double Stepper::calc_island_gain(int island, OwnError own_error) {
  EnergyScale scale;
  double kinetic_end = 0.0;
  double gain = 0.0;
  for (const int i : solver_.islands().contacts(island)) {
    const contact::Contact& c = problem_.contacts[i];
    gain += impulses_[i].dot(problem_.J.drive(i));
    scale.rounding += *options_.tolerance * impulses_[i].head<3>().norm() * speed_;
    for (const int body : {c.body_a, c.body_b}) {
      const int m = model_->bodies[body].mechanism;
      if (m < 0 || last_island_[m] == island) continue;
      last_island_[m] = island;
      const dynamics::Mechanism& mechanism = model_->mechanisms[m];
      if (is_driven_ && is_driven(*model_, mechanism)) return 0.0;
      gain += calc_gain(mechanism);
      scale.kinetic += calc_kinetic_energy(*model_, mechanism, X_start_, V_start_, v0_);
      kinetic_end += calc_kinetic_energy(*model_, mechanism, X_end_, V_end_, v_end_);
      scale.weight += calc_weight(mechanism);
    }
  }
  scale.kinetic = std::max(scale.kinetic, kinetic_end);
  return gain - allow_gain(scale, std::min(h_ / options_.step, 1.0), own_error);
}

// J   The most of all islands, or 0. Contacts that give way store energy, and are not judged.
double Stepper::calc_scheme_gain(OwnError own_error) {
  double worst = 0.0;
  if (own_error == OwnError::kShown || options_.is_compliant()) return worst;
  last_island_.assign(model_->mechanisms.size(), -1);
  for (int island = 0; island < solver_.islands().size(); ++island) {
    worst = std::max(worst, calc_island_gain(island, own_error));
  }
  return worst;
}

}  // namespace tenpin::methods::time_stepping
