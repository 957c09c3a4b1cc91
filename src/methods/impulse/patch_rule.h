// Microcollisions of faces: impulses that reverse the whole relative motion of two bodies that lie
// on each other, if the points between them can transmit these impulses. [MC95, §Static contact and
// microcollisions] reverses the velocity of one point. A corner of a block can rarely be reversed
// in this way, because the impulse that pushes it up also rotates the block. Ours: bodies that
// touch with a face have more points, and a resting face collides with all of them at once.
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "math/types.h"

namespace tenpin::methods::impulse {

// The relative motion at the middle of a patch, in the frame of its contacts: x, y along the
// tangents, z along the normal; velocity, then angular velocity, of b relative to a.
struct PatchProblem {
  std::vector<Vec2> points;  // m    from the middle, in the plane of the tangents
  Mat6 W = Mat6::Zero();     // velocity per impulse and angular impulse there
  Vec6 v = Vec6::Zero();     // m/s, rad/s
  Vec3 wanted =
      Vec3::Zero();  // m/s, rad/s   target after the impact: normal velocity, rocking about x, y
  Vec3 slip =
      Vec3::Zero();  // m/s, rad/s   target if friction suffices: slip along x, y, spin about z
  double mu = 0.0;   // -
  double work_speed = 0.0;  // m/s   friction may do work up to this times half the normal impulse
};

enum class PatchMode { kNone, kReversed, kSliding, kHeld };

class PatchRule {
 public:
  // Finds one non-pulling impulse per point that together reach the target. Friction brings slip
  // and spin to their targets if it can; or it opposes a slip that continues; or it stops both and
  // reaches as much of the target as it can. The normal impulse is distributed linearly over the
  // patch, friction in proportion to it. kNone if there is no such solution.
  [[nodiscard]] PatchMode solve(const PatchProblem& problem);
  const std::vector<Vec3>& impulses() const { return impulses_; }  // N s
  // m/s, rad/s   The relative motion after the impact.
  const Vec6& after() const { return after_; }

 private:
  bool stick(const PatchProblem& problem, double share);
  bool slide(const PatchProblem& problem);
  bool spread_normal(const PatchProblem& problem, const Vec6& wrench);
  bool spread_friction(const PatchProblem& problem, const Vec6& wrench);

  std::vector<Vec3> impulses_;
  Vec6 after_ = Vec6::Zero();
};

// Do contacts span a face: three or more, not on a line?
[[nodiscard]] bool is_face(std::span<const contact::Contact> contacts);

}  // namespace tenpin::methods::impulse
