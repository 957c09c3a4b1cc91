#include "contact/coupled_contacts.h"

#include <algorithm>

namespace tenpin::contact {

const CoupledContacts::Pairs& CoupledContacts::group(const ContactJacobian& J,
                                                     std::span<const int> contacts) {
  by_mechanism_.clear();
  for (int k = 0; k < static_cast<int>(contacts.size()); ++k) {
    for (const int which : {0, 1}) {
      const ContactJacobian::Side& side = J.side(contacts[k], which);
      if (side.nv > 0) by_mechanism_.emplace_back(side.mechanism, k);
    }
  }
  std::sort(by_mechanism_.begin(), by_mechanism_.end());
  return by_mechanism_;
}

const CoupledContacts::Pairs& CoupledContacts::pair_up() {
  pairs_.clear();
  for (std::size_t k = 0; k < by_mechanism_.size(); ++k) {
    for (std::size_t l = k + 1;
         l < by_mechanism_.size() && by_mechanism_[l].first == by_mechanism_[k].first; ++l) {
      pairs_.emplace_back(by_mechanism_[k].second, by_mechanism_[l].second);
    }
  }
  return pairs_;
}

const CoupledContacts::Pairs& CoupledContacts::find(const ContactJacobian& J,
                                                    std::span<const int> contacts) {
  group(J, contacts);
  return pair_up();
}

}  // namespace tenpin::contact
