#include "methods/time_stepping/order2/motion.h"

#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"
#include "dynamics/prescribed.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;
using contact::ContactVector;
using dynamics::Flight;

namespace {

// Calls move(m) for the mechanisms of the nodes: in parallel for loose bodies, which share no
// memory, and then one after the other for the rest.
template <class Move>
void for_each_mechanism(const StepSetup& setup, const NodeSet& nodes, const Move& move) {
  const auto is_loose = [&](int node) {
    return node < setup.num_mechanisms() && setup.is_loose(node);
  };
  setup.workers->split(static_cast<int>(nodes.list.size()), [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      if (is_loose(nodes.list[k])) move(nodes.list[k]);
    }
  });
  for (const int node : nodes.list) {
    if (node < setup.num_mechanisms() && !is_loose(node)) move(node);
  }
}

}  // namespace

SubstepMotion::SubstepMotion(const StepSetup& setup)
    : setup_(&setup), flight_(*setup.model, setup.workers) {
  for (VecX* v : {&gravity_, &applied_, &impulse_, &scratch_, &kick_}) v->setZero(setup.model->nv);
  for (auto* V : {&V_scratch_, &V_before_, &V_drive_}) V->resize(setup.model->bodies.size());
}

bool SubstepMotion::drift_half(const Schedule& schedule, int m, const Flight::Start& start,
                               Instant* to, Flight::Work* work) {
  const double half = 0.5 * schedule.length(m);
  if (setup_->is_loose(m)) return flight_.drift(m, start, half, &to->q, &to->v);
  return fly(m, start, half, to, work);
}

bool SubstepMotion::fly(int m, const Flight::Start& start, double h, Instant* to,
                        Flight::Work* work) {
  return flight_.fly(m, start, h, &to->q, &to->v, work) ||
         flight_.fly_past_kinks(m, start, h, &to->q, &to->v, work);
}

void SubstepMotion::mark_flying(const NodeSet& nodes, StepProgress* step) const {
  for (const int m : nodes.list) {
    step->schedule.nodes[m].flies = m != step->schedule.driven_node() && !setup_->is_loose(m);
  }
  for (const Contact& c : step->active.contacts) {
    for (const int body : {c.body_a, c.body_b}) {
      const int m = setup_->model->bodies[body].mechanism;
      if (m >= 0 && nodes.contains(m)) step->schedule.nodes[m].flies = false;
    }
  }
}

void SubstepMotion::predict(const NodeSet& nodes, StepProgress* step) {
  const dynamics::Model& model = *setup_->model;
  const Schedule& schedule = step->schedule;
  Path& path = step->path;
  mark_flying(nodes, step);
  for_each_mechanism(*setup_, nodes, [&](int m) {
    Node& node = step->schedule.nodes[m];
    const Flight::Start start{.q = path.begin.q, .v = path.begin.v, .t = schedule.time(m, 0.0)};
    bool is_done = false;
    if (node.flies) {
      const dynamics::Mechanism& tree = model.mechanisms[m];
      is_done = fly(m, start, schedule.length(m), &path.predicted, &node.first_half);
      path.mid.q.segment(tree.q_begin, tree.nq) = path.predicted.q.segment(tree.q_begin, tree.nq);
      path.mid.v.segment(tree.v_begin, tree.nv) = path.predicted.v.segment(tree.v_begin, tree.nv);
    } else {
      Flight::Work unused;
      is_done =
          drift_half(schedule, m, start, &path.mid, &node.first_half) &&
          drift_half(schedule, m, {.q = path.mid.q, .v = path.mid.v, .t = schedule.time(m, 0.5)},
                     &path.predicted, &unused);
    }
    if (!is_done) step->journal.too_fast = true;
  });
  place(schedule, nodes, 0.5, &path.mid);
  place(schedule, nodes, 1.0, &path.predicted);
  if (!has_masses_) {
    M_.update(model, path.mid.motion.X, path.mid.q, setup_->zero);
  } else {
    for_each_mechanism(*setup_, nodes, [&](int m) {
      if (schedule.nodes[m].flies) return;
      M_.update(model, m, path.mid.motion.X, path.mid.q, setup_->zero);
    });
  }
  has_masses_ = true;
}

void SubstepMotion::update_masses_at_begin(const NodeSet& nodes, const StepProgress& step) {
  const Instant& begin = step.path.begin;
  for_each_mechanism(*setup_, nodes, [&](int m) {
    M_.update(*setup_->model, m, begin.motion.X, begin.q, setup_->zero);
  });
}

