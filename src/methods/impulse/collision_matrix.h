// How an impulse at a contact changes the contact's velocity, through all joints of its bodies.
// The paper's M, 3 x 3: Δu = M p; W here.   [MC95, §Computing collision impulses]
#pragma once

#include <array>

#include "contact/contact.h"
#include "dynamics/mass_matrix.h"
#include "methods/impulse/flying_bodies.h"

namespace tenpin::methods::impulse {

// One contact at a time; both bodies must be at the same time. Free bodies have W in closed form;
// articulated ones respond with all their joints.   [MC95, §Conclusions]: hybrid
class CollisionMatrix {
 public:
  explicit CollisionMatrix(FlyingBodies* bodies) : bodies_(bodies) {}

  // Frame of W and of all vectors: x and y along the contact's tangents, z along its normal. The
  // impulse acts midway between the surfaces.
  void update(const contact::Contact& contact);
  const Mat3& matrix() const { return W_; }  // 1/kg

  // m/s   Velocity of b's point past a's.
  [[nodiscard]] Vec3 velocity(const contact::Contact& contact) const;
  // m/s   The part of it due to bodies with prescribed motion.
  [[nodiscard]] Vec3 drive(const contact::Contact& contact) const;

  // Applies an impulse on b, and its opposite on a, at the contact of the last update.
  void apply(const contact::Contact& contact, const Vec3& impulse);

  static Mat3 frame(const contact::Contact& c) {
    Mat3 R;
    R << c.t1, c.t2, c.normal;
    return R;
  }
  static Vec3 point(const contact::Contact& c) { return 0.5 * (c.p_a + c.p_b); }

 private:
  // The joint velocities of one articulated mechanism that the contact acts on.
  struct Side {
    int mechanism = -1;
    MatX J;  // nv x 3
    MatX L;  // nv x 3   M^-1 J
  };
  void add_rows(const contact::Contact& contact, int body, double sign, Side* side);
  void update_side(const contact::Contact& contact, Side* side);

  FlyingBodies* bodies_;
  Mat3 W_ = Mat3::Zero();
  std::array<Side, 2> sides_;
  int num_sides_ = 0;
  dynamics::MechanismInverse inverse_;
  VecX zero_;
};

}  // namespace tenpin::methods::impulse
