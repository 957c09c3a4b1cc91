// The equations of motion between events: all smooth forces, and the contact forces that keep the
// gaps of closed contacts constant.   [B89, §5]
#pragma once

#include <vector>

#include "contact/jacobian.h"
#include "dynamics/articulated.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/model.h"
#include "methods/analytic/grip_islands.h"
#include "methods/analytic/integrator.h"
#include "methods/analytic/touch.h"

namespace tenpin::methods::analytic {

// y = (q, v, energies, and for each contact with a force: impulse on b in world axes (3) and work
// of friction).
class Motion final : public Equations {
 public:
  // Slip slower than `slow` (m/s) has no direction of its own.
  Motion(const dynamics::Model& model, double slow);

  // The contacts of the segment with their modes; owned by the caller and updated with every
  // update().
  void set_touches(std::vector<Touch>* touches);

  // Computes everything that does not depend on contact forces.
  void update(double t, ConstVecRef q, ConstVecRef v);
  // Treats the friction of slipping joints, according to their modes, as given.
  void rub_joints();
  // Computes the forces of all loaded contacts according to their modes, and the accelerations with
  // them.
  void solve_forces(GripSystem::Start start = GripSystem::Start::kDecided);

  // The change of v that brings all that the grips keep at rest to rest at once, by impulses that
  // touches share as they do forces: what slides rubs as it is pressed. False if there is none.
  // N s   impulses: of each touch, along its normal, t1, t2.
  [[nodiscard]] bool calc_stop(VecX* change, std::vector<Vec3>* impulses);

  void calc_rate(double t, const VecX& y, VecX* rate) override;

  // Of the last update, along normal, t1, t2 of each touch.
  const std::vector<Vec3>& forces() const { return forces_; }  // N
  // m/s^2   without the unknown forces
  [[nodiscard]] Vec3 free_acceleration(int touch) const { return free_[touch]; }
  [[nodiscard]] Vec3 acceleration(int touch) const;  // m/s^2   with the forces
  [[nodiscard]] Vec3 velocity(int touch) const { return velocities_[touch]; }
  const std::vector<contact::Contact>& contacts() const { return contacts_; }  // of the touches
  const contact::ContactJacobian& jacobian() const { return J_; }
  const dynamics::MassMatrix& mass_matrix() const { return M_; }
  const std::vector<Pose>& poses() const { return X_WB_; }
  const std::vector<dynamics::Twist>& twists() const { return V_WB_; }
  const std::vector<dynamics::Twist>& accelerations() const { return A_WB_; }  // at v_dot = 0
  const VecX& v_dot() const { return v_dot_; }
  // Is the mechanism at rest and not accelerating, up to rounding?
  bool stands(int mechanism) const { return stands_[mechanism]; }
  bool has_drives() const { return has_drives_; }  // something moves as prescribed

  // Unit direction of b's slip relative to a: from the velocity, or as at the start of the segment
  // while there is none. It is kept after the slip reverses, too: the segment ends there, and the
  // motion must be smooth beyond for the end to be found.
  [[nodiscard]] Vec3 slip_direction(int touch) const;
  double slow() const { return slow_; }  // m/s
  void set_slow(double slow) { slow_ = slow; }

  // J   Where energy goes: the first entries of y after q and v.
  enum Work { kPotential, kApplied, kNormal, kFriction, kPrescribed, kNumWorks };
  int num_states() const;

  bool failed() const { return failed_; }  // the equations of the modes have no solution

 private:
  void calc_free_acceleration(double t);
  void find_what_moved(ConstVecRef q, ConstVecRef v);
  [[nodiscard]] bool has_moved(const contact::Contact& contact) const;
  void calc_contacts(ConstVecRef q, double t);
  void update_rubbing();
  void apply_forces();
  void update_gross();
  void stop_what_stands();
  void add_smooth_forces(double t);
  void write_rate(double t, VecX* rate);
  [[nodiscard]] double calc_driving_power(double t);

  const dynamics::Model* model_;
  double slow_;  // m/s
  bool has_drives_ = false;
  std::vector<Touch>* touches_ = nullptr;
  std::vector<contact::Contact> contacts_;
  std::vector<Vec3> forces_, velocities_;
  std::vector<Vec3> smooth_;  // m/s^2   accelerations without any contact force
  std::vector<Vec3> free_;    //         and with the friction of slipping joints
  bool failed_ = false;

  VecX q_, v_, v_free_dot_, v_dot_, v_dot_change_, v_dot_gross_, f_, zero_, loop_accelerations_;
  std::vector<Pose> X_WB_;
  std::vector<dynamics::Twist> V_WB_, A_WB_, V_drive_, A_full_;
  std::vector<dynamics::Wrench> wrenches_;
  dynamics::MassMatrix M_;
  std::vector<bool> stands_;   // by mechanism
  std::vector<double> gross_;  // m/s^2
  contact::ContactJacobian J_;
  bool are_contacts_known_ = false;  // do contacts_ belong to the last update of these touches?
  std::vector<bool> has_moved_;      // by mechanism, since then
  std::vector<int> moved_;           // touches
  double power_potential_ = 0.0, power_applied_ = 0.0;  // W

  GripIslands grips_;
  std::vector<Vec2> rubbing_;  // -   friction along t1, t2 per normal force, of sliding contacts

  bool is_cached_ = false;  // a state at rest is not computed again
  VecX y_cached_, rate_cached_;
};

// 1/kg   Normal acceleration of a contact per unit of its own force.
[[nodiscard]] double calc_mobility(const Motion& motion, int touch);

}  // namespace tenpin::methods::analytic