void SubstepMotion::drift_on(const NodeSet& nodes, const VecX& v_kicked, StepProgress* step) {
  const Schedule& schedule = step->schedule;
  Path& path = step->path;
  for_each_mechanism(*setup_, nodes, [&](int m) {
    const dynamics::Mechanism& mechanism = setup_->model->mechanisms[m];
    Node& node = step->schedule.nodes[m];
    path.v_kicked.segment(mechanism.v_begin, mechanism.nv) =
        v_kicked.segment(mechanism.v_begin, mechanism.nv);
    node.second_half = {};
    if (node.flies) {
      path.end.q.segment(mechanism.q_begin, mechanism.nq) =
          path.predicted.q.segment(mechanism.q_begin, mechanism.nq);
      path.end.v.segment(mechanism.v_begin, mechanism.nv) =
          path.predicted.v.segment(mechanism.v_begin, mechanism.nv);
      return;
    }
    const Flight::Start start{.q = path.mid.q, .v = path.v_kicked, .t = schedule.time(m, 0.5)};
    const bool is_done = drift_half(schedule, m, start, &path.end, &node.second_half);
    if (!is_done) step->journal.too_fast = true;
  });
  place(schedule, nodes, 1.0, &path.end);
}

void SubstepMotion::apply_forces(const NodeSet& nodes, const StepProgress& step, bool is_first,
                                 VecX* v) {
  const dynamics::Model& model = *setup_->model;
  const VecX& v_mid = step.path.mid.v;
  for_each_mechanism(*setup_, nodes, [&](int m) {
    const int begin = model.mechanisms[m].v_begin;
    const int nv = model.mechanisms[m].nv;
    auto kick = kick_.segment(begin, nv);
    if (!setup_->is_loose(m)) {
      kick.setZero();
      applied_.segment(begin, nv).setZero();
      v->segment(begin, nv) = v_mid.segment(begin, nv);
      return;
    }
    const dynamics::Body& body = model.bodies[model.mechanisms[m].bodies.front()];
    gravity_.segment(begin, nv).setZero();
    dynamics::add_wrench(body, step.schedule.length(m) * body.mass * model.gravity, Vec3::Zero(),
                         gravity_);
    if (is_first) {
      M_.solve_block(m, gravity_.data() + begin, kick.data());
    } else {  // the change of velocity by all forces except the applied ones
      M_.solve_block(m, applied_.data() + begin, kick.data());
      kick = step.path.v_kicked.segment(begin, nv) - v_mid.segment(begin, nv) - kick;
    }
    scratch_.segment(begin, nv) = v_mid.segment(begin, nv) + 0.5 * kick;
    apply_to_body(step, m);
    impulse_.segment(begin, nv) = gravity_.segment(begin, nv) + applied_.segment(begin, nv);
    M_.solve_block(m, impulse_.data() + begin, kick.data());
    v->segment(begin, nv) = v_mid.segment(begin, nv) + kick;
  });
}

// Adds the applied forces on a loose body, whose mean velocity without them is in scratch_.
// Resistance is evaluated at the velocity after it has itself acted for half the substep, so that a
// large coefficient does no harm.
void SubstepMotion::apply_to_body(const StepProgress& step, int m) {
  const dynamics::Model& model = *setup_->model;
  const int i = model.mechanisms[m].bodies.front();
  const int begin = model.mechanisms[m].v_begin;
  const int nv = model.mechanisms[m].nv;
  const double h = step.schedule.length(m);
  const double t = step.schedule.time(m, 0.5);
  const auto apply = [&](double implicit_time) {
    update_twist(model, i, step.path.mid.motion.X, scratch_, t, &V_scratch_);
    const dynamics::Wrench F =
        calc_applied_wrench(model.bodies[i], V_scratch_[i], t, implicit_time);
    applied_.segment(begin, nv).setZero();
    dynamics::add_wrench(model.bodies[i], h * F.force, h * F.torque, applied_);
  };
  apply(0.5 * h);
  if (!setup_->resists) return;
  M_.solve_block(m, applied_.data() + begin, impulse_.data() + begin);
  scratch_.segment(begin, nv) += 0.5 * impulse_.segment(begin, nv);
  apply(0.0);
}

void SubstepMotion::place(const Schedule& schedule, const NodeSet& nodes, double part,
                          Instant* instant) const {
  const dynamics::Model& model = *setup_->model;
  BodyMotion& motion = instant->motion;
  for_each_mechanism(*setup_, nodes, [&](int m) {
    const double t = schedule.time(m, part);
    update_poses(model, model.mechanisms[m], instant->q, t, &motion.X);
    update_twists(model, model.mechanisms[m], motion.X, instant->v, t, &motion.V);
  });
  if (!nodes.contains(schedule.driven_node())) return;
  const double t = schedule.time(schedule.driven_node(), part);
  for (const int body : setup_->driven) update_pose(model, body, instant->q, t, &motion.X);
  for (const int body : setup_->driven) {
    update_twist(model, body, motion.X, instant->v, t, &motion.V);
  }
}

void SubstepMotion::update_works(const NodeSet& nodes, StepProgress* step) {
  for_each_mechanism(*setup_, nodes, [&](int m) {
    step->schedule.nodes[m].works = calc_works(*step, m);
  });
}

