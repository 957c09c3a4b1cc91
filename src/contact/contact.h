// A place where two bodies touch or are about to touch, with everything that a contact law needs.
#pragma once

#include <cstdint>

#include "contact/key.h"
#include "dynamics/limit_surface.h"
#include "math/types.h"

namespace tenpin::contact {

// What meets: the surfaces of two bodies, a joint and its stop, or the two halves of a joint with
// dry friction. Contacts of joints have the same body in both places, and a direction among the
// joint's velocities instead of points; their gap is in the joint's unit. Friction against rolling
// is a contact by itself, beside that of the surfaces whose normal impulse is its load: its t1 and
// t2 are axes of rotation, and its velocities are angular ones times `rolling`, its impulses
// moments over `rolling`, so that both have the units of other contacts.
enum class ContactKind : std::uint8_t { kSurface, kJointLimit, kJointFriction, kRollingFriction };

struct Contact {
  ContactKey key;
  ContactKind kind = ContactKind::kSurface;
  Vec3 direction = Vec3::Zero();  // -   joints: normal velocity (or slip) per velocity of the joint
  int body_a = 0;
  int body_b = 0;
  Vec3 normal = Vec3::Zero();  // -   from a to b
  Vec3 t1 = Vec3::Zero();      // -   tangents; (normal, t1, t2) is right-handed
  Vec3 t2 = Vec3::Zero();
  Vec3 p_a = Vec3::Zero();  // m   on a's surface, world frame
  Vec3 p_b = Vec3::Zero();  // m   on b's surface
  double gap = 0.0;         // m   signed
  double radius_a = 0.0;    // m   rounding of the surfaces at the point; < 0: a bowl's wall
  double radius_b = 0.0;
  bool is_planar = false;  // both bodies move in one plane and t1 lies in it: no motion along t2
  double mu = 0.0;         // -   along t1
  double mu_across = 0.0;  // -   along t2
  double mu_static = 0.0;  // -   at zero slip; equal to mu without Stribeck effect
  double stribeck_speed = 0.0;  // m/s
  double torsion = 0.0;         // m
  double rolling = 0.0;         // m   largest moment against rolling over the normal force
  int load = -1;  // kRollingFriction: the contact of the surfaces, as an index into the same list
  double viscous = 0.0;  // N s/m
  // m/s   How much faster than its body b's surface moves, less the same of a; world frame. Only
  // the tangential part counts.
  Vec3 belt = Vec3::Zero();
  bool has_belt = false;
  double restitution = 0.0;  // -
  double stiffness = 0.0;    // N/m 0: rigid
  // A general limit surface of friction, owned by the model; mu and the radius above belong to it.
  // Null: friction is a cone.
  const dynamics::LimitSurface* limit = nullptr;
};

// Friction without a normal of its own, under a load that is given to it.
[[nodiscard]] inline bool is_dry(const Contact& contact) {
  return contact.kind == ContactKind::kJointFriction ||
         contact.kind == ContactKind::kRollingFriction;
}

// Is friction the same in all directions of slip?
[[nodiscard]] inline bool is_isotropic(const Contact& contact) {
  return contact.mu == contact.mu_across && contact.limit == nullptr;
}

// Unit tangents of a normal. t1 is the projection of `axis`, or of a coordinate axis if `axis` is
// zero or nearly parallel to the normal: e_x unless |n_x| >= 0.9, then e_y. This choice is
// arbitrary; it rotates the polyhedral cone and so changes results by the cone's own error.
struct Tangents {
  Vec3 t1 = Vec3::Zero();
  Vec3 t2 = Vec3::Zero();
};
[[nodiscard]] Tangents calc_tangents(const Vec3& normal, const Vec3& axis);

}  // namespace tenpin::contact
