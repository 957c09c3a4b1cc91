// The bodies at an instant, and everything about their motion that does not depend on contact
// forces.
#pragma once

#include <vector>

#include "contact/jacobian.h"
#include "dynamics/articulated.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/model.h"
#include "methods/analytic/touch.h"

namespace tenpin::methods::analytic {

// Vectors of touches are along normal, t1, t2.
struct Instant {
  double t = 0.0;  // s
  VecX q, v;
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  std::vector<dynamics::Twist> A_WB;  // at v_dot = 0
  dynamics::MassMatrix M;
  VecX v_dot;                                         // by smooth forces alone
  double power_potential = 0.0, power_applied = 0.0;  // W   of smooth forces
  // By touch.
  std::vector<contact::Contact> contacts;
  std::vector<Vec3> velocities;     // m/s
  std::vector<Vec3> accelerations;  // m/s^2   by smooth forces alone
  contact::ContactJacobian J;
};

// Computes instants of one segment of motion after the other. Keeps its buffers.
class InstantUpdate {
 public:
  explicit InstantUpdate(const dynamics::Model& model);

  // Before the first instant of other touches.
  void forget_contacts() { are_contacts_known_ = false; }
  // Moves *instant, the previous one, to (t, q, v). Bodies that have not moved since keep their
  // contacts, as most of a long row of dominoes does. The touches get their contacts, too.
  void move(double t, ConstVecRef q, ConstVecRef v, std::vector<Touch>* touches, Instant* instant);

  bool has_drives() const { return has_drives_; }  // something moves as prescribed

 private:
  void find_what_moved(ConstVecRef q, ConstVecRef v, const Instant& before);
  [[nodiscard]] bool has_moved(const contact::Contact& contact) const;
  void add_smooth_forces(Instant* at);
  void calc_free_acceleration(Instant* at);
  void update_contacts(std::vector<Touch>* touches, Instant* at);

  const dynamics::Model* model_;
  bool has_drives_ = false;
  bool are_contacts_known_ = false;  // do the instant's contacts belong to these touches?
  std::vector<bool> has_moved_;      // by mechanism, since then
  std::vector<int> moved_;           // touches
  VecX f_, zero_, loop_accelerations_;
  std::vector<dynamics::Twist> V_drive_;
  std::vector<dynamics::Wrench> wrenches_;
};

}  // namespace tenpin::methods::analytic
