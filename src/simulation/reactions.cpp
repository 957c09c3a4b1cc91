#include "simulation/reactions.h"

#include <algorithm>
#include <cmath>

#include "contact/contact.h"
#include "dynamics/articulated.h"
#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"
#include "dynamics/kinematics.h"
#include "math/pivoted_cholesky.h"

namespace tenpin::simulation {

namespace {

using contact::ContactRecord;
using contact::Reaction;
using dynamics::JointType;
using dynamics::Twist;
using dynamics::Wrench;

// -   of a loop's row: a smaller remainder means that the row follows from the others
constexpr double kDependent = 1e-10;

// Bodies at one time.
struct Motion {
  std::vector<Pose> X;
  std::vector<Twist> V;
};

Motion calc_motion(const dynamics::Model& model, ConstVecRef q, ConstVecRef v, double t) {
  Motion motion;
  update_poses(model, q, t, &motion.X);
  update_twists(model, motion.X, v, t, &motion.V);
  return motion;
}

bool is_stop(const ContactRecord& c) {
  return c.key.part_a < 0 &&
         c.key.feature_a == static_cast<std::uint32_t>(contact::ContactKind::kJointLimit);
}

// N m s, N s   The impulse of a stop or of dry friction on the coordinate of its joint. The upper
// stop pushes the coordinate down.
double calc_joint_impulse(const ContactRecord& c) {
  if (!is_stop(c)) return c.spin_impulse;
  return c.key.feature_b == 1 ? -c.normal_impulse : c.normal_impulse;
}

// N m s   about a fixed point.
Vec3 calc_angular_momentum(const dynamics::Body& body, const Pose& X, const Twist& V,
                           const Vec3& point) {
  return calc_world_inertia(body, X) * V.w + body.mass * (X.p - point).cross(V.v);
}

// All impulses of one step. Wrenches are impulses; their torques are about `point`.
class StepBalance {
 public:
  StepBalance(const dynamics::Model& model, const dynamics::State& before,
              const dynamics::State& after)
      : model_(model),
        before_(before),
        after_(after),
        h_(after.t - before.t),
        t_end_(model.has_breaks ? dynamics::left_of(after.t) : after.t),
        t_middle_(0.5 * (before.t + after.t)),
        start_(calc_motion(model, before.q, before.v, before.t)),
        end_(calc_motion(model, after.q, after.v, t_end_)) {
    VecX q_mid = before.q;
    displace(model, before.q, 0.25 * h_ * (before.v + after.v), q_mid);
    middle_ = calc_motion(model, q_mid, 0.5 * (before.v + after.v), t_middle_);
  }

  void append_reactions(int mechanism, std::span<const ContactRecord> contacts,
                        std::vector<JointReaction>* reactions) {
    const dynamics::Mechanism& m = model_.mechanisms[mechanism];
    point_ = middle_.X[m.bodies.front()].p;
    passed_.assign(model_.bodies.size(), {});
    for (const int i : m.bodies) passed_[i] = calc_missing(i);
    for (const ContactRecord& c : contacts) take_contact(c, mechanism);
    add_loops(m, contacts, reactions);
    for (std::size_t k = m.bodies.size(); k-- > 0;) {
      const int i = m.bodies[k];
      const dynamics::Joint& joint = model_.bodies[i].joint;
      if (joint.parent != dynamics::kWorld) {
        passed_[joint.parent].force += passed_[i].force;
        passed_[joint.parent].torque += passed_[i].torque;
      }
    }
    for (const int i : m.bodies) {
      if (model_.bodies[i].joint.type == JointType::kFree) continue;
      const Vec3 at = find_place(i);
      JointReaction reaction;
      reaction.kind = Reaction::Kind::kJoint;
      reaction.index = i;
      reaction.position = at;
      reaction.impulse = passed_[i].force;
      reaction.moment = passed_[i].torque - (at - point_).cross(passed_[i].force);
      split_axis(contacts, &reaction);
      reactions->push_back(reaction);
    }
  }

