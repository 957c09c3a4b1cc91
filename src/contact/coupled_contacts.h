// Determines which contacts affect each other.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "contact/jacobian.h"

namespace tenpin::contact {

// Contacts of a list that share a mechanism: the pattern of J M^-1 J'.
class CoupledContacts {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  // Returns (mechanism, place in the list), sorted.
  const Pairs& group(const ContactJacobian& J, std::span<const int> contacts);
  // Returns the pairs of places that share a mechanism in the last grouping.
  const Pairs& pair_up();
  const Pairs& find(const ContactJacobian& J, std::span<const int> contacts);

 private:
  Pairs by_mechanism_, pairs_;
};

}  // namespace tenpin::contact
