// Dynamics of trees of joints in time proportional to the number of bodies.   [F08]
//
// All quantities are in world axes at the bodies' centres of mass, so that the transformation from
// a body to its parent is a shift without a rotation. Loops over bodies replace recursion, so that
// memory alone limits the number of links of a chain.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "math/pivoted_cholesky.h"

namespace tenpin::dynamics {

// Force on a body at its centre of mass, and torque; in world axes.
struct Wrench {
  Vec3 force = Vec3::Zero();   // N     (N s for an impulse)
  Vec3 torque = Vec3::Zero();  // N m
};

// Moment of inertia about the centre of mass, in world axes.
[[nodiscard]] Mat3 calc_world_inertia(const Body& body, const Pose& X_WB);

// Adds the generalised forces of wrenches on the bodies of a mechanism to f: J' for all bodies at
// once. Overwrites the wrenches.
void add_generalized_forces(const Model& model, const Mechanism& mechanism,
                            const std::vector<Pose>& X_WB, std::vector<Wrench>* wrenches, VecRef f);

// Inverse dynamics: f += M v_dot + (centrifugal, Coriolis and gyroscopic terms), from the
// accelerations of the bodies, without gravity.   RNEA
struct InverseDynamics {
  const std::vector<Pose>& X_WB;
  const std::vector<Twist>& V_WB;
  const std::vector<Twist>& A_WB;
};
void add_inverse_dynamics(const Model& model, const Mechanism& mechanism,
                          const InverseDynamics& motion, ConstVecRef v_dot,
                          std::vector<Wrench>* scratch, VecRef f);

// The dense mass matrix of one mechanism (nv x nv), armature included.   CRBA
void calc_mass_matrix(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
                      MatRef M);

// M^-1 of the trees of one mechanism, as a product of joint-by-joint eliminations.   ABA
class ArticulatedInertia {
 public:
  // Adds `diagonal` (nv of the whole model) to M, for forces that are treated implicitly.
  void update(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
              ConstVecRef diagonal);

  // out = M^-1 f over the mechanism's own velocities; out may be f. Uses scratch memory of this
  // object: only one thread may call it at a time.
  void solve(const double* f, double* out) const;

  // True if the joint of the mechanism's k-th body moves any inertia.
  [[nodiscard]] bool is_regular(int k) const;

  // The twist of body b per unit wrench on body b, a 6x6 matrix over (v, w): the inverse of its
  // articulated inertia. The collision matrix of a contact follows from it.   [M11, §4], [MC95, §4]
  [[nodiscard]] Mat6 calc_mobility(int body) const;

 private:
  struct Link {
    int parent = -1;        // position in the mechanism; -1: attached to a base
    int v = 0;              // first velocity, relative to the mechanism's first
    Vec3 r = Vec3::Zero();  // m   from the parent's centre of mass
    Subspace S;
    Subspace U;             // I_A S
    SmallMatrix D_inverse;  // of S' I_A S
  };
  struct Sweep {  // of one solve
    Vec6 wrench = Vec6::Zero();
    Vec6 acceleration = Vec6::Zero();
  };

  std::vector<Link> links_;  // in the order of Mechanism::bodies
  std::vector<int> place_;   // by body: its position in links_
  std::vector<Mat6> inertia_;
  mutable std::vector<Sweep> sweep_;
};

}  // namespace tenpin::dynamics