Works SubstepMotion::calc_works(const StepProgress& step, int m) {
  const dynamics::Mechanism& mechanism = setup_->model->mechanisms[m];
  const Schedule& schedule = step.schedule;
  const Node& node = schedule.nodes[m];
  const Path& path = step.path;
  const auto minus = path.mid.v.segment(mechanism.v_begin, mechanism.nv);
  const auto plus = path.v_kicked.segment(mechanism.v_begin, mechanism.nv);
  Works works;
  works.applied = 0.5 * applied_.segment(mechanism.v_begin, mechanism.nv).dot(minus + plus);
  const Flight::Work none;
  const Flight::Work& first = mechanism.is_loose ? none : node.first_half;
  const Flight::Work& second = mechanism.is_loose ? none : node.second_half;
  works.applied += first.applied + second.applied;
  works.prescribed = first.prescribed + second.prescribed;
  works.flight = -first.applied - second.applied - first.potential - second.potential -
                 first.prescribed - second.prescribed;
  const double t_mid = schedule.time(m, node.flies ? 1.0 : 0.5);  // a flight has no kick
  const std::vector<Pose>& X_mid = path.mid.motion.X;
  works.flight += calc_kinetic(m, schedule.time(m, 1.0), path.end.motion.X, path.end.v) -
                  calc_kinetic(m, t_mid, X_mid, path.v_kicked) +
                  calc_kinetic(m, t_mid, X_mid, path.mid.v) -
                  calc_kinetic(m, schedule.time(m, 0.0), path.begin.motion.X, path.begin.v);
  if (node.flies) return works;
  works.prescribed += calc_prescribed_work(m, t_mid, X_mid, path.mid.v, path.v_kicked);
  return works;
}

double SubstepMotion::calc_kinetic(int m, double t, const std::vector<Pose>& X_WB, const VecX& v) {
  const dynamics::Mechanism& mechanism = setup_->model->mechanisms[m];
  update_twists(*setup_->model, mechanism, X_WB, v, mechanism.is_loose ? 0.0 : t, &V_scratch_);
  return calc_kinetic_energy(*setup_->model, mechanism, X_WB, V_scratch_, v);
}

double SubstepMotion::calc_prescribed_work(int m, double t, const std::vector<Pose>& X_WB,
                                           const VecX& before, const VecX& after) {
  const dynamics::Model& model = *setup_->model;
  const dynamics::Mechanism& mechanism = model.mechanisms[m];
  if (!setup_->is_driven || !is_driven(model, mechanism)) return 0.0;
  update_twists(model, mechanism, X_WB, before, t, &V_before_);
  update_twists(model, mechanism, X_WB, after, t, &V_scratch_);
  update_twists(model, mechanism, X_WB, setup_->zero, t, &V_drive_);
  return dynamics::calc_prescribed_work(model, mechanism, X_WB, V_before_, V_scratch_, V_drive_);
}

double SubstepMotion::calc_energy_at_end(const StepProgress& step, int node) {
  if (node == step.schedule.driven_node()) return 0.0;
  const dynamics::Model& model = *setup_->model;
  const Instant& end = step.path.end;
  double energy = calc_kinetic(node, step.schedule.time(node, 1.0), end.motion.X, end.v);
  for (const int i : model.mechanisms[node].bodies) {
    energy -= model.bodies[i].mass * model.gravity.dot(end.motion.X[i].p);
  }
  return energy + calc_spring_energy(model, model.mechanisms[node], end.q, end.v);
}

ContactVector SubstepMotion::calc_drive(const Schedule& schedule, const Contact& c,
                                        const Instant& instant, double part) {
  const dynamics::Model& model = *setup_->model;
  const BodyMotion& motion = instant.motion;
  ContactVector drive = ContactVector::Zero();
  if (c.has_belt) drive = contact::belt_velocity(c);
  if ((setup_->driven.empty() && !setup_->is_driven) || c.kind != contact::ContactKind::kSurface) {
    return drive;
  }
  Vec3 u = Vec3::Zero();
  double spin = 0.0;
  const auto add = [&](int body, const Vec3& p, double sign) {
    const int m = model.bodies[body].mechanism;
    if (m >= 0) {
      if (!setup_->is_driven || !is_driven(model, model.mechanisms[m])) return;
      update_twists(model, model.mechanisms[m], motion.X, setup_->zero, schedule.time(m, part),
                    &V_drive_);
    }
    const dynamics::Twist& V = m >= 0 ? V_drive_[body] : motion.V[body];
    u += sign * V.at(p - motion.X[body].p);
    spin += sign * c.normal.dot(V.w);
  };
  add(c.body_a, c.p_a, -1.0);
  add(c.body_b, c.p_b, 1.0);
  const ContactVector motion_alone = {c.normal.dot(u), c.t1.dot(u), c.t2.dot(u), spin};
  return c.has_belt ? ContactVector(motion_alone + drive) : motion_alone;
}

}  // namespace tenpin::methods::time_stepping::order2
