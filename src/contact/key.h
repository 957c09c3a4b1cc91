// The identity of a contact from step to step.
#pragma once

#include <compare>
#include <cstdint>

namespace tenpin::contact {

// In `feature_a` of friction against rolling, whose key is otherwise that of its contact. No
// feature has this bit (collide/features.h).
inline constexpr std::uint32_t kRollingBit = 1U << 31U;

// Two parts of the model and their features that touch (collide/manifold.h). A joint stop or joint
// friction has a negative part_a (contact/joint_contacts.h).
struct ContactKey {
  std::int32_t part_a = 0;
  std::int32_t part_b = 0;
  std::uint32_t feature_a = 0;
  std::uint32_t feature_b = 0;

  bool is_rolling() const { return part_a >= 0 && (feature_a & kRollingBit) != 0; }
  auto operator<=>(const ContactKey&) const = default;
};

}  // namespace tenpin::contact
