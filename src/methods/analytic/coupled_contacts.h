// Which contacts act on each other.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "contact/jacobian.h"

namespace tenpin::methods::analytic {

// Pairs of places in the list whose contacts share a mechanism: the pattern of J M^-1 J'.
class CoupledContacts {
 public:
  const std::vector<std::pair<int, int>>& find(const contact::ContactJacobian& J,
                                               std::span<const int> contacts);

 private:
  std::vector<std::pair<int, int>> by_mechanism_, pairs_;
};

}  // namespace tenpin::methods::analytic
