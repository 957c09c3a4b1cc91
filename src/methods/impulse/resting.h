// Bodies at rest on each other, and the forces that hold them. In the paper, rest exists only as
// microcollisions, so a body that a scene puts down exactly would have to be lifted first. Ours:
// motionless bodies whose weight contact forces can support stay as they are until something hits
// them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "complementarity/cone/cone_solver.h"
#include "contact/contact.h"
#include "contact/jacobian.h"
#include "contact/least_impulses.h"
#include "contact/uniqueness.h"
#include "dynamics/mass_matrix.h"
#include "methods/impulse/flying_bodies.h"

namespace tenpin::methods::impulse {

// A group at rest, without its supports.
struct RestingGroup {
  std::vector<int> bodies;
  std::vector<contact::Contact> contacts;
  std::vector<Vec3> forces;     // N   of each contact on its body b, axes t1, t2, normal
  std::vector<char> is_unique;  // by contact: 1 if no other forces hold the group
  bool is_least = true;         // where others do, are these the least?
};

class RestFinder {
 public:
  explicit RestFinder(const dynamics::Model& model);

  // Of the bodies that `may_rest`, finds those that the contacts hold: with forces in their
  // friction cones, the net force on every body is less than `tolerance` of its weight. Contacts
  // are between such bodies, or between one of them and a motionless body. The result depends only
  // on poses and contacts, in the order of the contacts.
  [[nodiscard]] std::vector<RestingGroup> find(const FlyingBodies& bodies,
                                               const std::vector<bool>& may_rest,
                                               std::span<const contact::Contact> contacts,
                                               double tolerance);

 private:
  void solve(const FlyingBodies& bodies, RestingGroup* group);
  void make_least(const FlyingBodies& bodies, double tolerance, RestingGroup* group);
  Mat3 calc_block(const FlyingBodies& bodies, const contact::Contact& a,
                  const contact::Contact& b) const;

  const dynamics::Model* model_;
  UnionFind near_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<double> mu_;
  complementarity::cone::ConeProblem problem_;
  complementarity::cone::ConeSolution solution_;
  complementarity::cone::ConeSolver solver_;
  // Of a group's contacts, where it stands.
  dynamics::MassMatrix M_;
  contact::ContactJacobian J_;
  contact::LeastImpulses least_;
  contact::UniquenessTest uniqueness_;
};

// The largest net force or torque on a body of the group, relative to the weight of the heaviest
// body of the group that can cause it: how far the group is from equilibrium. Computed
// independently, from the forces alone.
[[nodiscard]] double calc_rest_residual(const FlyingBodies& bodies, const RestingGroup& group);

}  // namespace tenpin::methods::impulse
