// A contact followed while its bodies move: which features touch, and how their gap changes in time
// to second order.   [B89, §4]
//   paper    here             meaning
//   chi      Contact::gap     distance of the features, zero in contact
//   n        Contact::normal  here from a to b, so that b is the paper's body A
//   p_a      P of a feature   the point that touches; vertices are rounded by a radius here
// Ours: edges, rims and rounded features besides the paper's vertices and planes. Each is a point,
// a line, a plane or a circle of its body, rounded by a radius; points of contact may slip along
// features, which gives the terms that curved shapes add.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::contact {

struct TrackedFeature {
  enum class Kind { kPoint, kRim, kLine, kPlane } kind = Kind::kPoint;  // from sharp to flat
  Vec3 p = Vec3::Zero();     // m   a point of it, or the rim's centre; body frame
  Vec3 axis = Vec3::Zero();  // -   of a line or rim, outward normal of a plane; body frame
  double radius = 0.0;       // m   of the rounding about the feature
  double rim = 0.0;          // m   radius of the rim itself
  Vec3 edge = Vec3::Zero();  // -   of a plane: along its edge, if points are to stay there
};

struct Track {
  TrackedFeature a, b;
  bool flipped = false;  // b is the flatter one
  bool is_exact = true;  // false: first order only, as for degenerate contacts
  // -   The contact's first tangent when the track was made: frames turn with the normal, by where
  // bodies are and not by where they have been looked at.
  Vec3 t1 = Vec3::Zero();
};

// Whose the contact's normal is: that of its features, that of faces that lie on each other, or one
// chosen for want of it.
enum class NormalOf { kFeatures, kFaces, kChoice };

// What two touching features are while they touch. If the normal is chosen, or the pair defines
// none by itself, the flatter body is extended by a plane across it.   [B89, §4.1] Where faces lie
// on each other their edges cross at points of both planes: the angle between the edges, which may
// be small, says nothing of the normal.   [B89, §4.2] Joint stops need no features.
[[nodiscard]] Track make_track(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                               const Contact& contact, NormalOf normal = NormalOf::kFeatures);

// Moves points, frame and gap to where the bodies are; q places joints at their stops.
// [B89, eq. (1)]
void update_contact(const dynamics::Model& model, const Track& track, const std::vector<Pose>& X_WB,
                    ConstVecRef q, Contact* contact);

// Where the bodies are, how they move, and their accelerations at v_dot = 0.
struct BodyMotion {
  const std::vector<Pose>& X_WB;
  const std::vector<dynamics::Twist>& V_WB;
  const std::vector<dynamics::Twist>& A_WB;
};

// m/s^2   The part of the contact's acceleration that does not depend on v_dot: J_dot v and what
// prescribed motion adds, along normal, t1 and t2. The first is the second derivative of the gap;
// the others are those of sticking, where slip vanishes.   [B89, eq. (30)-(34)]
[[nodiscard]] Vec3 calc_bias(const Track& track, const Contact& contact, const BodyMotion& motion);

}  // namespace tenpin::contact
