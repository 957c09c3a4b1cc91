// Queries for control and optimisation. They change nothing.
#pragma once

#include <tenpin/simulation.h>
#include <tenpin/types.h>

#include <string>
#include <vector>

namespace tenpin {

// M(q), nv x nv, armature included; loops are left out.
[[nodiscard]] MatX calc_mass_matrix(const Simulation& simulation);

// c(q, v): Coriolis, centrifugal and gyroscopic terms less gravity, so that
//   M v_dot + c = forces in joints, on bodies and from contacts.
[[nodiscard]] VecX calc_bias_forces(const Simulation& simulation);

// Generalised forces of springs, damping, motors and controls at this state.
[[nodiscard]] VecX calc_smooth_forces(const Simulation& simulation);

// Rows: velocity of the body's point p_W (3), angular velocity of the body (3); world axes.
[[nodiscard]] MatX calc_point_jacobian(const Simulation& simulation, BodyId body, const Vec3& p_W);

// Contacts that touch at this state (gap <= `reach`): three rows each, the relative velocity of b
// past a along the normal and the two tangents.
struct ContactRows {
  std::vector<Contact> contacts;      // where they are; impulses are zero
  std::vector<Eigen::Matrix3d> axes;  // columns: normal, first and second tangent
  MatX J;                             // 3 nc x nv
  VecX drive;                         // m/s   what prescribed motion adds to J v
  std::vector<double> friction;       // -     coefficient of each
};
[[nodiscard]] ContactRows calc_contact_rows(const Simulation& simulation, double reach = 0.0);

// W = J M^-1 J' of those rows: change of contact velocities per impulse; loops stay closed.
[[nodiscard]] MatX calc_delassus(const Simulation& simulation, const MatX& J);

// v_dot of the state under gravity, all smooth forces and `extra` (nv), without contacts; loops
// stay closed.
[[nodiscard]] VecX calc_forward_dynamics(const Simulation& simulation, const VecX& extra);
// Forces (nv) that must act in addition to gravity to give v_dot: M v_dot + c. Springs, motors and
// controls are part of the answer.
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
// N m, N   What the motor, spring, damping, dry friction and joint force of a hinge or slider did
// along its axis in the last step, on average.
[[nodiscard]] double calc_joint_effort(const Simulation& simulation, JointId joint);

// How the next state follows from this one and from the joint forces:  dx' = A dx + B du, where x
// is (dq, v) with dq in the units of v (2 nv numbers), and u are the joint forces (nv). What
// touches stays in touch and what sticks or slides goes on so: the derivative is along the contacts
// that the step has.
struct Linearization {
  MatX A;                 // 2nv x 2nv
  MatX B;                 // 2nv x nv
  double duration = 0.0;  // s   from this state to the next
  // True: through the solved step, with contact impulses by the implicit function theorem. False:
  // central differences of whole steps, which carry the error of their solves over eps.
  bool through_contacts = false;
  std::string why_differences;     // if false: what the solved step has that cannot be derived
  std::vector<std::string> kinks;  // where the step is not differentiable, in words

  bool is_smooth() const { return kinks.empty(); }
};
struct LinearizeOptions {
  double eps = 1e-6;            // m, rad, m/s, rad/s   size of differences
  double duration = 0.01;       // s   of methods that do not step; the others take one step
  bool by_differences = false;  // of whole steps, always
};
[[nodiscard]] Linearization linearize(const Simulation& simulation,
                                      const LinearizeOptions& options = {});

}  // namespace tenpin
