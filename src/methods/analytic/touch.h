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

// Whether the force is the one that keeps accelerations at zero.
[[nodiscard]] constexpr bool is_found(Grip grip) {
  return carries(grip) && grip != Grip::kGiven;
}

struct Touch {
  contact::Contact contact;
  contact::Track track;
  Grip grip = Grip::kApart;
  bool is_touching = false;      // at rest along the normal when the piece began
  double gap_start = 0.0;        // m   when the piece began
  double mu = 0.0;               // -   as the method's options want it
  Vec3 slip_dir = Vec3::Zero();  // -   of b past a when the piece began; world axes
  // N   along normal, t1, t2, when contacts last had to be decided: where forces are not unique,
  // what is free of them stays as it was then.
  Vec3 force = Vec3::Zero();
};

}  // namespace tenpin::methods::analytic
