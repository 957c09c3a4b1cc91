#include "methods/analytic/friction_lcp.h"

namespace tenpin::methods::analytic {

FrictionLcp::FrictionLcp() : cone_(kDirections, 0.0) {}

bool FrictionLcp::is_large(const std::vector<contact::Contact>& all) const {
  int rows = 0;
  for (const FrictionContact& c : contacts) {
    rows += c.decides ? cone_.count(all[c.index]) + 2 : 1;
  }
  return rows > kLarge;
}

void FrictionLcp::place_unknowns(const std::vector<contact::Contact>& all) {
  int next = static_cast<int>(contacts.size());
  places_.assign(contacts.size(), {});
  directions_.assign(contacts.size(), Vec2::Zero());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!contacts[k].decides) continue;
    const contact::Contact& c = all[contacts[k].index];
    places_[k] = {.beta = next, .count = cone_.count(c), .lambda = 0};
    for (int j = 0; j < places_[k].count; ++j) {
      directions_.emplace_back(cone_.generator(c, j).head<2>());
    }
    next += places_[k].count;
  }
  for (Place& place : places_) {
    if (place.count > 0) place.lambda = next++;
  }
  lcp_.R.setZero(next, next);
  lcp_.u.setZero(next);
}

// The accelerations of contact `r` caused by the unknowns of all other contacts.
void FrictionLcp::fill_row(const contact::ContactJacobian& J, int r) {
  const Place& row = places_[r];
  for (int c = 0; c < static_cast<int>(contacts.size()); ++c) {
    const Place& column = places_[c];
    contact::ContactBlock W = contact::ContactBlock::Zero();
    J.add_delassus(contacts[r].index, contacts[c].index, &W);
    const auto add = [&](int unknown, const Vec3& force) {
      const Vec3 a = W.topLeftCorner<3, 3>() * force;
      lcp_.R(r, unknown) = a[0];
      for (int j = 0; j < row.count; ++j) {
        lcp_.R(row.beta + j, unknown) = direction(r, j).dot(a.tail<2>());
      }
    };
    add(c, {1.0, contacts[c].rubbing.x(), contacts[c].rubbing.y()});
    for (int k = 0; k < column.count; ++k) {
      add(column.beta + k, {0.0, direction(c, k).x(), direction(c, k).y()});
    }
  }
}

void FrictionLcp::assemble(const contact::ContactJacobian& J,
                           const std::vector<contact::Contact>& all) {
  place_unknowns(all);
  for (int r = 0; r < static_cast<int>(contacts.size()); ++r) {
    const Place& row = places_[r];
    fill_row(J, r);
    lcp_.u[r] = contacts[r].free[0];
    for (int j = 0; j < row.count; ++j) {
      lcp_.u[row.beta + j] = direction(r, j).dot(contacts[r].free.tail<2>());
      lcp_.R(row.beta + j, row.lambda) = 1.0;
      lcp_.R(row.lambda, row.beta + j) = -1.0;
    }
    if (row.count == 0) continue;
    lcp_.R(row.lambda, r) = contacts[r].mu;
    lcp_.u[row.lambda] = contacts[r].dry;
  }
}

Vec2 FrictionLcp::friction(ConstVecRef z, int k) const {
  Vec2 force = contacts[k].rubbing * z[k];
  for (int j = 0; j < places_[k].count; ++j) force += z[places_[k].beta + j] * direction(k, j);
  return force;
}

double FrictionLcp::slip_rate(ConstVecRef z, int k) const {
  return places_[k].count > 0 ? z[places_[k].lambda] : 0.0;
}

}  // namespace tenpin::methods::analytic