 private:
  // The change of a body's momentum that gravity and applied forces do not explain.
  [[nodiscard]] Wrench calc_missing(int i) const {
    const dynamics::Body& body = model_.bodies[i];
    const Vec3 P = body.mass * (end_.V[i].v - start_.V[i].v);
    const Vec3 L = calc_angular_momentum(body, end_.X[i], end_.V[i], point_) -
                   calc_angular_momentum(body, start_.X[i], start_.V[i], point_);
    const Vec3 weight = body.mass * model_.gravity;
    // Integral of the lever arm, by Hermite's cubic through both ends.
    const Vec3 arm = 0.5 * h_ * (start_.X[i].p + end_.X[i].p) - h_ * point_ +
                     h_ * h_ / 12.0 * (start_.V[i].v - end_.V[i].v);
    const Wrench first = calc_applied_wrench(body, start_.V[i], t_middle_, 0.0);
    const Wrench last = calc_applied_wrench(body, end_.V[i], t_middle_, 0.0);
    const Vec3 force = 0.5 * (first.force + last.force);
    const Vec3 torque = 0.5 * (first.torque + last.torque);
    return {.force = P - h_ * (weight + force),
            .torque = L - arm.cross(weight + force) - h_ * torque};
  }

  // Adds a contact. Contacts of surfaces act from outside; stops and friction are part of their
  // joints.
  void take_contact(const ContactRecord& c, int mechanism) {
    if (c.key.part_a < 0) return;
    const Vec3 moment = (c.position - point_).cross(c.impulse) + c.spin_impulse * c.normal;
    if (model_.bodies[c.body_b].mechanism == mechanism) {
      passed_[c.body_b].force -= c.impulse;
      passed_[c.body_b].torque -= moment;
    }
    if (model_.bodies[c.body_a].mechanism == mechanism) {
      passed_[c.body_a].force += c.impulse;
      passed_[c.body_a].torque += moment;
    }
  }

  // One direction in which a loop can push: this acts on b, and the opposite on a.
  struct Push {
    int loop = 0;
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();
    VecX row;  // over the mechanism's velocities
  };

  [[nodiscard]] Pose pose_of(int body) const {
    return body == dynamics::kWorld ? Pose{} : middle_.X[body];
  }

  void append_push(const dynamics::Mechanism& m, int loop, const Vec3& linear, const Vec3& angular,
                   std::vector<Push>* pushes) const {
    const dynamics::Loop& of = model_.loops[loop];
    Push push{.loop = loop, .linear = linear, .angular = angular, .row = VecX::Zero(m.nv)};
    const Vec3 at = pose_of(of.body_b) * of.p_B;
    const auto is_moved = [this](int body) {
      return body != dynamics::kWorld && model_.bodies[body].is_mobile();
    };
    if (is_moved(of.body_b)) {
      add_jacobian_row(model_, middle_.X, of.body_b, {at, linear, angular}, push.row.data());
    }
    if (is_moved(of.body_a)) {
      add_jacobian_row(model_, middle_.X, of.body_a, {at, -linear, -angular}, push.row.data());
    }
    pushes->push_back(std::move(push));
  }

  void append_pushes(const dynamics::Mechanism& m, int loop, std::vector<Push>* pushes) const {
    using Kind = dynamics::Loop::Kind;
    const dynamics::Loop& of = model_.loops[loop];
    const Pose X_a = pose_of(of.body_a);
    const Pose X_b = pose_of(of.body_b);
    if (of.kind == Kind::kCoupling) return append_coupling(m, loop, pushes);
    if (of.kind == Kind::kDistance) {
      const Vec3 apart = X_b * of.p_B - X_a * of.p_A;
      append_push(m, loop, apart.normalized(), Vec3::Zero(), pushes);
      return;
    }
    for (int k = 0; k < 3; ++k) append_push(m, loop, Vec3::Unit(k), Vec3::Zero(), pushes);
    const int turns = of.kind == Kind::kWeld ? 3 : of.kind == Kind::kHinge ? 2 : 0;
    const Mat3 R = X_a.R * of.R_A;
    for (int k = 0; k < turns; ++k) append_push(m, loop, Vec3::Zero(), R.col(k), pushes);
  }

  // Appends the push of q_a = polynomial in q_b: a force on one joint's coordinate and -slope times
  // that force on the other's.
  void append_coupling(const dynamics::Mechanism& m, int loop, std::vector<Push>* pushes) const {
    const dynamics::Loop& of = model_.loops[loop];
    Push push{.loop = loop, .row = VecX::Zero(m.nv)};
    push.row[model_.bodies[of.body_a].joint.v_begin - m.v_begin] = 1.0;
    if (of.body_b != dynamics::kWorld) {
      const auto& c = of.polynomial;
      const double x = 0.5 * (before_.q[model_.bodies[of.body_b].joint.q_begin] +
                              after_.q[model_.bodies[of.body_b].joint.q_begin]);
      const double slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
      push.row[model_.bodies[of.body_b].joint.v_begin - m.v_begin] -= slope;
    }
    pushes->push_back(std::move(push));
  }

