// The complementarity problem of one island of contacts at one instant, over forces and
// accelerations or, in the same form, over impulses and velocities.
//   z = (normal forces; friction along the directions of a polyhedral cone; slip rates)
//   w = (normal accelerations; accelerations along the directions + slip rate; mu f_n - sum)
// Friction opposes the slip of a contact that already slips: such a contact has only a normal force
// as unknown, which determines its friction.   [B89, eq. (16)], with the friction of [ST00, eq.
// (16)-(20)]
#pragma once

#include <vector>

#include "complementarity/lcp.h"
#include "contact/friction_cone.h"
#include "contact/jacobian.h"

namespace tenpin::methods::analytic {

struct FrictionContact {
  int index = 0;         // in the Jacobian
  double mu = 0.0;       // -
  double dry = 0.0;      // N, N m   friction limit of a joint, independent of the normal force
  bool decides = false;  // is it unknown whether it slips?
  Vec2 rubbing = Vec2::Zero();  // -   friction along t1, t2 per normal force, if it does not decide
  Vec3 free = Vec3::Zero();     // m/s^2 or m/s   without contact forces, along normal, t1, t2
};

class FrictionLcp {
 public:
  static constexpr int kDirections = 16;  // of friction in space; a planar contact has two
  static constexpr int kLarge = 150;      // rows; dense methods are too expensive beyond

  FrictionLcp();

  std::vector<FrictionContact> contacts;  // of the island; filled by the caller

  // Would Lemke's algorithm, which is exact but dense, have more than kLarge rows?
  [[nodiscard]] bool is_large(const std::vector<contact::Contact>& all) const;
  void assemble(const contact::ContactJacobian& J, const std::vector<contact::Contact>& all);
  const complementarity::Lcp& lcp() const { return lcp_; }

  // From a solution z, for contact k of the island.
  double normal(ConstVecRef z, int k) const { return z[k]; }
  [[nodiscard]] Vec2 friction(ConstVecRef z, int k) const;  // along t1 and t2
  // The rate at which slip starts; zero if the contact sticks or does not decide.
  [[nodiscard]] double slip_rate(ConstVecRef z, int k) const;

 private:
  struct Place {
    int beta = 0;   // first friction unknown
    int count = 0;  // of them
    int lambda = 0;
  };
  void place_unknowns(const std::vector<contact::Contact>& all);
  void fill_row(const contact::ContactJacobian& J, int row);
  [[nodiscard]] Vec2 direction(int k, int j) const { return directions_[places_[k].beta + j]; }

  contact::FrictionCone cone_;
  complementarity::Lcp lcp_;
  std::vector<Place> places_;
  std::vector<Vec2> directions_;  // by unknown
};

}  // namespace tenpin::methods::analytic
