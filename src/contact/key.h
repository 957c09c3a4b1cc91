// The identity of a contact from step to step.
#pragma once

#include <compare>
#include <cstdint>

namespace tenpin::contact {

// Two parts of the model and the features of these parts that touch (collide/manifold.h). For a
// joint stop or joint friction, part_a is negative (contact/joint_contacts.h).
struct ContactKey {
  std::int32_t part_a = 0;
  std::int32_t part_b = 0;
  std::uint32_t feature_a = 0;
  std::uint32_t feature_b = 0;

  auto operator<=>(const ContactKey&) const = default;
};

}  // namespace tenpin::contact