  // The impulses of joints on their own velocities over the step: springs, damping, motors, stops.
  [[nodiscard]] VecX calc_joint_impulses(const dynamics::Mechanism& m,
                                         std::span<const ContactRecord> contacts) const {
    VecX impulses = VecX::Zero(m.nv);
    for (const int i : m.bodies) {
      const dynamics::Joint& joint = model_.bodies[i].joint;
      for (int k = 0; k < num_velocities(joint.type); ++k) {
        const int iv = joint.v_begin + k;
        impulses[iv - m.v_begin] -= joint.forces.armature * (after_.v[iv] - before_.v[iv]);
        if (!has_joint_forces(joint)) continue;
        const auto first = calc_joint_load(joint, k, before_.q, before_.v, before_.t);
        const auto last = calc_joint_load(joint, k, after_.q, after_.v, t_end_);
        impulses[iv - m.v_begin] +=
            0.5 * h_ * (first.spring + first.other + last.spring + last.other);
      }
    }
    for (const ContactRecord& c : contacts) {
      const dynamics::Body& body = model_.bodies[c.body_b];
      if (c.key.part_a >= 0 || body.mechanism < 0 || &model_.mechanisms[body.mechanism] != &m ||
          num_velocities(body.joint.type) != 1) {
        continue;
      }
      impulses[body.joint.v_begin - m.v_begin] += calc_joint_impulse(c);
    }
    return impulses;
  }

  // Adds the pushes of loops that explain what joints do not, and their part of the balance.
  void add_loops(const dynamics::Mechanism& m, std::span<const ContactRecord> contacts,
                 std::vector<JointReaction>* reactions) {
    if (m.loops.empty()) return add_released(m, reactions);
    std::vector<Push> pushes;
    for (const int loop : m.loops) append_pushes(m, loop, &pushes);
    std::vector<Wrench> wrenches(model_.bodies.size());
    for (const int i : m.bodies) {
      wrenches[i] = {
          .force = passed_[i].force,
          .torque = passed_[i].torque - (middle_.X[i].p - point_).cross(passed_[i].force)};
    }
    VecX open = VecX::Zero(model_.nv);
    add_generalized_forces(model_, m, middle_.X, &wrenches, open);
    const VecX rest = open.segment(m.v_begin, m.nv) - calc_joint_impulses(m, contacts);
    const auto n = static_cast<Eigen::Index>(pushes.size());
    MatX J(n, m.nv);
    for (Eigen::Index k = 0; k < n; ++k) J.row(k) = pushes[k].row.transpose();
    PivotedCholesky factor;
    factor.factor(J * J.transpose(), kDependent);
    VecX sizes = J * rest;
    factor.solve(sizes);
    for (const int loop : m.loops) apply_loop(m, loop, pushes, sizes, reactions);
    add_released(m, reactions);
  }

  // Loops that events have released no longer push. They keep their rows, so that each step has the
  // same rows in the order of the loops.
  void add_released(const dynamics::Mechanism& m, std::vector<JointReaction>* reactions) const {
    const auto is_held = [&m](int loop) {
      return std::find(m.loops.begin(), m.loops.end(), loop) != m.loops.end();
    };
    const auto is_at = [&](int body) {
      return body != dynamics::kWorld && model_.bodies[body].mechanism >= 0 &&
             &model_.mechanisms[model_.bodies[body].mechanism] == &m;
    };
    bool has_released = false;
    for (int loop = 0; loop < static_cast<int>(model_.loops.size()); ++loop) {
      const dynamics::Loop& of = model_.loops[loop];
      if (model_.events.empty() || is_held(loop) || !(is_at(of.body_a) || is_at(of.body_b))) {
        continue;
      }
      JointReaction r;
      r.kind = Reaction::Kind::kLoop;
      r.index = loop;
      r.position = pose_of(of.body_b) * of.p_B;
      reactions->push_back(r);
      has_released = true;
    }
    if (!has_released) return;
    const auto first = std::find_if(reactions->begin(), reactions->end(), [&](const auto& r) {
      return r.kind == Reaction::Kind::kLoop &&
             (is_at(model_.loops[r.index].body_a) || is_at(model_.loops[r.index].body_b));
    });
    std::sort(first, reactions->end(), [](const JointReaction& a, const JointReaction& b) {
      return a.index < b.index;
    });
  }

