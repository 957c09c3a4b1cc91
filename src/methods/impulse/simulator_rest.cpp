// Finds bodies that rest at the start of an interval, the time until they wake, and their forces.
#include <algorithm>
#include <cmath>

#include "methods/impulse/simulator.h"

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

}  // namespace

// Loose bodies with zero velocity may rest if no moving body is near. All of this follows from the
// state, so a run that continues from here finds the same.
void Simulator::find_rest() {
  std::vector<bool> may_rest(model_->bodies.size(), false);
  bool any = false;
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const dynamics::Twist& V = bodies_.twist(i);
    may_rest[i] = bodies_.turns_freely(i) && V.v.squaredNorm() == 0.0 && V.w.squaredNorm() == 0.0 &&
                  bodies_.flights[i].acceleration.squaredNorm() > 0.0;
    any = any || may_rest[i];
  }
  group_of_.assign(model_->bodies.size(), -1);
  std::vector<int> touching;
  if (any) touching = find_resting_pairs(&may_rest);
  wake_neighbours(touching, &may_rest);
  find_resting_groups(may_rest, list_resting_contacts(touching, may_rest));
  for (std::size_t g = 0; g < resting_.size(); ++g) {
    for (const int i : resting_[g].bodies) {
      group_of_[i] = static_cast<int>(g);
      bodies_.flights[i].is_resting = true;
    }
  }
}

// Pairs that touch, in the order of their parts. A body in contact with a moving body cannot rest.
std::vector<int> Simulator::find_resting_pairs(std::vector<bool>* candidates) {
  std::vector<bool>& may_rest = *candidates;
  std::vector<int> touching;
  for (int i = 0; i < num_pairs_; ++i) {
    Pair& pair = pairs_[i];
    const int a = model_->parts[pair.part_a].body;
    const int b = model_->parts[pair.part_b].body;
    if (!may_rest[a] && !may_rest[b]) continue;
    look(&pair);
    if (pair.gap > thresholds_.envelope) continue;
    const bool both = (may_rest[a] || bodies_.is_still(a)) && (may_rest[b] || bodies_.is_still(b));
    if (both) touching.push_back(i);
    if (!both) may_rest[may_rest[a] ? a : b] = false;
  }
  std::sort(touching.begin(), touching.end(), [this](int i, int j) {
    const Pair& x = pairs_[i];
    const Pair& y = pairs_[j];
    return x.part_a != y.part_a ? x.part_a < y.part_a : x.part_b < y.part_b;
  });
  return touching;
}

// A body that touches a body that does not rest cannot rest either.
void Simulator::wake_neighbours(const std::vector<int>& touching,
                                std::vector<bool>* candidates) const {
  std::vector<bool>& may_rest = *candidates;
  for (bool changes = true; changes;) {
    changes = false;
    for (const int i : touching) {
      const int a = model_->parts[pairs_[i].part_a].body;
      const int b = model_->parts[pairs_[i].part_b].body;
      for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
        if (!may_rest[one] || may_rest[other] || bodies_.is_still(other)) continue;
        may_rest[one] = false;
        changes = true;
      }
    }
  }
}

std::vector<Contact> Simulator::list_resting_contacts(const std::vector<int>& touching,
                                                      const std::vector<bool>& may_rest) const {
  std::vector<Contact> contacts;
  for (const int i : touching) {
    const Pair& pair = pairs_[i];
    if (!may_rest[model_->parts[pair.part_a].body] && !may_rest[model_->parts[pair.part_b].body]) {
      continue;
    }
    for (const Contact& c : pair.contacts) {
      if (std::fabs(c.gap) <= thresholds_.floor()) contacts.push_back(c);
    }
  }
  return contacts;
}

// Finds groups of bodies that contact forces hold at rest. If candidates and contacts have not
// changed, the groups have not changed either.
void Simulator::find_resting_groups(const std::vector<bool>& may_rest,
                                    std::vector<Contact> contacts) {
  const bool is_known = may_rest == rest_candidates_ &&
                        std::equal(contacts.begin(), contacts.end(), rest_contacts_.begin(),
                                   rest_contacts_.end(), is_same);
  if (is_known) return;
  resting_ = rest_finder_.find(bodies_, may_rest, contacts, options_.tolerance);
  rest_candidates_ = may_rest;
  rest_contacts_ = std::move(contacts);
}

// All bodies of a resting group wake together.
void Simulator::wake(int body) {
  const int g = group_of_[body];
  if (g < 0) return;
  const RestingGroup& group = resting_[g];
  end_rest(group, now_);
  for (const int i : group.bodies) {
    group_of_[i] = -1;
    BodyFlight& flight = bodies_.flights[i];
    flight.is_resting = false;
    flight.t = flight.t_turned = now_;
  }
  for (const int i : group.bodies) update_pairs_of(i);
}

// Records the impulses that held a group from the start of the interval until t.
void Simulator::end_rest(const RestingGroup& group, double t) {
  const double dt = t - t_start_;
  const double residual = calc_rest_residual(bodies_, group);
  for (std::size_t k = 0; k < group.contacts.size(); ++k) {
    const Contact& c = group.contacts[k];
    const Vec3 impulse = CollisionMatrix::frame(c) * (dt * group.forces[k]);
    const Vec3 p = CollisionMatrix::point(c);
    note_support(c.body_a, p, -impulse, &bodies_);
    note_support(c.body_b, p, impulse, &bodies_);
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
    certificate_.forces_unique = certificate_.forces_unique && r.force_unique;
    add_record(r, t);
  }
  certificate_.forces_least = certificate_.forces_least && group.is_least;
  certificate_.residual = std::max(certificate_.residual, residual);
}

}  // namespace tenpin::methods::impulse
