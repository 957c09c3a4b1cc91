#include "dynamics/model.h"

#include <algorithm>
#include <cmath>

#include "base/union_find.h"

namespace tenpin::dynamics {

namespace {

// Finds the mechanism of each body, as the smallest index of its bodies; -1 for bodies that cannot
// move. A joint connects a body to a parent that can move; a loop connects the bodies at both of
// its ends.
class Grouping {
 public:
  explicit Grouping(const Model& model) : moves_(model.bodies.size()) {
    joined_.reset(model.num_bodies());
    for (int i = 0; i < model.num_bodies(); ++i) {
      const Joint& joint = model.bodies[i].joint;
      const bool parent_moves = joint.parent != kWorld && moves_[joint.parent];
      moves_[i] = num_velocities(joint.type) > 0 || parent_moves;
      if (parent_moves) joined_.join(i, joint.parent);
    }
    for (const Loop& loop : model.loops) {
      const bool both = loop.body_a != kWorld && loop.body_b != kWorld && moves_[loop.body_a] &&
                        moves_[loop.body_b];
      if (both) joined_.join(loop.body_a, loop.body_b);
    }
  }

  // Returns -1 if the body does not move.
  int root(int body) { return moves_[body] ? joined_.root(body) : -1; }

 private:
  std::vector<bool> moves_;
  UnionFind joined_;
};

}  // namespace

double calc_gyration_radius(const Body& body) {
  return body.mass > 0.0 ? std::sqrt(body.moments.maxCoeff() / body.mass) : 0.0;
}

double find_kept_overlap(const Model& model, int part_a, int part_b) {
  if (model.kept_overlaps.empty()) return 0.0;
  const std::pair<int, int> wanted = std::minmax(part_a, part_b);
  const auto at = std::lower_bound(model.kept_overlaps.begin(), model.kept_overlaps.end(), wanted,
                                   [](const KeptOverlap& kept, const std::pair<int, int>& parts) {
                                     return std::pair(kept.part_a, kept.part_b) < parts;
                                   });
  const bool is_kept =
      at != model.kept_overlaps.end() && at->part_a == wanted.first && at->part_b == wanted.second;
  return is_kept ? at->depth : 0.0;
}

bool stands_still(const Model& model, int body) {
  for (int i = body; i != kWorld; i = model.bodies[i].joint.parent) {
    if (model.bodies[i].joint.type != JointType::kFixed) return false;
  }
  return true;
}

namespace {

// The world direction along which a body cannot move, if its joints leave one: the normal of a
// planar joint, the axis of a hinge, or a direction across a slider, on a base at rest.
Vec3 find_plane(const Model& model, const Body& body, const Mat3& R_WP) {
  const Joint& joint = body.joint;
  const bool on_base = stands_still(model, joint.parent);
  if (!on_base && !model.bodies[joint.parent].is_mobile())
    return Vec3::Zero();  // the parent has prescribed motion
  Vec3 parent = on_base ? Vec3(Vec3::Zero()) : model.bodies[joint.parent].plane;
  Vec3 axis = R_WP * joint.X_PJ.R.col(2);
  constexpr double kParallel = 1e-12;
  switch (joint.type) {
    case JointType::kPlanar:
    case JointType::kHinge:
      if (on_base) return axis;
      return parent.squaredNorm() > 0.0 && parent.cross(axis).norm() <= kParallel
                 ? axis
                 : Vec3(Vec3::Zero());
    case JointType::kSlider:
      return std::fabs(parent.dot(axis)) <= kParallel ? parent : Vec3(Vec3::Zero());
    case JointType::kFixed:
      return parent;
    default:
      return Vec3::Zero();
  }
}

void set_planes(Model* model) {
  std::vector<Mat3> R_WB(
      model->bodies.size());  // with all joints at zero, because the plane does not depend on them
  for (int i = 0; i < model->num_bodies(); ++i) {
    Body& body = model->bodies[i];
    const Mat3 R_WP =
        body.joint.parent == kWorld ? Mat3(Mat3::Identity()) : R_WB[body.joint.parent];
    R_WB[i] = R_WP * body.joint.X_PJ.R * body.joint.X_MB.R;
    if (body.is_mobile()) body.plane = find_plane(*model, body, R_WP);
  }
}

void set_welds(Model* model) {
  for (int i = 0; i < model->num_bodies(); ++i) {
    Body& body = model->bodies[i];
    const int parent = body.joint.parent;
    const bool is_welded = body.joint.type == JointType::kFixed && parent != kWorld;
    body.weld = is_welded ? model->bodies[parent].weld : i;
    body.weld_parent = -1;
    if (is_welded) {
      body.weld_parent = model->bodies[parent].weld_parent;
      body.touches_parent = model->bodies[parent].touches_parent;
    } else if (parent != kWorld) {
      body.weld_parent = model->bodies[parent].weld;
    }
  }
}

// Adds the bodies that no force moves, from the body that a mechanism is attached to up to the
// world.
void add_bases(const Model& model, int body, Mechanism* mechanism) {
  for (int i = body; i != kWorld; i = model.bodies[i].joint.parent) {
    if (!model.bodies[i].is_mobile()) mechanism->bases.push_back(i);
  }
}

void sort_bases(Mechanism* mechanism) {
  std::vector<int>& bases = mechanism->bases;
  std::sort(bases.begin(), bases.end());
  bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
}

bool is_loose(const Model& model, const Mechanism& mechanism) {
  if (mechanism.bodies.size() != 1 || !mechanism.loops.empty()) return false;
  const Joint& joint = model.bodies[mechanism.bodies.front()].joint;
  return joint.type == JointType::kFree ||
         (joint.type == JointType::kPlanar && joint.parent == kWorld);
}

void list_jointed(Model* model) {
  model->jointed.clear();
  for (int i = 0; i < model->num_bodies(); ++i) {
    const int m = model->bodies[i].mechanism;
    if (m < 0 || !model->mechanisms[m].is_loose) model->jointed.push_back(i);
  }
}

// The mechanism of a loop; -1 if no force moves the bodies at either end.
int find_mechanism(const Model& model, const Loop& loop) {
  const auto mechanism = [&](int body) {
    return body == kWorld ? -1 : model.bodies[body].mechanism;
  };
  return std::max(mechanism(loop.body_a), mechanism(loop.body_b));
}

}  // namespace

void assign_loops(Model* model) {
  for (Mechanism& mechanism : model->mechanisms) mechanism.loops.clear();
  for (int i = 0; i < static_cast<int>(model->loops.size()); ++i) {
    const int m = find_mechanism(*model, model->loops[i]);
    if (m >= 0) model->mechanisms[m].loops.push_back(i);
  }
}

void assign_coordinates(Model* model) {
  model->mechanisms.clear();
  Grouping grouping(*model);
  std::vector<int> mechanism_of_root(model->bodies.size(), -1);
  for (int i = 0; i < model->num_bodies(); ++i) {
    const int root = grouping.root(i);
    model->bodies[i].mechanism = -1;
    if (root < 0) continue;
    if (root == i) {
      mechanism_of_root[root] = static_cast<int>(model->mechanisms.size());
      model->mechanisms.emplace_back();
    }
    model->bodies[i].mechanism = mechanism_of_root[root];
    model->mechanisms[mechanism_of_root[root]].bodies.push_back(i);
  }
  assign_loops(model);
  for (const Loop& loop : model->loops) {
    const auto mechanism = [&](int body) {
      return body == kWorld ? -1 : model->bodies[body].mechanism;
    };
    const int m = find_mechanism(*model, loop);
    if (m < 0) continue;
    for (const int end : {loop.body_a, loop.body_b}) {
      if (mechanism(end) < 0) add_bases(*model, end, &model->mechanisms[m]);
    }
  }
  for (const Body& body : model->bodies) {
    const int parent = body.joint.parent;
    const bool is_root = body.is_mobile() && parent != kWorld && !model->bodies[parent].is_mobile();
    if (is_root) add_bases(*model, parent, &model->mechanisms[body.mechanism]);
  }
  model->nq = model->nv = 0;
  for (Mechanism& mechanism : model->mechanisms) {
    mechanism.q_begin = model->nq;
    mechanism.v_begin = model->nv;
    for (const int i : mechanism.bodies) {
      Joint& joint = model->bodies[i].joint;
      joint.q_begin = model->nq;
      joint.v_begin = model->nv;
      model->nq += num_positions(joint.type);
      model->nv += num_velocities(joint.type);
    }
    mechanism.nq = model->nq - mechanism.q_begin;
    mechanism.nv = model->nv - mechanism.v_begin;
    sort_bases(&mechanism);
    mechanism.is_loose = is_loose(*model, mechanism);
  }
  list_jointed(model);
  set_planes(model);
  set_welds(model);
}

}  // namespace tenpin::dynamics
