// A contact tracked while its bodies move: which features touch, and how their gap changes in time
// to second order.   [B89, §4]
//   paper    here             meaning
//   chi      Contact::gap     distance of the features, zero in contact
//   n        Contact::normal  here from a to b, so that b is the paper's body A
//   p_a      P of a feature   the point that touches; vertices are rounded by a radius here
// This implementation has edges, rims, ellipsoids and rounded features in addition to the paper's
// vertices and planes. Each is a point, a line, a plane, a circle or an ellipsoid of its body,
// rounded by a radius. Contact points may move along features, which adds the terms of curved
// shapes.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::contact {

struct TrackedFeature {
  // Ordered from sharp to flat. A smooth feature comes first because it is always the second of a
  // pair.
  enum class Kind { kSmooth, kPoint, kRim, kLine, kPlane } kind = Kind::kPoint;
  Vec3 p = Vec3::Zero();     // m   a point of it, or the centre of a rim or ellipsoid; body frame
  Vec3 axis = Vec3::Zero();  // -   of a line or rim, outward normal of a plane; body frame
  double radius = 0.0;       // m   of the rounding about the feature
  double rim = 0.0;          // m   radius of the rim itself
  Vec3 edge = Vec3::Zero();  // -   of a plane: along its edge, if points must stay there
  Vec3 semiaxes = Vec3::Zero();  // m   of an ellipsoid, along the columns of R
  Mat3 R = Mat3::Identity();     // -   of an ellipsoid in its body
};

struct Track {
  TrackedFeature a, b;
  bool flipped = false;  // b is the flatter body
  bool is_exact = true;  // false: correct to first order only, as for degenerate contacts
  // -   The contact's first tangent when the track was made. The frame depends on the poses alone,
  // not on when it was evaluated: it turns with the normal.
  Vec3 t1 = Vec3::Zero();
};

// The origin of the contact's normal: its features, faces that lie on each other, or an arbitrary
// choice.
enum class NormalOf { kFeatures, kFaces, kChoice };

// Finds the features of a contact, to be followed while it touches. If the normal is chosen, or the
// pair itself defines none, the flatter body is extended by a plane across the normal [B89, §4.1].
// If faces lie on each other, their edges cross at points of both planes; the angle between the
// edges may be small and does not define the normal [B89, §4.2]. Joint stops need no features.
[[nodiscard]] Track make_track(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                               const Contact& contact, NormalOf normal = NormalOf::kFeatures);

// Moves points, frame and gap to the current poses. q determines the gaps of joint stops.
// [B89, eq. (1)]
void update_contact(const dynamics::Model& model, const Track& track, const std::vector<Pose>& X_WB,
                    ConstVecRef q, Contact* contact);

// Poses, velocities and accelerations at v_dot = 0 of the bodies.
struct BodyMotion {
  const std::vector<Pose>& X_WB;
  const std::vector<dynamics::Twist>& V_WB;
  const std::vector<dynamics::Twist>& A_WB;
};

// m/s^2   The part of the contact's acceleration that does not depend on v_dot: J_dot v and the
// contribution of prescribed motion, along normal, t1 and t2. The first component is the second
// derivative of the gap; the others are valid for sticking, where slip vanishes.   [B89, eq.
// (30)-(34)]
[[nodiscard]] Vec3 calc_bias(const Track& track, const Contact& contact, const BodyMotion& motion);

}  // namespace tenpin::contact
