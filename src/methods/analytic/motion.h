// The equations of motion between events: all smooth forces, and the contact forces that keep the
// gaps of closed contacts constant.   [B89, §5]
#pragma once

#include <vector>

#include "methods/analytic/grip_islands.h"
#include "methods/analytic/instant.h"
#include "methods/analytic/integrator.h"

namespace tenpin::methods::analytic {

// The contact forces at an instant, and what they do.
struct ContactForces {
  // By touch, along normal, t1, t2.
  std::vector<Vec3> forces;  // N
  std::vector<Vec3> free;    // m/s^2   accelerations by smooth forces and slipping joints alone
  // Of all velocities.
  VecX v_dot_change;         // by the contact forces
  VecX v_dot_sizes;          // sums of the magnitudes that add up to v_dot
  VecX v_dot;                // with all forces
  std::vector<bool> stands;  // by mechanism: is it at rest and not accelerating, up to rounding?
  bool failed = false;       // the equations of the modes have no solution
};

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

  // Of the last update.
  const Instant& at() const { return at_; }
  Vec3 velocity(int touch) const { return at_.velocities[touch]; }                // m/s
  const std::vector<contact::Contact>& contacts() const { return at_.contacts; }  // of the touches
  const contact::ContactJacobian& jacobian() const { return at_.J; }
  const dynamics::MassMatrix& mass_matrix() const { return at_.M; }
  const std::vector<Vec3>& forces() const { return result_.forces; }  // N
  // m/s^2   without the unknown forces, and with them
  Vec3 free_acceleration(int touch) const { return result_.free[touch]; }
  [[nodiscard]] Vec3 acceleration(int touch) const;
  bool stands(int mechanism) const { return result_.stands[mechanism]; }
  bool failed() const { return result_.failed; }
  bool has_drives() const { return update_.has_drives(); }  // something moves as prescribed

  // Unit direction of b's slip relative to a: from the velocity, or as at the start of the segment
  // while there is none. It is kept after the slip reverses, too: the segment ends there, and the
  // motion must be smooth beyond for the end to be found.
  [[nodiscard]] Vec3 slip_direction(int touch) const;
  double slow() const { return slow_; }  // m/s
  void set_slow(double slow) { slow_ = slow; }

  // J   Where energy goes: the first entries of y after q and v.
  enum Work { kPotential, kApplied, kNormal, kFriction, kPrescribed, kNumWorks };
  int num_states() const;

 private:
  void update_rubbing();
  void write_rate(VecX* rate) const;

  const dynamics::Model* model_;
  double slow_;  // m/s
  std::vector<Touch>* touches_ = nullptr;
  InstantUpdate update_;
  Instant at_;
  GripIslands grips_;
  std::vector<Vec2> rubbing_;  // -   friction along t1, t2 per normal force, of sliding contacts
  ContactForces result_;

  bool is_cached_ = false;  // a state at rest is not computed again
  VecX y_cached_, rate_cached_;
};

// 1/kg   Normal acceleration of a contact per unit of its own force.
[[nodiscard]] double calc_mobility(const Motion& motion, int touch);

}  // namespace tenpin::methods::analytic
