// The forces that records show where the motion does not determine them.
#pragma once

#include <span>
#include <vector>

#include "contact/islands.h"
#include "contact/least_impulses.h"
#include "contact/report.h"
#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

// While bodies move, the method keeps undetermined forces well inside their cones, so that the next
// moment satisfies the law, too (open_forces.h). Its records show the least forces with the same
// effect. Keeps its buffers.
class ShownForces {
 public:
  // The end of a step, after the motion's last update; record k belongs to touch of[k].
  struct Step {
    const dynamics::Model& model;
    const Motion& motion;
    const std::vector<Touch>& touches;
    const ForceScale& scale;
    double duration = 0.0;   // s
    double tolerance = 0.0;  // -   of the certificate
    std::span<const int> of;
  };
  // Replaces the impulses of records that are not unique by the least ones if these also pass the
  // certificate, and adds the resulting change to it.
  void make_least(const Step& step, std::vector<contact::ContactRecord>* records,
                  contact::Certificate* certificate);

 private:
  void collect(const Step& step, const std::vector<contact::ContactRecord>& records);
  [[nodiscard]] contact::ContactVector find_given(const Step& step, int touch) const;
  [[nodiscard]] bool shorten(const Step& step);
  [[nodiscard]] double calc_excess(const Step& step, int touch) const;
  [[nodiscard]] double calc_change(const Step& step, std::span<const int> island) const;
  [[nodiscard]] bool keep_certified(const Step& step, contact::Certificate* certificate);
  void write(const Step& step, std::vector<contact::ContactRecord>* records) const;

  contact::FrictionCone cone_ = contact::FrictionCone::round();
  contact::Islands islands_;
  contact::LeastImpulses least_;
  // By touch.
  std::vector<contact::Contact> contacts_;  // with the friction that the method uses
  std::vector<contact::Freedom> freedom_;
  std::vector<contact::ContactVector> before_;  // N s   over the step, along the axes at its end
  std::vector<contact::ContactVector>
      given_;  // N s   of these, the part that satisfies the law there
  std::vector<contact::ContactVector> impulses_;  // N s   the least with the effect of those given
  std::vector<double> mu_, loads_;                // -, N s
  // By place in an island.
  std::vector<contact::Freedom> island_freedom_;
  std::vector<Vec3> island_slips_;  // m/s
  VecX change_;                     // m/s, rad/s   of velocities: rounding
};

}  // namespace tenpin::methods::analytic
