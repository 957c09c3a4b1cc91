#include "methods/impulse/resting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/impulse/collision_matrix.h"
#include "methods/impulse/mobility.h"
#include "methods/impulse/tolerances.h"

namespace tenpin::methods::impulse {

using contact::Contact;

namespace {

constexpr int kMaxSystems = 30;  // of the search for the least forces

double sign_of(const Contact& c, int body) {
  return c.body_b == body ? 1.0 : -1.0;
}

}  // namespace

RestFinder::RestFinder(const dynamics::Model& model) : model_(&model) {}

std::vector<RestingGroup> RestFinder::find(const FlyingBodies& bodies,
                                           const std::vector<bool>& may_rest,
                                           std::span<const Contact> contacts, double tolerance) {
  near_.reset(model_->num_bodies());
  for (const Contact& c : contacts) {
    if (may_rest[c.body_a] && may_rest[c.body_b]) near_.join(c.body_a, c.body_b);
  }
  std::vector<int> place(model_->num_bodies(), -1);  // of a group, by its root
  std::vector<RestingGroup> groups;
  for (int i = 0; i < model_->num_bodies(); ++i) {
    if (!may_rest[i]) continue;
    const int root = near_.root(i);
    if (place[root] < 0) {
      place[root] = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[place[root]].bodies.push_back(i);
  }
  for (const Contact& c : contacts) {
    const int body = may_rest[c.body_b] ? c.body_b : c.body_a;
    groups[place[near_.root(body)]].contacts.push_back(c);
  }
  solver_ = complementarity::cone::ConeSolver({.tolerance = kRestingAccuracy * tolerance,
                                               .measure = complementarity::cone::Measure::kEnergy});
  std::erase_if(groups, [&](RestingGroup& group) {
    if (group.contacts.empty()) return true;
    solve(bodies, &group);
    if (!(calc_rest_residual(bodies, group) <= tolerance)) return true;
    make_least(bodies, tolerance, &group);
    return false;
  });
  return groups;
}

// The acceleration at contact a per force at contact b, through the bodies that they share.
Mat3 RestFinder::calc_block(const FlyingBodies& bodies, const Contact& a, const Contact& b) const {
  Mat3 W = Mat3::Zero();
  for (const int i : {a.body_a, a.body_b}) {
    if ((i != b.body_a && i != b.body_b) || !model_->bodies[i].is_mobile()) continue;
    W += sign_of(a, i) * sign_of(b, i) *
         calc_cross_mobility(bodies, i, CollisionMatrix::point(a), CollisionMatrix::point(b));
  }
  return CollisionMatrix::frame(a).transpose() * W * CollisionMatrix::frame(b);
}

// The rows of the problem are normal, t1, t2.
void RestFinder::solve(const FlyingBodies& bodies, RestingGroup* group) {
  const auto count = static_cast<int>(group->contacts.size());
  Mat3 order = Mat3::Zero();  // (t1, t2, n) -> (n, t1, t2)
  order(0, 2) = order(1, 0) = order(2, 1) = 1.0;
  pairs_.clear();
  mu_.clear();
  std::vector<std::vector<int>> contacts_of(model_->bodies.size());
  for (int a = 0; a < count; ++a) {
    const Contact& c = group->contacts[a];
    mu_.push_back(std::max(c.mu, c.mu_static));
    for (const int i : {c.body_a, c.body_b}) {
      if (!model_->bodies[i].is_mobile()) continue;
      for (const int b : contacts_of[i]) pairs_.emplace_back(b, a);
      contacts_of[i].push_back(a);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  set_structure(mu_, {}, pairs_, &problem_);
  const auto put = [&](int a, int b) {
    const Mat3 block =
        order * calc_block(bodies, group->contacts[a], group->contacts[b]) * order.transpose();
    Eigen::Map<Mat3>(problem_.W.entry(problem_.W.find(a, b))) = block;
  };
  for (int a = 0; a < count; ++a) put(a, a);
  for (const auto& [a, b] : pairs_) {
    put(a, b);
    put(b, a);
  }
  for (int a = 0; a < count; ++a) {
    const Contact& c = group->contacts[a];
    const Vec3 fall = bodies.flights[c.body_b].acceleration - bodies.flights[c.body_a].acceleration;
    const Vec3 q = order * (CollisionMatrix::frame(c).transpose() * fall);
    std::copy_n(q.data(), 3, problem_.q.data() + 3 * a);
  }
  solver_.solve(problem_, &solution_);
  group->forces.clear();
  for (int a = 0; a < count; ++a) {
    const double* r = solution_.r.data() + 3 * a;
    group->forces.emplace_back(r[1], r[2], r[0]);
  }
}

// Of all forces that hold the group, shows the least. The bodies stand either way.
void RestFinder::make_least(const FlyingBodies& bodies, double tolerance, RestingGroup* group) {
  const std::size_t count = group->contacts.size();
  const VecX zero = VecX::Zero(model_->nv);
  M_.update(*model_, bodies.X_WB, bodies.q, zero);
  const std::vector<dynamics::Twist> still(model_->bodies.size());
  J_.update(*model_, group->contacts, bodies.X_WB, still, M_, contact::FrictionPoint::kSurface);
  std::vector<int> island;
  std::vector<contact::ContactVector> forces;  // N
  std::vector<contact::ForceState> states;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3& f = group->forces[k];
    const Contact& c = group->contacts[k];
    island.push_back(static_cast<int>(k));
    forces.emplace_back(f.z(), f.x(), f.y(), 0.0);
    mu_[k] = std::max(c.mu, c.mu_static);
    states.push_back({.impulse = forces.back(), .mu = mu_[k], .touches = true});
  }
  if (uniqueness_.test(*model_, M_, J_, group->contacts, states, &group->is_unique)) return;
  const std::vector<contact::Freedom> freedom(count, contact::Freedom::kHeld);
  const std::vector<Vec3> slips(count, Vec3::Zero());
  const std::vector<double> loads(count, 0.0);
  const contact::FrictionCone cone = contact::FrictionCone::round();
  const auto outcome = least_.solve({.J = J_,
                                     .contacts = group->contacts,
                                     .cone = cone,
                                     .island = island,
                                     .freedom = freedom,
                                     .slips = slips,
                                     .mu = mu_,
                                     .loads = loads},
                                    kMaxSystems, forces);
  const std::vector<Vec3> found = group->forces;
  for (std::size_t k = 0; k < count; ++k) {
    group->forces[k] = {forces[k][contact::kT1Row], forces[k][contact::kT2Row],
                        forces[k][contact::kNormalRow]};
  }
  group->is_least = outcome != contact::LeastImpulses::Outcome::kNotFound &&
                    calc_rest_residual(bodies, *group) <= tolerance;
  if (!group->is_least) group->forces = found;
}

double calc_rest_residual(const FlyingBodies& bodies, const RestingGroup& group) {
  const dynamics::Model& model = *bodies.model;
  std::vector<Vec3> force(model.bodies.size(), Vec3::Zero());
  std::vector<Vec3> torque(model.bodies.size(), Vec3::Zero());
  std::vector<double> size(model.bodies.size(), 0.0);   // N     of all forces on a body
  std::vector<double> lever(model.bodies.size(), 0.0);  // N m   of all their torques
  for (const int i : group.bodies) {
    force[i] = model.bodies[i].mass * bodies.flights[i].acceleration;
    size[i] = force[i].norm();
  }
  double worst = 0.0;
  for (std::size_t k = 0; k < group.contacts.size(); ++k) {
    const Contact& c = group.contacts[k];
    const Vec3& f = group.forces[k];
    if (!f.allFinite()) return std::numeric_limits<double>::infinity();
    const double outside = f.head<2>().norm() - std::max(c.mu, c.mu_static) * f.z();
    if (f.norm() > 0.0) worst = std::max({worst, outside / f.norm(), -f.z() / f.norm()});
    for (const int i : {c.body_a, c.body_b}) {
      const Vec3 F = sign_of(c, i) * (CollisionMatrix::frame(c) * f);
      const Vec3 r = CollisionMatrix::point(c) - bodies.pose(i).p;
      force[i] += F;
      torque[i] += r.cross(F);
      size[i] += F.norm();
      lever[i] += r.norm() * F.norm();
    }
  }
  for (const int i : group.bodies) {
    worst = std::max(worst, force[i].norm() / size[i]);
    if (lever[i] > 0.0) worst = std::max(worst, torque[i].norm() / lever[i]);
  }
  return worst;
}

}  // namespace tenpin::methods::impulse
