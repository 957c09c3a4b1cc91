// Moves the bodies of a step of first order, and finds their contacts.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/core/sleepers.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/order1/step_values.h"

namespace tenpin::methods::time_stepping::order1 {

class Mover {
 public:
  // Sleeping bodies stay where they are.
  Mover(const StepSetup& setup, const Sleepers& sleepers);

  // The configuration after h seconds at velocity v, and all contacts that touch or nearly touch
  // there.   [ST00, §3.1]
  void predict(const StepStart& start, const VecX& v, Prediction* prediction);

  // Computes the end of the step after a kick to v_kicked. Mechanisms without active contacts fly
  // under their smooth forces instead.
  void move(const StepStart& start, std::span<const contact::Contact> active, const VecX& v_kicked,
            StepEnd* end);

  // Updates poses and contacts at the end of the step after its coordinates changed. Contacts of
  // bodies that end close to their prediction are carried along.
  void find_end_contacts(const StepStart& start, const Prediction& prediction, StepEnd* end);

  ContactSearch& search() { return search_; }

 private:
  void find_contacts(const StepStart& start, const std::vector<Pose>& X_WB, ConstVecRef q,
                     std::vector<contact::Contact>* contacts);
  void displace_articulated(const StepStart& start, const VecX& v, VecX* q);
  void fly_untouched(const StepStart& start, std::span<const contact::Contact> active,
                     StepEnd* end);
  void find_moved(const Prediction& prediction, const StepEnd& end);

  const StepSetup* setup_;
  const Sleepers* sleepers_;
  ContactSearch search_;
  dynamics::Flight flight_;
  VecX scratch_;                          // nv
  std::vector<contact::Contact> limits_;  // scratch: joints at their stops
  std::vector<char> moved_;               // scratch, by body
};

}  // namespace tenpin::methods::time_stepping::order1