  void apply_loop(const dynamics::Mechanism& m, int loop, const std::vector<Push>& pushes,
                  const VecX& sizes, std::vector<JointReaction>* reactions) {
    const dynamics::Loop& of = model_.loops[loop];
    JointReaction r;
    r.kind = Reaction::Kind::kLoop;
    r.index = loop;
    r.position = pose_of(of.body_b) * of.p_B;
    for (std::size_t k = 0; k < pushes.size(); ++k) {
      if (pushes[k].loop != loop) continue;
      r.impulse += sizes[static_cast<Eigen::Index>(k)] * pushes[k].linear;
      r.moment += sizes[static_cast<Eigen::Index>(k)] * pushes[k].angular;
    }
    const Vec3 moment = r.moment + (r.position - point_).cross(r.impulse);
    for (const auto& [body, sign] : {std::pair(of.body_b, -1.0), std::pair(of.body_a, 1.0)}) {
      if (body == dynamics::kWorld || model_.bodies[body].mechanism < 0) continue;
      if (&model_.mechanisms[model_.bodies[body].mechanism] != &m) continue;
      passed_[body].force += sign * r.impulse;
      passed_[body].torque += sign * moment;
    }
    reactions->push_back(r);
  }

  [[nodiscard]] Vec3 axis_of(const dynamics::Body& body) const {
    return (parent_pose(body, middle_.X).R * body.joint.X_PJ.R).col(2);
  }

  // Splits the impulse along the axis: the part of stops is known from their records, the rest is
  // the drive's.
  void split_axis(std::span<const ContactRecord> contacts, JointReaction* reaction) const {
    const dynamics::Body& body = model_.bodies[reaction->index];
    if (num_velocities(body.joint.type) != 1) return;
    const Vec3 axis = axis_of(body);
    const bool turns = body.joint.type == JointType::kHinge;
    for (const ContactRecord& c : contacts) {
      if (c.body_b == reaction->index && is_stop(c)) reaction->stop += calc_joint_impulse(c);
    }
    const double axial = axis.dot(turns ? reaction->moment : reaction->impulse);
    if (is_driven(body)) {
      reaction->drive = axial - reaction->stop;
    } else if (turns) {
      // Only the stop acts about the axis; the rest is the error of the moment.
      reaction->moment += (reaction->stop - axial) * axis;
    }
  }

  // True if anything but a stop acts along the axis of a body's joint.
  [[nodiscard]] bool is_driven(const dynamics::Body& body) const {
    const dynamics::Joint& joint = body.joint;
    if (has_joint_forces(joint) || joint.forces.friction > 0.0 || joint.forces.armature > 0.0) {
      return true;
    }
    const auto& loops = model_.mechanisms[body.mechanism].loops;
    return std::any_of(loops.begin(), loops.end(), [&](int loop) {
      return model_.loops[loop].kind == dynamics::Loop::Kind::kCoupling;
    });
  }

  // The point at which a joint holds its body.
  [[nodiscard]] Vec3 find_place(int i) const {
    const dynamics::Body& body = model_.bodies[i];
    const bool has_anchor =
        body.joint.type == JointType::kHinge || body.joint.type == JointType::kBall;
    return has_anchor ? parent_pose(body, middle_.X) * body.joint.X_PJ.p : middle_.X[i].p;
  }

  const dynamics::Model& model_;
  const dynamics::State& before_;
  const dynamics::State& after_;
  double h_;         // s
  double t_end_;     // s   before a jump of curves at the step's end
  double t_middle_;  // s
  Motion start_, end_, middle_;
  Vec3 point_ = Vec3::Zero();   // m   reference point of moments, fixed during the step
  std::vector<Wrench> passed_;  // by body: the impulse that its parent must exert on it
};

}  // namespace

std::vector<JointReaction> calc_reactions(const dynamics::Model& model,
                                          const dynamics::State& before,
                                          const dynamics::State& after,
                                          std::span<const ContactRecord> contacts) {
  std::vector<JointReaction> reactions;
  StepBalance balance(model, before, after);
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    if (!model.mechanisms[m].is_loose) balance.append_reactions(m, contacts, &reactions);
  }
  return reactions;
}

}  // namespace tenpin::simulation
