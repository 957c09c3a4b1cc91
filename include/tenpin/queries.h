// Queries for control and optimisation. They change nothing.
#pragma once

#include <tenpin/simulation.h>
#include <tenpin/types.h>

#include <string>
#include <vector>

namespace tenpin {

// The mass matrix M(q), nv x nv, including armature; loops are ignored.
[[nodiscard]] MatX calc_mass_matrix(const Simulation& simulation);

// The bias forces c(q, v): Coriolis, centrifugal and gyroscopic terms minus gravity, so that
//   M v_dot + c = forces in joints, on bodies and from contacts.
[[nodiscard]] VecX calc_bias_forces(const Simulation& simulation);

// Generalised forces of springs, damping, motors and controls at this state.
[[nodiscard]] VecX calc_smooth_forces(const Simulation& simulation);

// Rows: velocity of the body's point p_W (3), angular velocity of the body (3); in world axes.
[[nodiscard]] MatX calc_point_jacobian(const Simulation& simulation, BodyId body, const Vec3& p_W);

// The contacts that touch at this state (gap <= `reach`). Each has three rows: the velocity of b
// relative to a along the normal and the two tangents.
struct ContactRows {
  std::vector<Contact> contacts;      // at this state; their impulses are zero
  std::vector<Eigen::Matrix3d> axes;  // columns: normal, first and second tangent
  MatX J;                             // 3 nc x nv
  VecX drive;                         // m/s   contribution of prescribed motion, added to J v
  std::vector<double> friction;       // -     coefficient of each contact
};
[[nodiscard]] ContactRows calc_contact_rows(const Simulation& simulation, double reach = 0.0);

// W = J M^-1 J' for these rows: change of contact velocities per impulse, while loops stay closed.
[[nodiscard]] MatX calc_delassus(const Simulation& simulation, const MatX& J);

// The accelerations v_dot under gravity, all smooth forces and `extra` (nv), without contacts;
// loops stay closed.
[[nodiscard]] VecX calc_forward_dynamics(const Simulation& simulation, const VecX& extra);
// The forces (nv) that must act in addition to gravity to cause v_dot: M v_dot + c. They include
// the forces of springs, motors and controls.
[[nodiscard]] VecX calc_inverse_dynamics(const Simulation& simulation, const VecX& v_dot);

// The signed distance of two bodies and their closest points, over all their shapes.
struct Distance {
  double gap = 0.0;  // m   > 0 apart; infinite if a body has no shapes
  Vec3 point_a = Vec3::Zero();
  Vec3 point_b = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // -   from a to b
};
[[nodiscard]] Distance calc_distance(const Simulation& simulation, BodyId a, BodyId b);

// N   The mean force on b over the last step: the sum over its contacts with a.
[[nodiscard]] Vec3 calc_contact_force(const Simulation& simulation, BodyId a, BodyId b);
// N m, N   The mean effort of the motor, spring, damping, dry friction and joint force of a hinge
// or slider along its axis in the last step.
[[nodiscard]] double calc_joint_effort(const Simulation& simulation, JointId joint);

// How the next state depends on this one and on the joint forces:  dx' = A dx + B du, where x is
// (dq, v) with dq in the units of v (2 nv numbers), and u are the joint forces (nv). The contacts
// of the step keep their modes: closed contacts stay closed, and sliding or sticking contacts
// continue to slide or stick.
struct Linearization {
  MatX A;                 // 2nv x 2nv
  MatX B;                 // 2nv x nv
  double duration = 0.0;  // s   from this state to the next
  // True: derived through the solved step, with contact impulses by the implicit function theorem.
  // False: central differences of whole steps, whose error is that of their solves divided by eps.
  bool through_contacts = false;
  std::string why_differences;     // if false: what in the solved step cannot be differentiated
  std::vector<std::string> kinks;  // where the step is not differentiable, as text

  bool is_smooth() const { return kinks.empty(); }
};
struct LinearizeOptions {
  double eps = 1e-6;            // m, rad, m/s, rad/s   size of differences
  double duration = 0.01;       // s   for event-driven methods; the others take one step
  bool by_differences = false;  // true: always use differences of whole steps
};
[[nodiscard]] Linearization linearize(const Simulation& simulation,
                                      const LinearizeOptions& options = {});

}  // namespace tenpin
