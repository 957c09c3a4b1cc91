// A contact during one smooth piece of motion.
#pragma once

#include "contact/contact.h"
#include "contact/track.h"

namespace tenpin::methods::analytic {

// What a contact does from one event to the next. All but the first two carry a force.
enum class Grip {
  kApart,  // watched because it may close
  kIdle,   // touches without force: separates, or others hold it
  kPress,  // normal force alone
  kSlide,  // and friction against the slip
  kStick,  // and whatever friction keeps it from slipping
  kGiven,  // a force that is not a solution, for a moment   [B89, §6.5]
};
[[nodiscard]] constexpr bool carries(Grip grip) {
  return grip >= Grip::kPress;
}

struct Touch {
  contact::Contact contact;
  contact::Track track;
  Grip grip = Grip::kApart;
  contact::NormalOf normal_of = contact::NormalOf::kFeatures;
  bool is_touching = false;      // at rest along the normal when the piece began
  double gap_start = 0.0;        // m   when the piece began
  double mu = 0.0;               // -   as the method's options want it
  double dry = 0.0;              // N, N m   of a joint: the most that its friction gives
  Vec3 slip_dir = Vec3::Zero();  // -   of b past a when the piece began; world axes
  bool begins_to_slip = false;   // slower than slip counts: its direction stays for the piece
  // N   along normal, t1, t2, when contacts last had to be decided: where forces are not unique,
  // what is free of them stays as it was then.
  Vec3 force = Vec3::Zero();
};

// A joint that rubs has no normal: its friction is a row along t1, and is given while it slips.
[[nodiscard]] inline bool is_dry_joint(const Touch& touch) {
  return touch.contact.kind == contact::ContactKind::kJointFriction;
}

// Whether the force is the one that keeps accelerations at zero.
[[nodiscard]] inline bool is_found(const Touch& touch) {
  const bool rubs = is_dry_joint(touch) && touch.grip == Grip::kSlide;
  return carries(touch.grip) && touch.grip != Grip::kGiven && !rubs;
}

}  // namespace tenpin::methods::analytic
