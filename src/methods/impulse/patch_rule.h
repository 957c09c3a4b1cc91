// Microcollisions of faces: the impulses that reverse the whole relative motion of two bodies that
// lie on each other, if the points between them can bear them.
// [MC95, §Static contact and microcollisions] reverses the velocity of one point. A corner of a
// block can rarely be reversed so: what pushes it up also turns the block. Ours: bodies that touch
// with a face have more than that point, and a resting face meets with all of them at once.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "math/types.h"

namespace tenpin::methods::impulse {

// The relative motion at the middle of a patch, frame of its contacts: x, y along the tangents, z
// along the normal; velocity, then angular velocity, of b past a.
struct PatchProblem {
  std::vector<Vec2> points;    // m    from the middle, in the plane of the tangents
  Mat6 W = Mat6::Zero();       // velocity per impulse and angular impulse there
  Vec6 v = Vec6::Zero();       // m/s, rad/s
  Vec3 wanted = Vec3::Zero();  // m/s, rad/s   after the impact: normal velocity, rocking about x, y
  Vec3 slip = Vec3::Zero();    // m/s, rad/s   so if friction can: slip along x, y, spin about z
  double mu = 0.0;             // -
  double work_speed = 0.0;     // m/s   friction may do this times half the normal impulse of work
};

enum class PatchMode { kNone, kReversed, kSliding, kHeld };

class PatchRule {
 public:
  // Looks for one impulse per point that together do what is wanted, none of them pulling. Friction
  // brings slip and spin to what is asked, if it can; or it opposes a slip that goes on; or it ends
  // both and does as much of what is asked as it can. The normal impulse is spread linearly over
  // the patch, friction as the normal impulse. kNone if nothing of this kind is found.
  [[nodiscard]] PatchMode solve(const PatchProblem& problem);
  const std::vector<Vec3>& impulses() const { return impulses_; }  // N s
  // m/s, rad/s   What the relative motion comes to.
  const Vec6& after() const { return after_; }

 private:
  bool stick(const PatchProblem& problem, double share);
  bool slide(const PatchProblem& problem);
  bool spread_normal(const PatchProblem& problem, const Vec6& wrench);
  bool spread_friction(const PatchProblem& problem, const Vec6& wrench);

  std::vector<Vec3> impulses_;
  Vec6 after_ = Vec6::Zero();
};

// Whether contacts span a face: three of them or more, not on a line.
[[nodiscard]] bool is_face(std::span<const contact::Contact> contacts);

}  // namespace tenpin::methods::impulse
