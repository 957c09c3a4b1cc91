// A tracked contact during one smooth segment of motion.
#pragma once

#include "contact/contact.h"
#include "contact/track.h"

namespace tenpin::methods::analytic {

// The contact mode from one event to the next. All except the first two carry a force.
enum class Grip {
  kApart,  // watched because it may close
  kIdle,   // touches without force: separates, or is unloaded
  kPress,  // normal force only
  kSlide,  // and friction against the slip
  kStick,  // and the friction that keeps it from slipping
  kGiven,  // temporarily, a force that is not a solution   [B89, §6.5]
};
[[nodiscard]] constexpr bool carries(Grip grip) {
  return grip >= Grip::kPress;
}

struct Touch {
  contact::Contact contact;
  contact::Track track;
  Grip grip = Grip::kApart;
  contact::NormalOf normal_of = contact::NormalOf::kFeatures;
  bool is_touching = false;      // at rest along the normal at the start of the segment
  double gap_start = 0.0;        // m   at the start of the segment
  double mu = 0.0;               // -   according to the method's options
  double dry = 0.0;              // N, N m   of a joint: its largest friction
  Vec3 slip_dir = Vec3::Zero();  // -   of b relative to a at the start of the segment; world axes
  bool begins_to_slip = false;   // below the slip threshold: its direction is fixed for the segment
  // N   along normal, t1, t2, when modes were last decided: undetermined forces keep these values.
  Vec3 force = Vec3::Zero();
};

// Dry joint friction has no normal: it is a row along t1, and is given while the joint slips.
[[nodiscard]] inline bool is_dry_joint(const Touch& touch) {
  return touch.contact.kind == contact::ContactKind::kJointFriction;
}

// Is the force an unknown that keeps accelerations at zero?
[[nodiscard]] inline bool is_found(const Touch& touch) {
  const bool rubs = is_dry_joint(touch) && touch.grip == Grip::kSlide;
  return carries(touch.grip) && touch.grip != Grip::kGiven && !rubs;
}

}  // namespace tenpin::methods::analytic
