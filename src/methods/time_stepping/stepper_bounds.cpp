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

// J   Energy that the bodies of an island gained beyond what the scheme's own error may add; the
// most of all islands. Contacts that give way store energy, and mechanisms that hang from a
// prescribed motion take it from there: neither are judged.
double Stepper::calc_scheme_gain(OwnError own_error) {
  double worst = 0.0;
  if (own_error == OwnError::kShown || options_.is_compliant()) return worst;
  last_island_.assign(model_->mechanisms.size(), -1);
  for (int island = 0; island < solver_.islands().size(); ++island) {
    EnergyScale scale;
    double kinetic_start = 0.0;
    double kinetic_end = 0.0;
    double gain = 0.0;
    bool is_judged = true;
    for (const int i : solver_.islands().contacts(island)) {
      const contact::Contact& c = problem_.contacts[i];
      gain += impulses_[i].dot(problem_.J.drive(i));
      scale.rounding += *options_.tolerance * impulses_[i].head<3>().norm() * speed_;
      for (const int body : {c.body_a, c.body_b}) {
        const int m = model_->bodies[body].mechanism;
        if (m < 0 || last_island_[m] == island) continue;
        last_island_[m] = island;
        const dynamics::Mechanism& mechanism = model_->mechanisms[m];
        if (is_driven_ && is_driven(*model_, mechanism)) is_judged = false;
        gain += calc_gain(mechanism);
        kinetic_start += calc_kinetic_energy(*model_, mechanism, X_start_, V_start_, v0_);
        kinetic_end += calc_kinetic_energy(*model_, mechanism, X_end_, V_end_, v_end_);
        for (const int member : mechanism.bodies) {
          scale.weight += model_->bodies[member].mass * model_->gravity.norm() * radius_[member];
        }
      }
    }
    scale.kinetic = std::max(kinetic_start, kinetic_end);
    const double share = std::min(h_ / options_.step, 1.0);
    if (is_judged) worst = std::max(worst, gain - allow_gain(scale, share, own_error));
  }
  return worst;
}

}  // namespace tenpin::methods::time_stepping
