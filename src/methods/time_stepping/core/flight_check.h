// Certifies the flight of bodies that have no contact during a step.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "dynamics/flight_certificate.h"
#include "methods/time_stepping/core/step_setup.h"

namespace tenpin::methods::time_stepping {

// Finds the body whose flight departs most from its law. Bodies with a contact at the end of the
// step count as touched, too, because the contact may have moved them to undo an overlap. Reuses
// its buffers between calls.
class FlightCheck {
 public:
  void restart(const StepSetup& setup) { is_touched_.assign(setup.num_bodies(), 0); }
  void touch(const contact::Contact& c) { is_touched_[c.body_a] = is_touched_[c.body_b] = 1; }
  void touch(std::span<const contact::Contact> contacts) {
    for (const contact::Contact& c : contacts) touch(c);
  }

  // s   calc_time(body) is the time that the body flies; 0 if it takes no part in the step.
  template <class CalcTime>
  [[nodiscard]] dynamics::FlightResidual find_worst(const StepSetup& setup,
                                                    const dynamics::MotionView& start,
                                                    const dynamics::MotionView& end,
                                                    double end_weight,
                                                    const CalcTime& calc_time) const {
    dynamics::FlightResidual worst;
    for (int i = 0; i < setup.num_bodies(); ++i) {
      if (is_touched_[i] != 0 || !dynamics::has_simple_flight(*setup.model, i)) continue;
      const double dt = calc_time(i);
      if (dt == 0.0) continue;
      const double residual = dynamics::calc_free_flight_residual(
          *setup.model, i, start, end, {.dt = dt, .end_weight = end_weight});
      if (residual > worst.worst) worst = {.worst = residual, .body = i};
    }
    return worst;
  }

 private:
  std::vector<char> is_touched_;  // by body
};

}  // namespace tenpin::methods::time_stepping
