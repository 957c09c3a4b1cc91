// Contacts while their bodies move: velocities, and the contact halfway between two times.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "contact/jacobian.h"
#include "dynamics/kinematics.h"
#include "math/pose.h"

namespace tenpin::methods::time_stepping {

// Poses and velocities of bodies, including prescribed motion.
struct BodyMotion {
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
};

// The velocity of body b's point relative to body a's: the same as ContactJacobian's J v + drive,
// but without a Jacobian. For a joint at its stop, v must contain the joint's velocities.
[[nodiscard]] contact::ContactVector calc_contact_velocity(const dynamics::Model& model,
                                                           const contact::Contact& contact,
                                                           const BodyMotion& motion, const VecX& v);

// The contact after its bodies moved: its points move with the bodies, its normal is unchanged.
[[nodiscard]] contact::Contact carry(const contact::Contact& contact, const std::vector<Pose>& from,
                                     const std::vector<Pose>& to);

// Rotates the tangents of *contact towards those of `other`, as far as the normals allow, so that
// components along them can be compared. Anisotropic friction keeps its own axes.
void align_tangents(const contact::Contact& other, contact::Contact* contact);

// One contact at two times, and the poses of the bodies at both. The contact halfway has the mean
// arms and the mean normal; its Jacobian is that at the midpoint up to a second-order term.
struct TwoTimes {
  const contact::Contact& first;
  const std::vector<Pose>& X_first;
  const contact::Contact& second;
  const std::vector<Pose>& X_second;
};
[[nodiscard]] contact::Contact calc_middle(const TwoTimes& times, const std::vector<Pose>& X);

// True if two contacts with the same key can be one contact that moved: its point stays close to
// its place as seen from one of the bodies, relative to the arm of the smaller one, and the normal
// stays close to its direction. The lowest point of a rim, for example, keeps its key while it
// jumps across the disc; the contact halfway would then be at the centre of the disc, where nothing
// touches.
[[nodiscard]] bool is_same_place(const dynamics::Model& model, const TwoTimes& times);

// The mean of two normals of a contact that took an impulse along each, weighted by the impulses,
// so that the sum of both impulses lies in one friction cone as nearly as possible. Without
// impulses it is the later normal.
struct WeightedNormal {
  Vec3 normal = Vec3::Zero();
  double impulse = 0.0;  // N s
};
[[nodiscard]] Vec3 calc_mean_normal(const WeightedNormal& first, const WeightedNormal& later);

// The key for a second contact between features that already touch at another place, and the
// inverse operation.
[[nodiscard]] contact::ContactKey make_elsewhere_key(contact::ContactKey key);
[[nodiscard]] contact::ContactKey strip_elsewhere(contact::ContactKey key);

// The time in seconds at which the parabola g0 + u0 s + c s^2, which ends at g1 < 0 after h
// seconds, first vanishes, for g0 >= 0; and its slope there.
struct Crossing {
  double s = 0.0;      // s
  double speed = 0.0;  // m/s     gap velocity there
  double bend = 0.0;   // m/s^2   2 c
};
struct GapSamples {
  double g0 = 0.0;  // m
  double u0 = 0.0;  // m/s
  double g1 = 0.0;  // m
};
[[nodiscard]] Crossing calc_crossing(const GapSamples& gap, double h);

}  // namespace tenpin::methods::time_stepping
