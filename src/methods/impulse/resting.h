// Bodies that stand still on each other, and the forces that hold them. The paper knows rest only
// as microcollisions, into which a body that a scene puts down exactly would have to be lifted
// first. Ours: bodies without any velocity whose weight contact forces can bear stay as they are,
// until something hits them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "complementarity/cone/cone_solver.h"
#include "contact/contact.h"
#include "methods/impulse/flying_bodies.h"

namespace tenpin::methods::impulse {

// A group that stands: what it rests on is not part of it.
struct RestingGroup {
  std::vector<int> bodies;
  std::vector<contact::Contact> contacts;
  std::vector<Vec3> forces;  // N   of each contact on its body b, axes t1, t2, normal
};

class RestFinder {
 public:
  explicit RestFinder(const dynamics::Model& model);

  // Of the bodies that `may_rest`, those that the contacts hold: with forces in their friction
  // cones, every body is left with less than `tolerance` of its weight. Contacts are between such
  // bodies, or one of them and a body that does not move. The answer follows from poses and
  // contacts alone, in the order of the contacts.
  [[nodiscard]] std::vector<RestingGroup> find(const FlyingBodies& bodies,
                                               const std::vector<bool>& may_rest,
                                               std::span<const contact::Contact> contacts,
                                               double tolerance);

 private:
  void solve(const FlyingBodies& bodies, RestingGroup* group);
  Mat3 calc_block(const FlyingBodies& bodies, const contact::Contact& a,
                  const contact::Contact& b) const;

  const dynamics::Model* model_;
  UnionFind near_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<double> mu_;
  complementarity::cone::ConeProblem problem_;
  complementarity::cone::ConeSolution solution_;
  complementarity::cone::ConeSolver solver_;
};

// The largest force or torque that is left on a body of the group, over the weight of the group's
// heaviest one that it could come from: how far the group is from standing. By itself, from the
// forces alone.
[[nodiscard]] double calc_rest_residual(const FlyingBodies& bodies, const RestingGroup& group);

}  // namespace tenpin::methods::impulse
