#include "methods/impulse/resting_groups.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "methods/impulse/collision_matrix.h"
#include "methods/impulse/mobility.h"

namespace tenpin::methods::impulse {

using contact::Contact;

namespace {

bool is_same(const Contact& a, const Contact& b) {
  return a.key == b.key && a.p_a == b.p_a && a.p_b == b.p_b && a.normal == b.normal;
}

contact::Mode find_resting_mode(const Vec3& force) {
  constexpr double kNoFriction = 1e-9;  // -   of the load
  if (!(force.z() > 0.0)) return contact::Mode::kTouching;
  return force.head<2>().norm() > kNoFriction * force.z() ? contact::Mode::kSticking
                                                          : contact::Mode::kResting;
}

// Bodies that could rest: loose ones without velocity on which a weight acts.
std::vector<bool> find_motionless(const FlyingBodies& bodies) {
  std::vector<bool> found(bodies.flights.size(), false);
  for (int i = 0; i < static_cast<int>(found.size()); ++i) {
    const dynamics::Twist& V = bodies.twist(i);
    found[i] = bodies.turns_freely(i) && V.v.squaredNorm() == 0.0 && V.w.squaredNorm() == 0.0 &&
               bodies.flights[i].acceleration.squaredNorm() > 0.0;
  }
  return found;
}

// Pairs that touch, in the order of their parts. A body in contact with a moving body cannot rest.
std::vector<const Pair*> find_touching(const Thresholds& thresholds, const FlyingBodies& bodies,
                                       const std::function<void(Pair*)>& look, PairTable* pairs,
                                       std::vector<bool>* candidates) {
  std::vector<bool>& may_rest = *candidates;
  std::vector<const Pair*> touching;
  for (int i = 0; i < pairs->size(); ++i) {
    Pair& pair = (*pairs)[i];
    const int a = bodies.model->parts[pair.part_a].body;
    const int b = bodies.model->parts[pair.part_b].body;
    if (!may_rest[a] && !may_rest[b]) continue;
    look(&pair);
    if (pair.gap > thresholds.envelope) continue;
    const bool both = (may_rest[a] || bodies.is_still(a)) && (may_rest[b] || bodies.is_still(b));
    if (both) touching.push_back(&pair);
    if (!both) may_rest[may_rest[a] ? a : b] = false;
  }
  std::sort(touching.begin(), touching.end(), [](const Pair* x, const Pair* y) {
    return std::tie(x->part_a, x->part_b) < std::tie(y->part_a, y->part_b);
  });
  return touching;
}

// A body that touches a body that does not rest cannot rest either.
void wake_neighbours(const FlyingBodies& bodies, const std::vector<const Pair*>& touching,
                     std::vector<bool>* candidates) {
  std::vector<bool>& may_rest = *candidates;
  for (bool changes = true; changes;) {
    changes = false;
    for (const Pair* pair : touching) {
      const int a = bodies.model->parts[pair->part_a].body;
      const int b = bodies.model->parts[pair->part_b].body;
      for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
        if (!may_rest[one] || may_rest[other] || bodies.is_still(other)) continue;
        may_rest[one] = false;
        changes = true;
      }
    }
  }
}

std::vector<Contact> list_contacts(const dynamics::Model& model,
                                   const std::vector<const Pair*>& touching,
                                   const std::vector<bool>& may_rest, double floor) {
  std::vector<Contact> contacts;
  for (const Pair* pair : touching) {
    if (!may_rest[model.parts[pair->part_a].body] && !may_rest[model.parts[pair->part_b].body]) {
      continue;
    }
    for (const Contact& c : pair->contacts) {
      if (std::fabs(c.gap) <= floor) contacts.push_back(c);
    }
  }
  return contacts;
}

}  // namespace

RestingGroups::RestingGroups(const dynamics::Model& model) : model_(&model), finder_(model) {}

void RestingGroups::find(const Thresholds& thresholds, double tolerance,
                         const std::function<void(Pair*)>& look, PairTable* pairs,
                         FlyingBodies* bodies) {
  std::vector<bool> may_rest = find_motionless(*bodies);
  group_of_.assign(may_rest.size(), -1);
  const std::vector<const Pair*> touching =
      find_touching(thresholds, *bodies, look, pairs, &may_rest);
  wake_neighbours(*bodies, touching, &may_rest);
  std::vector<Contact> contacts = list_contacts(*model_, touching, may_rest, thresholds.floor());
  const bool is_known =
      may_rest == candidates_ &&
      std::equal(contacts.begin(), contacts.end(), contacts_.begin(), contacts_.end(), is_same);
  if (!is_known) {
    groups_ = finder_.find(*bodies, may_rest, contacts, tolerance);
    candidates_ = std::move(may_rest);
    contacts_ = std::move(contacts);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const int i : groups_[g].bodies) {
      group_of_[i] = static_cast<int>(g);
      bodies->flights[i].is_resting = true;
    }
  }
}

const RestingGroup* RestingGroups::group_of(int body) const {
  return group_of_[body] < 0 ? nullptr : &groups_[group_of_[body]];
}

std::vector<const RestingGroup*> RestingGroups::all() const {
  std::vector<const RestingGroup*> resting;
  for (const RestingGroup& group : groups_) {
    if (group_of_[group.bodies.front()] >= 0) resting.push_back(&group);
  }
  return resting;
}

void RestingGroups::wake(const RestingGroup& group, double t, FlyingBodies* bodies) {
  for (const int i : group.bodies) {
    group_of_[i] = -1;
    BodyFlight& flight = bodies->flights[i];
    flight.is_resting = false;
    flight.t = flight.t_turned = t;
  }
}

void record_rest(const RestingGroup& group, double from, double to, FlyingBodies* bodies,
                 Journal* journal) {
  const double dt = to - from;
  const double residual = calc_rest_residual(*bodies, group);
  contact::Certificate& certificate = journal->certificate;
  for (std::size_t k = 0; k < group.contacts.size(); ++k) {
    const Contact& c = group.contacts[k];
    const Vec3 impulse = CollisionMatrix::frame(c) * (dt * group.forces[k]);
    const Vec3 p = CollisionMatrix::point(c);
    note_support(c.body_a, p, -impulse, bodies);
    note_support(c.body_b, p, impulse, bodies);
    contact::ContactRecord r;
    r.key = c.key;
    r.body_a = c.body_a;
    r.body_b = c.body_b;
    r.position = p;
    r.normal = c.normal;
    r.gap = c.gap;
    r.impulse = impulse;
    r.normal_impulse = dt * group.forces[k].z();
    r.mode = find_resting_mode(group.forces[k]);
    r.residual = residual;
    r.force_unique = group.is_unique[k] != 0;
    certificate.forces_unique = certificate.forces_unique && r.force_unique;
    add(r, to, journal);
  }
  certificate.forces_least = certificate.forces_least && group.is_least;
  certificate.residual = std::max(certificate.residual, residual);
}

}  // namespace tenpin::methods::impulse
